import { callService } from "../../call-service.ts";
import type { Outcome } from "../../context.ts";
import { type ClientOptions, readClient } from "../../read-client.ts";
import { describeCharge, findCharge } from "./describe.ts";

export async function getChargeCommand(text: string, options: ClientOptions): Promise<Outcome> {
  const client = await readClient(process.env, options);
  const charge = await callService(client, {}, (cauri) => findCharge(cauri, text));
  return { value: charge, text: describeCharge(charge) };
}
