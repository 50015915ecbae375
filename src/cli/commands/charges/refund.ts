import { randomUUID } from "node:crypto";
import { callService } from "../../call-service.ts";
import { commandFor, optionWords } from "../../command-for.ts";
import { confirm } from "../../confirm.ts";
import type { Outcome } from "../../context.ts";
import { type ClientOptions, readClient } from "../../read-client.ts";
import { say } from "../../say.ts";
import { toFrancs } from "../../table.ts";
import { describeCharge, findCharge } from "./describe.ts";

export interface RefundOptions extends ClientOptions {
  readonly amount?: number;
  readonly reason?: string;
  readonly key?: string;
  readonly yes?: boolean;
}

/** Gives a payer's money back. A refund has no reference: its key is what makes it safe to run again. */
export async function refundChargeCommand(text: string, options: RefundOptions): Promise<Outcome> {
  const client = await readClient(process.env, options);
  const { amount, reason, key = `cli-refund-${randomUUID()}` } = options;
  const repeated = { "--amount": amount, "--reason": reason, "--key": key };
  const again = commandFor(client, "charges", "refund", text, ...optionWords(repeated));
  const whenUnknown = `Run it again with the same key, and it will not happen twice: ${again}`;
  return callService(client, { whenUnknown }, async (cauri) => {
    const charge = await findCharge(cauri, text);
    if (options.yes !== true) {
      say(describeCharge(charge));
      const left = charge.paid - charge.refunded;
      const much = amount === undefined ? `all that is left, ${toFrancs(left)},` : toFrancs(amount);
      await confirm(`Give ${much} back to the payer?`, options);
    }
    // Printed before the request is sent: whoever presses Ctrl-C needs the key to repeat it safely.
    say(`The key of this refund: ${key}`);
    const refund = {
      ...(amount === undefined ? {} : { amount }),
      ...(reason === undefined ? {} : { reason }),
    };
    const refunded = await cauri.charges.refund(charge.id, refund, { idempotencyKey: key });
    return { value: { ...refunded, idempotencyKey: key }, text: describeCharge(refunded) };
  });
}
