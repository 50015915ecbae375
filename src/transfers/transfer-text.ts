import { toPublicId } from "../kernel/ids.ts";
import { createdAtOf, serviceReferenceOf, type Transfer } from "./transfer.ts";

/**
 * What `JSON.stringify(toTransferResource(transfer))` makes, to the byte, in a third of its time: the answer to every
 * transfer that is accepted, and ten thousand times in the answer to a batch. Metadata is JSON already.
 */
export function toTransferText(transfer: Transfer): string {
  const { amount, fee, batchId, endedAt, subCompanyId, failureReason } = transfer;
  const createdAt = createdAtOf(transfer).toISOString();
  const batch = batchId === null ? "" : `"batchId":"${toPublicId("bat", batchId)}",`;
  const subCompany =
    subCompanyId === null ? "" : `,"subCompanyId":"${toPublicId("subco", subCompanyId)}"`;
  return (
    `{"id":"${toPublicId("txn", transfer.id)}","amount":${amount},"fee":${fee},"totalAmount":${amount + fee},` +
    `"msisdn":${JSON.stringify(transfer.msisdn)},"status":"${transfer.status}",` +
    `"reference":${JSON.stringify(transfer.reference)},` +
    `"serviceTransactionReference":"${serviceReferenceOf(transfer)}","type":"transfer",${batch}` +
    `"createdAt":"${createdAt}","updatedAt":"${endedAt?.toISOString() ?? createdAt}",` +
    `"failureReason":${failureReason === null ? "null" : `"${failureReason}"`},` +
    `"metadata":${transfer.metadata ?? "null"},"description":${JSON.stringify(transfer.description)}${subCompany}}`
  );
}
