import { InvalidArgumentError } from "commander";
import { requestIdPrefix } from "../access/request.ts";
import { companyIdPrefix } from "../companies/company.ts";
import { keyIdPrefix } from "../companies/credentials.ts";
import { subCompanyIdPrefix } from "../companies/sub-company.ts";
import { amountMax, balanceMax } from "../kernel/amount.ts";
import { isTimeZone } from "../kernel/countries.ts";
import { parsePublicId } from "../kernel/ids.ts";
import { isMsisdn, msisdnProblem, toDigits } from "../kernel/msisdn.ts";
import { toVisible } from "../kernel/visible.ts";
import { type AdjustableAccount, adjustableAccounts } from "../ledger/funding.ts";
import { trailIdPrefix } from "../trail/trail.ts";

/** Whole francs; spaces and underscores between digits are for the reader and fall away. */
export function parseFrancs(text: string): number {
  return parseUpTo(text, balanceMax);
}

export function parsePositiveFrancs(text: string): number {
  return refuseZero(parseFrancs(text));
}

/** The bounds of one transfer or charge. */
export function parseAmount(text: string): number {
  return refuseZero(parseUpTo(text, amountMax));
}

export function parseFee(text: string): number {
  return parseUpTo(text, amountMax);
}

/** The most a fee can be; "none" takes it away. (A null would not reach the command: the parser makes a text of it.) */
export function parseFeeMax(text: string): number | "none" {
  return text === "none" ? text : parseFee(text);
}

/** What keys may pay out without a person; "off": keys are not concerned. */
export function parseKeysAloneMax(text: string): number | "off" {
  return text === "off" ? text : parseFrancs(text);
}

function parseUpTo(text: string, max: number): number {
  const digits = text.replaceAll(/[ _]/g, "");
  if (!/^\d+$/.test(digits)) throw new InvalidArgumentError("Give whole francs, such as 250000.");
  if (Number(digits) > max) throw new InvalidArgumentError(`Give at most ${max} francs.`);
  return Number(digits);
}

function refuseZero(francs: number): number {
  if (francs === 0) throw new InvalidArgumentError("Give more than 0 francs.");
  return francs;
}

/** A share such as 0.015 (1.5 %), kept as parts per million. */
export function parseRate(text: string): number {
  const ppm = Math.round(Number(text) * 1_000_000);
  if (!/^0?\.?\d+$/.test(text) || ppm < 0 || ppm >= 1_000_000)
    throw new InvalidArgumentError("Give a share from 0 to below 1, such as 0.015 for 1.5 %.");
  return ppm;
}

export function parseCompanyId(text: string): string {
  const id = parsePublicId(companyIdPrefix, text.trim());
  if (id === undefined)
    throw new InvalidArgumentError("Give a company id, such as com_0123… (see `company list`).");
  return id;
}

export function parseRequestId(text: string): string {
  const id = parsePublicId(requestIdPrefix, text.trim());
  if (id === undefined)
    throw new InvalidArgumentError("Give a request id, such as req_0123… (see `staff requests`).");
  return id;
}

const untouchable: Readonly<Record<string, string>> = {
  in_flight:
    "in_flight is what pending transfers come to: it follows them, and is never corrected by hand.",
  paid_out:
    "paid_out is what people's wallets hold: it follows them, and is never corrected by hand.",
};

/** An account of the books that may be corrected by hand. */
export function parseAccount(text: string): AdjustableAccount {
  const account = adjustableAccounts.find((name) => name === text);
  if (account === undefined)
    throw new InvalidArgumentError(
      untouchable[text] ?? `Give one of ${adjustableAccounts.join(", ")}.`,
    );
  return account;
}

export function parseKeyId(text: string): string {
  const id = parsePublicId(keyIdPrefix, text.trim());
  if (id === undefined)
    throw new InvalidArgumentError("Give a key id, such as key_0123… (see `key list`).");
  return id;
}

export function parseTrailId(text: string): string {
  const id = parsePublicId(trailIdPrefix, text.trim());
  if (id === undefined)
    throw new InvalidArgumentError("Give the id of an entry, such as trail_0123… (see `trail`).");
  return id;
}

export function parseReference(text: string): string {
  const reference = text.trim();
  if (!/^[\x20-\x7e]{1,100}$/.test(reference))
    throw new InvalidArgumentError("Give 1 to 100 printable ASCII characters.");
  return reference;
}

/** What a person writes for another to read later, on one line. */
export function parseNote(text: string): string {
  const note = text.trim();
  if (note.length < 1 || note.length > 200)
    throw new InvalidArgumentError("Give 1 to 200 characters.");
  if (toVisible(note) !== note)
    throw new InvalidArgumentError("Give plain text on one line, without control characters.");
  return note;
}

export function parseBatchId(text: string): string {
  const id = parsePublicId("bat", text.trim());
  if (id === undefined) throw new InvalidArgumentError("Give a batch id, such as bat_0123….");
  return id;
}

export function parseSubCompanyId(text: string): string {
  const id = parsePublicId(subCompanyIdPrefix, text.trim());
  if (id === undefined)
    throw new InvalidArgumentError(
      "Give a sub-company id, such as subco_0123… (see `sub-company list`).",
    );
  return id;
}

export function parseMsisdn(text: string): string {
  const problem = msisdnProblem(text);
  if (problem !== undefined) throw new InvalidArgumentError(`It ${problem.en}`);
  if (!isMsisdn(text))
    throw new InvalidArgumentError("Give 8 to 15 digits with country code, a leading + or none.");
  return toDigits(text);
}

/** 90, 15m, 24h or 7d; seconds without a unit. */
export function parseDuration(text: string): number {
  const match = /^(\d{1,9})([smhd]?)$/.exec(text);
  if (match === null)
    throw new InvalidArgumentError("Give a duration such as 90s, 15m, 24h or 7d.");
  const unit = { s: 1, m: 60, h: 3_600, d: 86_400, "": 1 }[match[2] ?? ""] ?? 1;
  return Number(match[1]) * unit;
}

export function parseName(text: string): string {
  const name = text.trim();
  if (name.length < 1 || name.length > 100)
    throw new InvalidArgumentError("Give a name of 1 to 100 characters.");
  return name;
}

export function parseTimeZone(text: string): string {
  if (!isTimeZone(text))
    throw new InvalidArgumentError("Give a time zone by its name, such as Africa/Abidjan.");
  return text;
}

export function parseWebhookId(text: string): string {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text))
    throw new InvalidArgumentError("Give a webhook id (see `webhook list`).");
  return text;
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError("Give a whole number above 0.");
  return Number(text);
}

/** The number of an event; 0 stands before the first. */
export function parseSequence(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new InvalidArgumentError("Give the number of an event, or 0.");
  return Number(text);
}

const limitMax = 1_000;

/** How many of a list are shown at once. */
export function parseLimit(text: string): number {
  const limit = parseCount(text);
  if (limit > limitMax) throw new InvalidArgumentError(`Give at most ${limitMax}.`);
  return limit;
}

const shardsMax = 1_024;

export function parseShards(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > shardsMax)
    throw new InvalidArgumentError(`Give a number from 1 to ${shardsMax}.`);
  return count;
}
