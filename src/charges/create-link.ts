import type { Company } from "../companies/company.ts";
import type { Database } from "../database/database.ts";
import type { IdempotencyKey } from "../idempotency/idempotency-key.ts";
import { newNonce } from "../kernel/ordered-id.ts";
import { verdictsOf } from "../lanes/verdicts.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { type ChargeRequest, refuse, withFee } from "./create-charge.ts";
import { submitWithin } from "./submit-store.ts";

/** What a person asks for; where payers go afterwards is not for them to say. */
interface LinkRequest extends ChargeRequest {
  readonly lifetimeSeconds: number;
  /** Of the form: sent twice, it creates one charge. */
  readonly key: IdempotencyKey;
  readonly by: ConsolePerson;
}

/**
 * Creates a charge by hand, and writes down in the same transaction who did. Answers its id, the same one however often the
 * form is sent. What it throws has created nothing, unless it is OutcomeUnknown: the same form again is safe then too.
 */
export async function createLink(
  database: Database,
  company: Company,
  { lifetimeSeconds, key, by, ...request }: LinkRequest,
): Promise<string> {
  const charge = withFee(company, request);
  const submission = { charge, key, priceNumber: company.priceNumber };
  return database.transactionOf(company.id, async (tx) => {
    const nonce = newNonce();
    const row = await submitWithin(tx, company.id, lifetimeSeconds, nonce, submission);
    const [verdict] = verdictsOf(row, nonce, 1);
    if (verdict?.id === undefined) {
      const refusal = verdict?.refusal;
      if (refusal?.problem === "replayed" && refusal.existingId !== null) return refusal.existingId;
      if (refusal === undefined) throw new Error("a submission has a verdict");
      return refuse(refusal, charge.externalId);
    }
    await recordForCompany(tx, company.id, by, {
      action: "charge.created",
      subject: verdict.id,
      to: { amount: charge.amount, externalId: charge.externalId },
    });
    return verdict.id;
  });
}
