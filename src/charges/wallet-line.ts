import assert from "node:assert/strict";
import { findCompany, findSubCompanies } from "../companies/find-company.ts";
import type { NewWalletEntry } from "../customers/wallet-entry.ts";
import type { Tx } from "../database/database.ts";
import { toDigits } from "../kernel/msisdn.ts";
import type { Charge, ChargeTransaction } from "./charge.ts";

/** What the payer will read in the wallet's history; names are copied as they are now. */
export async function walletLineOf(
  tx: Tx,
  charge: Charge,
  transaction: ChargeTransaction,
): Promise<NewWalletEntry> {
  const company = await findCompany(tx, charge.companyId);
  assert(company !== undefined, `charge ${charge.id} has no company`);
  const [subCompany] =
    charge.subCompanyId === null
      ? []
      : await findSubCompanies(tx, charge.companyId, [charge.subCompanyId]);
  return {
    msisdn: toDigits(transaction.msisdn),
    subjectId: transaction.id,
    createdAt: transaction.createdAt,
    amount: transaction.type === "payment" ? -transaction.amount : transaction.amount,
    companyId: company.id,
    companyName: company.name,
    subCompany,
    description: charge.description,
  };
}
