import { createHash } from "node:crypto";
import type { Cauri, Transaction } from "@cauri/sdk";
import { feeOf } from "../../../kernel/amount.ts";
import { spellMsisdn } from "../../../kernel/countries.ts";
import { toDigits } from "../../../kernel/msisdn.ts";
import { callService } from "../../call-service.ts";
import { confirm } from "../../confirm.ts";
import type { Outcome } from "../../context.ts";
import { ReferenceTaken } from "../../errors.ts";
import { readClient } from "../../read-client.ts";
import { say } from "../../say.ts";
import { toFrancs, toPairs } from "../../table.ts";
import { toTransferOutcome } from "./describe.ts";
import { settle, type WaitOptions } from "./settle.ts";

export interface SendOptions extends WaitOptions {
  readonly to: string;
  readonly amount: number;
  readonly reference: string;
  readonly description?: string;
  readonly subCompany?: string;
  readonly yes?: boolean;
  readonly url?: string;
}

/** Sends money to one person. The reference is what makes it safe to run again. */
export async function sendTransferCommand(options: SendOptions): Promise<Outcome> {
  const client = await readClient(process.env, options);
  const { reference } = options;
  const whenUnknown = `Run the same command again: the reference ${JSON.stringify(reference)} pays once. Or look: cauri transfers get ${quoted(reference)}`;
  return callService(client, { whenUnknown }, async (cauri) => {
    const [earlier] = await cauri.transfers.lookUp([reference]);
    if (earlier !== undefined) return showEarlier(cauri, earlier, options);
    if (options.yes !== true) {
      say(await review(cauri, options));
      await confirm(`Send ${toFrancs(options.amount)} to ${spellMsisdn(options.to)}?`, options);
    }
    const sent = await cauri.transfers.create(toRequest(options), {
      idempotencyKey: keyOf("transfer", reference),
    });
    const { transfer, isWaitOver } = await settle(cauri, sent, options);
    return toTransferOutcome(transfer, { isWaitOver, more: { sentBefore: false } });
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
  return toTransferOutcome(transfer, { note, isWaitOver, more: { sentBefore: true } });
}

/** What will happen, for whoever decides it. */
async function review(cauri: Cauri, { to, amount, reference }: SendOptions): Promise<string> {
  const [company, { balance }, person] = await Promise.all([
    cauri.company(),
    cauri.balance(),
    cauri.customers.check(to),
  ]);
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

/** As a shell takes it for one word. */
export function quoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
