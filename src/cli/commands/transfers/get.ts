import type { Cauri, Transaction } from "@cauri/sdk";
import { callService } from "../../call-service.ts";
import type { Outcome } from "../../context.ts";
import { NothingFound } from "../../errors.ts";
import { type ClientOptions, readClient } from "../../read-client.ts";
import { toTransferOutcome } from "./describe.ts";
import { settle, type WaitOptions } from "./settle.ts";

export async function getTransferCommand(
  text: string,
  options: ClientOptions & WaitOptions,
): Promise<Outcome> {
  const client = await readClient(process.env, options);
  return callService(client, {}, async (cauri) => {
    const { transfer, isWaitOver } = await settle(cauri, await find(cauri, text), options);
    return toTransferOutcome(client, transfer, { isWaitOver });
  });
}

/** By its id, the business's reference, or the one that the recipient sees. */
async function find(cauri: Cauri, text: string): Promise<Transaction> {
  if (/^txn_[0-9a-f]{32}$/.test(text)) return cauri.transfers.get(text);
  const [sent] = await cauri.transfers.lookUp([text]);
  if (sent !== undefined) return sent;
  if (/^[\dA-Za-z-]{16,19}$/.test(text)) {
    const seen = await cauri.transfers.list({ serviceTransactionReference: text }).page();
    if (seen.data[0] !== undefined) return seen.data[0];
  }
  throw new NothingFound("transfer", text);
}
