import { ChargeNotPayable } from "../charges/errors.ts";
import { payCharge } from "../charges/pay-charge.ts";
import { codeLifetimeSeconds } from "../customers/one-time-code.ts";
import { CompanyFrozen } from "../ledger/errors.ts";
import { CodeTaken } from "./errors.ts";
import type { Till } from "./find-standing.ts";
import { type CheckoutBrowser, noteNotice } from "./store.ts";

/**
 * Pays with the code the payer typed. The code is used up inside the payment's own transaction: of two
 * submits, however close, one pays and the other changes nothing. Throws OutcomeUnknown when the answer of
 * the commit was lost.
 */
export async function confirmCode(
  { payments, codes }: Till,
  { browser, ...key }: CheckoutBrowser,
  msisdn: string,
  code: string,
): Promise<void> {
  const check = await codes.check({ msisdn, purpose: `charge:${key.chargeId}`, browser, code });
  if (check.kind === "wrong")
    await noteNotice(
      payments.database,
      { ...key, browser },
      { kind: "wrong_code", seconds: codeLifetimeSeconds },
    );
  // A code that expired or was used up needs no notice: the page reads that from the code itself.
  if (check.kind !== "right") return;

  try {
    await payCharge(payments, { ...key, msisdn }, async (tx) => {
      if (!(await codes.use(tx, { msisdn, codeId: check.codeId, browser }))) throw new CodeTaken();
    });
  } catch (error) {
    // The page says what stands in the way: it reads it from the charge and its company.
    const isShown = [CodeTaken, ChargeNotPayable, CompanyFrozen].some(
      (kind) => error instanceof kind,
    );
    if (!isShown) throw error;
  }
}
