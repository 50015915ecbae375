import type { Company } from "../companies/company.ts";
import { PriceChanged, SubCompanyInactive, SubCompanyNotFound } from "../companies/errors.ts";
import { IdempotencyKeyReused } from "../idempotency/errors.ts";
import type { Answer, IdempotencyKey } from "../idempotency/idempotency-key.ts";
import { feeOf } from "../kernel/amount.ts";
import { timeOfUuid } from "../kernel/ids.ts";
import type { Refusal } from "../lanes/verdicts.ts";
import type { SpanContext } from "../tracing/trace-parent.ts";
import { asCreated, type Charge, type NewCharge } from "./charge.ts";
import type { ChargeLanes } from "./charge-lanes.ts";
import { toChargeResource } from "./charge-resource.ts";
import { DuplicateExternalId } from "./errors.ts";
import { getCharge } from "./find-charges.ts";
import type { PaymentLinks } from "./payment-links.ts";
import type { Payments } from "./payments.ts";
import type { ChargeProblem } from "./submit-store.ts";

/** What a company asks for; the fee follows from its contract. */
export type ChargeRequest = Omit<NewCharge, "fee" | "feeRatePpm">;

/** Where charges are created, and where it is looked up what was created before. */
export interface ChargeDesk {
  readonly payments: Payments;
  readonly lanes: ChargeLanes;
  readonly links: PaymentLinks;
}

const created = 201;

/**
 * Creates a charge and the link to its payment page. What it answers was committed before; what it throws
 * changed nothing, unless it is OutcomeUnknown. PriceChanged: judge it again, see `byCurrentPrice`.
 */
export async function createCharge(
  { payments, lanes, links }: ChargeDesk,
  company: Company,
  request: ChargeRequest,
  key?: IdempotencyKey,
  span?: SpanContext,
): Promise<Answer> {
  const charge = withFee(company, request);
  const { priceNumber } = company;
  const { id, refusal } = await lanes.submit(company.id, { charge, key, priceNumber }, span);
  if (refusal === undefined) {
    const createdAt = new Date(timeOfUuid(id));
    const expiresAt = new Date(createdAt.getTime() + lanes.lifetimeSeconds * 1_000);
    const made = { ...charge, id, companyId: company.id, createdAt, expiresAt };
    return answer(links, asCreated(made), false);
  }
  if (refusal.problem !== "replayed") return refuse(refusal, request.externalId);
  return showChargeAgain({ payments, links }, company.id, refusal.existingId ?? undefined);
}

/** The first answer once more. */
export async function showChargeAgain(
  { payments, links }: Pick<ChargeDesk, "payments" | "links">,
  companyId: string,
  id: string | undefined,
): Promise<Answer> {
  return answer(links, asCreated(await getCharge(payments, companyId, id)), true);
}

function answer(links: PaymentLinks, charge: Charge, isReplay: boolean): Answer {
  const body = JSON.stringify(toChargeResource(links, charge, "created"));
  return { statusCode: created, body, isReplay };
}

/** Field by field: a spread of the request costs more than the rest of this function. */
export function withFee(company: Company, request: ChargeRequest): NewCharge {
  const ratePpm = company.chargeFeeRatePpm;
  return {
    externalId: request.externalId,
    description: request.description,
    amount: request.amount,
    fee: feeOf(request.amount, { ratePpm, flat: 0, min: 0, max: null }),
    feeRatePpm: ratePpm,
    metadata: request.metadata,
    subCompanyId: request.subCompanyId,
    onCanceledRedirectionUrl: request.onCanceledRedirectionUrl,
    onCompletedRedirectionUrl: request.onCompletedRedirectionUrl,
  };
}

export function refuse({ problem, existingId }: Refusal<ChargeProblem>, externalId: string): never {
  switch (problem) {
    case "duplicate_external_id":
      throw new DuplicateExternalId(externalId, existingId ?? "");
    case "sub_company_not_found":
      throw new SubCompanyNotFound();
    case "sub_company_inactive":
      throw new SubCompanyInactive();
    case "idempotency_key_reused":
      throw new IdempotencyKeyReused();
    case "price_changed":
      throw new PriceChanged();
    case "replayed":
      throw new Error("a replay is an answer, not a refusal");
  }
}
