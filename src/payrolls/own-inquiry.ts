import type { Company } from "../companies/company.ts";
import { placeOfCompany } from "../companies/find-company.ts";
import { checkCustomers } from "../customers/check-customer.ts";
import type { WalletPolicy } from "../customers/customer.ts";
import type { Database } from "../database/database.ts";
import type { Country } from "../kernel/countries.ts";
import { toPublicId } from "../kernel/ids.ts";
import { toDigits } from "../kernel/msisdn.ts";
import { balancesOf } from "../ledger/post.ts";
import type { Account, Inquiry, SentPayout } from "../payouts/paymaster.ts";
import { findByReferences } from "../transfers/find-transfers.ts";
import { createdAtOf, type Transfer } from "../transfers/transfer.ts";

/** The service asking itself what a business asks it over HTTP. */
export function ownInquiry(database: Database, policy: WalletPolicy, companyId: string): Inquiry {
  return {
    balance: async () => (await balancesOf(database, companyId)).available,
    check: (msisdns) => checkCustomers(database, policy, msisdns),
    find: async (references) =>
      (await findByReferences(database, companyId, references)).map(toSent),
  };
}

export function toSent(transfer: Transfer): SentPayout {
  const createdAt = createdAtOf(transfer).toISOString();
  return {
    id: toPublicId("txn", transfer.id),
    reference: transfer.reference,
    msisdn: toDigits(transfer.msisdn),
    amount: transfer.amount,
    fee: transfer.fee,
    status: transfer.status,
    failureReason: transfer.failureReason,
    createdAt,
    updatedAt: transfer.endedAt?.toISOString() ?? createdAt,
  };
}

export function accountOf(company: Company, byDefault: Country): Account {
  const { country, timeZone } = placeOfCompany(company, byDefault);
  const { id, name, transferAmount, transferFee } = company;
  return { companyId: id, name, country, timeZone, transferAmount, transferFee };
}
