import { callService } from "../../call-service.ts";
import { commandFor } from "../../command-for.ts";
import type { Outcome } from "../../context.ts";
import { needStaging } from "../../need-staging.ts";
import { type ClientOptions, readClient } from "../../read-client.ts";
import { describeCharge, findCharge } from "./describe.ts";

export interface PayOptions extends ClientOptions {
  /** The payer; the test number whose payments succeed when absent. */
  readonly from?: string;
  readonly fail?: boolean;
}

/** As for a transfer: the request was good, and the money did not come. */
const failed = 3;

/** Plays the payer, in staging. */
export async function payChargeCommand(text: string, options: PayOptions): Promise<Outcome> {
  const client = await readClient(process.env, options);
  const look = commandFor(client, "charges", "get", text);
  const whenUnknown = `In staging no money is real: look at it, and pay it again if it is still due: ${look}`;
  return callService(client, { whenUnknown }, async (cauri) => {
    const { numbers } = await needStaging(cauri, "charges pay");
    const { id } = await findCharge(cauri, text);
    const recipientMsisdn =
      options.from ?? (options.fail === true ? numbers.failure : numbers.success);
    const charge = await cauri.charges.pay(id, { recipientMsisdn });
    if (charge.status === "paid") return { value: charge, text: describeCharge(charge) };
    return {
      value: charge,
      text: `${describeCharge(charge)}\nThe payment has failed, and the charge can still be paid.`,
      exitCode: failed,
    };
  });
}
