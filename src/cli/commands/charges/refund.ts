import { randomUUID } from "node:crypto";
import { callService } from "../../call-service.ts";
import { confirm } from "../../confirm.ts";
import type { Outcome } from "../../context.ts";
import { readClient } from "../../read-client.ts";
import { say } from "../../say.ts";
import { toFrancs } from "../../table.ts";
import { quoted } from "../transfers/send.ts";
import { describeCharge, findCharge } from "./describe.ts";

export interface RefundOptions {
  readonly amount?: number;
  readonly key?: string;
  readonly yes?: boolean;
  readonly url?: string;
}

/** Gives a payer's money back. A refund has no reference: its key is what makes it safe to run again. */
export async function refundChargeCommand(text: string, options: RefundOptions): Promise<Outcome> {
  const client = await readClient(process.env, options);
  const { amount, key = `cli-refund-${randomUUID()}` } = options;
  const again = [
    "cauri charges refund",
    quoted(text),
    ...(amount === undefined ? [] : [`--amount ${amount}`]),
    `--key ${quoted(key)}`,
  ].join(" ");
  const whenUnknown = `Run it again with the same key, and it will not happen twice: ${again}`;
  return callService(client, { whenUnknown }, async (cauri) => {
    const charge = await findCharge(cauri, text);
    if (options.yes !== true) {
      say(describeCharge(charge));
      const left = charge.paid - charge.refunded;
      const much = amount === undefined ? `all that is left, ${toFrancs(left)},` : toFrancs(amount);
      await confirm(`Give ${much} back to the payer?`, options);
    }
    // Before it is sent, so that whoever ends this with Ctrl-C knows it too.
    say(`The key of this refund: ${key}`);
    const refunded = await cauri.charges.refund(charge.id, amount === undefined ? {} : { amount }, {
      idempotencyKey: key,
    });
    return { value: { ...refunded, idempotencyKey: key }, text: describeCharge(refunded) };
  });
}
