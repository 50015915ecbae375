import { spellMsisdn } from "../../../kernel/countries.ts";
import { toDigits } from "../../../kernel/msisdn.ts";
import { callService } from "../../call-service.ts";
import { Clock, type TypedMoment } from "../../clock.ts";
import type { Outcome } from "../../context.ts";
import { toPageOutcome } from "../../page-outcome.ts";
import { type ClientOptions, readClient } from "../../read-client.ts";
import { toFrancs } from "../../table.ts";

export interface ListOptions extends ClientOptions {
  readonly status?: "pending" | "completed" | "failed";
  readonly to?: string;
  readonly since?: TypedMoment;
  readonly until?: TypedMoment;
  readonly limit: number;
  readonly cursor?: string;
}

export async function listTransfersCommand(options: ListOptions): Promise<Outcome> {
  const client = await readClient(process.env, options);
  const { status, to, since, until, limit, cursor } = options;
  return callService(client, {}, async (cauri) => {
    const company = await cauri.company();
    const clock = new Clock(company.timeZone);
    const query = {
      limit,
      ...(status === undefined ? {} : { status }),
      ...(to === undefined ? {} : { msisdn: to }),
      ...(since === undefined ? {} : { createdFrom: since(clock).toISOString() }),
      ...(until === undefined ? {} : { createdTo: until(clock).toISOString() }),
      ...(cursor === undefined ? {} : { cursor }),
    };
    const page = await cauri.transfers.list(query).page();
    const table = {
      headings: ["TRANSFER", "STATUS", "AMOUNT", "TO", "REFERENCE", "CREATED"],
      cells: (transfer: (typeof page.data)[number]) => [
        transfer.id,
        transfer.failureReason === null
          ? transfer.status
          : `${transfer.status}: ${transfer.failureReason}`,
        toFrancs(transfer.amount),
        spellMsisdn(toDigits(transfer.msisdn)),
        transfer.reference,
        clock.show(transfer.createdAt),
      ],
    };
    return toPageOutcome({ next: page.cursor.next }, page.data, table, clock);
  });
}
