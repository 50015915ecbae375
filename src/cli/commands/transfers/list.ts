import { spellMsisdn } from "../../../kernel/countries.ts";
import { toDigits } from "../../../kernel/msisdn.ts";
import { callService } from "../../call-service.ts";
import type { Outcome } from "../../context.ts";
import { toPageOutcome } from "../../page-outcome.ts";
import { readClient } from "../../read-client.ts";
import { toFrancs } from "../../table.ts";

export interface ListOptions {
  readonly status?: "pending" | "completed" | "failed";
  readonly to?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly limit: number;
  readonly cursor?: string;
  readonly url?: string;
}

export async function listTransfersCommand(options: ListOptions): Promise<Outcome> {
  const client = await readClient(process.env, options);
  const { status, to, since, until, limit, cursor } = options;
  const query = {
    limit,
    ...(status === undefined ? {} : { status }),
    ...(to === undefined ? {} : { msisdn: to }),
    ...(since === undefined ? {} : { createdFrom: since.toISOString() }),
    ...(until === undefined ? {} : { createdTo: until.toISOString() }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  const page = await callService(client, {}, (cauri) => cauri.transfers.list(query).page());
  return toPageOutcome({ next: page.cursor.next }, page.data, {
    headings: ["TRANSFER", "STATUS", "AMOUNT", "TO", "REFERENCE", "CREATED"],
    cells: (transfer) => [
      transfer.id,
      transfer.failureReason === null
        ? transfer.status
        : `${transfer.status}: ${transfer.failureReason}`,
      toFrancs(transfer.amount),
      spellMsisdn(toDigits(transfer.msisdn)),
      transfer.reference,
      transfer.createdAt,
    ],
  });
}
