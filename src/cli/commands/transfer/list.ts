import { parsePageRequest } from "../../../kernel/page.ts";
import { listTransfers } from "../../../transfers/find-transfers.ts";
import type { Transfer } from "../../../transfers/transfer.ts";
import { toTransferResource } from "../../../transfers/transfer-resource.ts";
import type { Clock, TypedMoment } from "../../clock.ts";
import type { Context, Outcome } from "../../context.ts";
import { findClock } from "../../find-clock.ts";
import { type PageOptions, toPageOutcome } from "../../page-outcome.ts";
import { toFrancs } from "../../table.ts";

export interface ListTransfersOptions extends PageOptions {
  readonly status?: Transfer["status"];
  readonly msisdn?: string;
  readonly batch?: string;
  readonly subCompany?: string;
  readonly since?: TypedMoment;
  readonly until?: TypedMoment;
}

export async function listTransfersCommand(
  context: Context,
  companyId: string,
  options: ListTransfersOptions,
): Promise<Outcome> {
  const { database } = context;
  const clock = await findClock(context, companyId);
  const { status, msisdn, batch, subCompany, since, until } = options;
  const request = parsePageRequest({ name: "transactions", companyId }, options);
  const filter = {
    ...(status === undefined ? {} : { status }),
    ...(msisdn === undefined ? {} : { msisdn }),
    ...(batch === undefined ? {} : { batchId: batch }),
    ...(subCompany === undefined ? {} : { subCompanyId: subCompany }),
    ...(since === undefined ? {} : { createdFrom: since(clock) }),
    ...(until === undefined ? {} : { createdTo: until(clock) }),
  };
  const page = await listTransfers(database, companyId, filter, request);
  return toPageOutcome(page, page.rows.map(toTransferResource), transferTable(clock), clock);
}

export const transferTable = (clock: Clock) => ({
  headings: ["TRANSFER", "CREATED", "TO", "AMOUNT", "FEE", "STATUS", "REFERENCE"],
  cells: (transfer: ReturnType<typeof toTransferResource>) => [
    transfer.id,
    clock.show(transfer.createdAt),
    transfer.msisdn,
    toFrancs(transfer.amount),
    toFrancs(transfer.fee),
    transfer.failureReason ?? transfer.status,
    transfer.reference,
  ],
});
