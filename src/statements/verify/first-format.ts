/**
 * What files of the first format do not say of themselves: their columns, and what the kinds of rows are called in them.
 * It stays as it is, whatever becomes of the words in `export/columns.ts`.
 */
export const firstFormat = "cauri statement 1";

export const firstColumns: readonly string[] =
  "number at date kind amount fee balanceAfter id chargeId reference externalId serviceTransactionReference msisdn subCompanyId subCompanyName batchId memo proof check".split(
    " ",
  );

export const firstKinds: Readonly<Record<string, readonly string[]>> = {
  funding: ["Funding", "Approvisionnement"],
  withdrawal: ["Withdrawal", "Retrait"],
  adjustment: ["Adjustment", "Régularisation"],
  transfer: ["Transfer", "Virement"],
  transfer_returned: ["Transfer returned", "Virement restitué"],
  payment: ["Payment", "Encaissement"],
  refund: ["Refund", "Remboursement"],
  other: ["Other", "Autre"],
  opening: ["Opening balance", "Solde d’ouverture"],
  seal: ["Seal", "Scellé"],
  proof: ["Proof", "Preuve"],
  closing: ["Closing balance", "Solde de clôture"],
  signature: ["Signature", "Signature"],
};
