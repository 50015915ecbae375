import { getCompany } from "../../../companies/find-company.ts";
import { parsePageRequest } from "../../../kernel/page.ts";
import { listTransfers } from "../../../transfers/find-transfers.ts";
import type { Transfer } from "../../../transfers/transfer.ts";
import { toTransferResource } from "../../../transfers/transfer-resource.ts";
import type { Context, Outcome } from "../../context.ts";
import { type PageOptions, toPageOutcome } from "../../page-outcome.ts";
import { toFrancs } from "../../table.ts";

export interface ListTransfersOptions extends PageOptions {
  readonly status?: Transfer["status"];
  readonly msisdn?: string;
  readonly batch?: string;
  readonly subCompany?: string;
  readonly since?: Date;
  readonly until?: Date;
}

export async function listTransfersCommand(
  { database }: Context,
  companyId: string,
  options: ListTransfersOptions,
): Promise<Outcome> {
  await getCompany(database, companyId);
  const { status, msisdn, batch, subCompany, since, until } = options;
  const request = parsePageRequest({ name: "transactions", companyId }, options);
  const filter = {
    ...(status === undefined ? {} : { status }),
    ...(msisdn === undefined ? {} : { msisdn }),
    ...(batch === undefined ? {} : { batchId: batch }),
    ...(subCompany === undefined ? {} : { subCompanyId: subCompany }),
    ...(since === undefined ? {} : { createdFrom: since }),
    ...(until === undefined ? {} : { createdTo: until }),
  };
  const page = await listTransfers(database, companyId, filter, request);
  return toPageOutcome(page, page.rows.map(toTransferResource), transferTable);
}

export const transferTable = {
  headings: ["TRANSFER", "CREATED", "TO", "AMOUNT", "FEE", "STATUS", "REFERENCE"],
  cells: (transfer: ReturnType<typeof toTransferResource>) => [
    transfer.id,
    transfer.createdAt,
    transfer.msisdn,
    toFrancs(transfer.amount),
    toFrancs(transfer.fee),
    transfer.failureReason ?? transfer.status,
    transfer.reference,
  ],
};
