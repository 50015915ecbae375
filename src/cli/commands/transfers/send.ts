import { createHash } from "node:crypto";
import type { Cauri, GetCompanyAnswer, Transaction } from "@cauri/sdk";
import { feeOf } from "../../../kernel/amount.ts";
import { spellMsisdn } from "../../../kernel/countries.ts";
import { toDigits } from "../../../kernel/msisdn.ts";
import { callService } from "../../call-service.ts";
import { commandFor, type Login, optionWords } from "../../command-for.ts";
import { confirm } from "../../confirm.ts";
import type { Outcome } from "../../context.ts";
import { doubtAbout } from "../../doubt-number.ts";
import { ReferenceTaken } from "../../errors.ts";
import { type ClientOptions, readClient } from "../../read-client.ts";
import { say } from "../../say.ts";
import { toFrancs, toPairs } from "../../table.ts";
import { toTransferOutcome } from "./describe.ts";
import { settle, type WaitOptions } from "./settle.ts";

export interface SendOptions extends ClientOptions, WaitOptions {
  readonly to: string;
  readonly amount: number;
  readonly reference: string;
  readonly description?: string;
  readonly subCompany?: string;
  readonly yes?: boolean;
}

/** Sends money to one person. The reference is what makes it safe to run again. */
export async function sendTransferCommand(options: SendOptions): Promise<Outcome> {
  const client = await readClient(process.env, options);
  const { reference } = options;
  const again = commandFor(client, "transfers", "send", ...wordsOf(options));
  const look = commandFor(client, "transfers", "get", reference);
  const whenUnknown = `Run it again, the reference ${JSON.stringify(reference)} pays once: ${again}\nOr look: ${look}`;
  return callService(client, { whenUnknown }, async (cauri) => {
    const [earlier] = await cauri.transfers.lookUp([reference]);
    if (earlier !== undefined) return showEarlier(cauri, client, earlier, options);
    const company = await cauri.company();
    const doubt = doubtAbout(options.to, company.country);
    if (options.yes !== true) say(await review(cauri, company, options));
    if (doubt !== undefined) say(`Look at the number again: ${doubt}`);
    const allTheSame = doubt === undefined ? "" : " all the same";
    const much = toFrancs(options.amount);
    await confirm(`Send ${much} to ${spellMsisdn(options.to)}${allTheSame}?`, options);
    const sent = await cauri.transfers.create(toRequest(options), {
      idempotencyKey: keyOf("transfer", reference),
    });
    const { transfer, isWaitOver } = await settle(cauri, sent, options);
    return toTransferOutcome(client, transfer, { isWaitOver, more: { sentBefore: false } });
  });
}

function wordsOf({ to, amount, reference, description, subCompany }: SendOptions): string[] {
  return optionWords({
    "--to": to,
    "--amount": amount,
    "--reference": reference,
    "--description": description,
    "--sub-company": subCompany,
  });
}

function toRequest({ to, amount, reference, description, subCompany }: SendOptions) {
  return {
    amount,
    msisdn: to,
    reference,
    ...(description === undefined ? {} : { description }),
    ...(subCompany === undefined ? {} : { subCompanyId: subCompany }),
  };
}

async function showEarlier(
  cauri: Cauri,
  client: Login,
  earlier: Transaction,
  options: SendOptions,
): Promise<Outcome> {
  const { reference, amount, msisdn } = earlier;
  if (amount !== options.amount || toDigits(msisdn) !== options.to)
    throw new ReferenceTaken(
      reference,
      `${toFrancs(amount)} to ${spellMsisdn(toDigits(msisdn))} (${earlier.id})`,
    );
  const { transfer, isWaitOver } = await settle(cauri, earlier, options);
  const note =
    "This reference was sent before, with the same amount to the same number. Nothing was sent now.";
  return toTransferOutcome(client, transfer, { note, isWaitOver, more: { sentBefore: true } });
}

/** What will happen, for whoever decides it. */
async function review(
  cauri: Cauri,
  company: GetCompanyAnswer,
  { to, amount, reference }: SendOptions,
): Promise<string> {
  const [{ balance }, person] = await Promise.all([cauri.balance(), cauri.customers.check(to)]);
  const { rate, ...others } = company.transferFee;
  const fee = feeOf(amount, { ...others, ratePpm: Math.round(rate * 1_000_000) });
  const { kycStatus, firstName, lastName } = person;
  const name =
    kycStatus === "unknown"
      ? "nobody has this number: the transfer would fail"
      : `${firstName} ${lastName}`;
  return toPairs([
    ["from", `${company.name} (${company.service.environment})`],
    ["to", `${spellMsisdn(to)}  ${name}`],
    ["amount", toFrancs(amount)],
    ["fee", toFrancs(fee)],
    ["reference", reference],
    ["balance now", toFrancs(balance)],
    ["balance after", toFrancs(balance - amount - fee)],
  ]);
}

/** The same command twice is the same request; a reference may hold what a key may not. */
export function keyOf(what: string, reference: string): string {
  return `cli-${what}-${createHash("sha256").update(reference).digest("hex")}`;
}
