import type { Database } from "../database/database.ts";
import { type FeeRule } from "../kernel/amount.ts";
import { newUuid } from "../kernel/ids.ts";
import type { SecretBox } from "../kernel/secret-box.ts";
import { fund, openBooks } from "../ledger/post.ts";
import { type Company, chargeAmountDefault, noFee, transferAmountDefault } from "./company.ts";
import { type IssuedKey, issueKey } from "./credentials.ts";
import { insertCompany } from "./store.ts";

export interface NewCompany {
  readonly name: string;
  /** Francs put on the account at once; 0 for none. */
  readonly fund: number;
  readonly transferFee?: FeeRule;
  readonly transferAmount?: { readonly min: number; readonly max: number };
  readonly chargeFeeRatePpm?: number;
  readonly chargeAmount?: { readonly min: number; readonly max: number };
  readonly country?: string | undefined;
  readonly timeZone?: string | undefined;
}

/** A company, its books, its first key and its first money, all or nothing. */
export async function createCompany(
  database: Database,
  box: SecretBox,
  now: Date,
  request: NewCompany,
): Promise<{ readonly company: Company; readonly key: IssuedKey }> {
  const company: Company = {
    id: newUuid(now.getTime()),
    name: request.name,
    transferFee: request.transferFee ?? noFee,
    transferAmount: request.transferAmount ?? transferAmountDefault,
    chargeFeeRatePpm: request.chargeFeeRatePpm ?? 0,
    chargeAmount: request.chargeAmount ?? chargeAmountDefault,
    country: request.country ?? null,
    timeZone: request.timeZone ?? null,
    createdAt: now,
  };
  return database.transaction(async (tx) => {
    await insertCompany(tx, company);
    await openBooks(tx, company.id);
    if (request.fund > 0)
      await fund(tx, company.id, { id: newUuid(now.getTime()), amount: request.fund });
    return { company, key: await issueKey(tx, box, now, company.id) };
  });
}
