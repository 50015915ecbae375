import { keysAloneMaxOf, setKeysAloneMax } from "../../src/approvals/rules.ts";
import { getCompany } from "../../src/companies/find-company.ts";
import type { Database } from "../../src/database/database.ts";
import { feeOf } from "../../src/kernel/amount.ts";
import { newNonce, orderedId } from "../../src/kernel/ordered-id.ts";
import { operator } from "../../src/trail/actor.ts";
import { type BatchHeader, submitTransfers } from "../../src/transfers/submit-store.ts";

/** A payout by a key that waits for a person, alone or as a batch of one; answers the transfer's id. */
export async function holdByKey(
  database: Database,
  companyId: string,
  { msisdn, batch }: { readonly msisdn: string; readonly batch?: BatchHeader },
  reference = `held-${newNonce()}`,
): Promise<string> {
  const by = operator("holding a payout");
  const amount = 5_000;
  const before = await keysAloneMaxOf(database, companyId);
  await setKeysAloneMax(database, companyId, 0, by);
  const { priceNumber, transferFee } = await getCompany(database, companyId);
  const transfer = {
    msisdn,
    amount,
    fee: feeOf(amount, transferFee),
    reference,
    description: null,
    metadata: null,
    subCompanyId: null,
  };
  const nonce = newNonce();
  const submission = { transfer, key: undefined, priceNumber };
  const { ms, base } = await submitTransfers(database, companyId, nonce, [submission], batch);
  await setKeysAloneMax(database, companyId, before, by);
  return orderedId(ms, base + 1, nonce);
}
