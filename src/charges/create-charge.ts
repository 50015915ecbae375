import type { Company } from "../companies/company.ts";
import { SubCompanyInactive, SubCompanyNotFound } from "../companies/errors.ts";
import { IdempotencyKeyReused } from "../http/errors.ts";
import type { IdempotencyKey, StoredAnswer } from "../http/idempotency.ts";
import { feeOf } from "../kernel/amount.ts";
import { newUuid, timeOfUuid } from "../kernel/ids.ts";
import type { NewCharge } from "./charge.ts";
import { toChargeResource } from "./charge-resource.ts";
import { DuplicateExternalId } from "./errors.ts";
import type { PaymentLinks } from "./payment-links.ts";
import type { ChargeLanes } from "./submission-lanes.ts";
import type { Refusal } from "./submit-store.ts";

/** What a company asks for. */
export interface ChargeRequest {
  readonly externalId: string;
  readonly description: string;
  readonly amount: number;
  readonly metadata: string | null;
  readonly subCompanyId: string | null;
  readonly onCanceledRedirectionUrl: string;
  readonly onCompletedRedirectionUrl: string;
}

const created = 201;

/**
 * Creates a charge and the link to its payment page. What it answers was committed before; what it throws
 * changed nothing, unless it is OutcomeUnknown.
 */
export async function createCharge(
  lanes: ChargeLanes,
  links: PaymentLinks,
  now: Date,
  company: Company,
  request: ChargeRequest,
  key?: IdempotencyKey,
): Promise<StoredAnswer> {
  const charge = toCharge(company, now, request);
  const body = JSON.stringify(toChargeResource(links, charge, "created"));
  const refusal = await lanes.submit(company.id, { charge, key, response: key && body });
  if (refusal === null) return { statusCode: created, body, isReplay: false };
  if (refusal.problem === "replayed") {
    const { status_code, response } = refusal;
    return { statusCode: status_code ?? created, body: response ?? "", isReplay: true };
  }
  return refuse(refusal, request.externalId);
}

function toCharge(company: Company, now: Date, request: ChargeRequest): NewCharge {
  const id = newUuid(now.getTime());
  const createdAt = new Date(timeOfUuid(id));
  const ratePpm = company.chargeFeeRatePpm;
  // Field by field: a spread of the request costs more than the rest of this function.
  return {
    id,
    companyId: company.id,
    externalId: request.externalId,
    description: request.description,
    amount: request.amount,
    fee: feeOf(request.amount, { ratePpm, flat: 0, min: 0, max: null }),
    feeRatePpm: ratePpm,
    status: "due",
    droppedReason: null,
    paid: 0,
    refunded: 0,
    attempts: 0,
    metadata: request.metadata,
    subCompanyId: request.subCompanyId,
    onCanceledRedirectionUrl: request.onCanceledRedirectionUrl,
    onCompletedRedirectionUrl: request.onCompletedRedirectionUrl,
    createdAt,
    updatedAt: createdAt,
    transactions: [],
  };
}

function refuse(refusal: Refusal, externalId: string): never {
  switch (refusal.problem) {
    case "duplicate_external_id":
      throw new DuplicateExternalId(externalId, refusal.existing_id ?? "");
    case "sub_company_not_found":
      throw new SubCompanyNotFound();
    case "sub_company_inactive":
      throw new SubCompanyInactive();
    case "idempotency_key_reused":
      throw new IdempotencyKeyReused();
    case "replayed":
      throw new Error("a replay is an answer, not a refusal");
  }
}
