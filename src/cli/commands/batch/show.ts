import { companyIdPrefix } from "../../../companies/company.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import { getBatchSummary, listTransfers } from "../../../transfers/find-transfers.ts";
import { lookUpBatches } from "../../../transfers/look-up.ts";
import { toBatchSummary, toTransferResource } from "../../../transfers/transfer-resource.ts";
import type { Context, Outcome } from "../../context.ts";
import { findClock } from "../../find-clock.ts";
import { findPlace } from "../../find-place.ts";
import { toFrancs, toPairs, toTable } from "../../table.ts";
import { transferTable } from "../transfer/list.ts";

/** A batch, how far it is, and the first of what failed. */
export async function showBatchCommand(
  context: Context,
  text: string,
  options: { readonly company?: string; readonly limit: number },
): Promise<Outcome> {
  const { database } = context;
  const { companyId, id } = await findPlace(database, "batch", text, options.company, (ids) =>
    lookUpBatches(database, ids, text),
  );
  const clock = await findClock(context, companyId);
  const table = transferTable(clock);
  const batch = toBatchSummary(await getBatchSummary(database, companyId, id));
  const filter = { batchId: id, status: "failed" } as const;
  const { rows } = await listTransfers(database, companyId, filter, { limit: options.limit });
  const failed = rows.map(toTransferResource);
  const company = toPublicId(companyIdPrefix, companyId);
  const pending = batch.count - batch.completedCount - batch.failedCount;
  return {
    value: { companyId: company, ...batch, pendingCount: pending, failed },
    text: [
      toPairs([
        ["batch", batch.id],
        ["company", company],
        ["status", batch.status],
        ["created", clock.show(batch.createdAt)],
        ["updated", clock.show(batch.updatedAt)],
        ["amount", `${toFrancs(batch.totalAmount)}, fees ${toFrancs(batch.totalFee)}`],
        [
          "paid out",
          `${toFrancs(batch.completedAmount)}, fees ${toFrancs(batch.completedFee)}; failed ${toFrancs(batch.failedAmount)}`,
        ],
        [
          "transfers",
          `${batch.count}: ${batch.completedCount} completed, ${batch.failedCount} failed, ${pending} pending`,
        ],
      ]),
      ...(failed.length === 0
        ? []
        : [
            "",
            `Failed${failed.length < batch.failedCount ? `, the last ${failed.length} of ${batch.failedCount}` : ""}:`,
            toTable([table.headings, ...failed.map(table.cells)]),
          ]),
      "",
      clock.note,
    ].join("\n"),
  };
}
