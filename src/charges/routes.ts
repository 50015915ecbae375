import { type Static, Type } from "typebox";
import { byCurrentPrice } from "../companies/by-current-price.ts";
import type { Company } from "../companies/company.ts";
import { toListEnvelope } from "../http/list-envelope.ts";
import { readMoment } from "../http/moment.ts";
import {
  IdempotencyHeaders,
  ListQuery,
  listOf,
  MomentQuery,
  responses,
  security,
} from "../http/schemas.ts";
import type { App } from "../http/server.ts";
import { bodyFindings } from "../http/validation.ts";
import { answeredBefore } from "../idempotency/answered-before.ts";
import { readIdempotencyKey, sendAnswer } from "../idempotency/idempotency-key.ts";
import { parsePublicId, parseUuid } from "../kernel/ids.ts";
import { type Page, parsePageRequest } from "../kernel/page.ts";
import { type Charge, type ChargeStatus, chargeStatuses } from "./charge.ts";
import type { ChargeLanes } from "./charge-lanes.ts";
import { toChargeResource, toPaidResource } from "./charge-resource.ts";
import { createCharge, showChargeAgain } from "./create-charge.ts";
import { getCharge, listCharges } from "./find-charges.ts";
import { payChargeOnce } from "./pay-charge.ts";
import type { PaymentLinks } from "./payment-links.ts";
import type { Payments } from "./payments.ts";
import { readCharge, readRefund } from "./read-request.ts";
import { refundCharge, showRefundAgain } from "./refund-charge.ts";
import { NewChargeSchema, PaySchema, RefundSchema } from "./schemas.ts";
import type { ChargeFilter } from "./store.ts";

const tags = ["Charges"];
const ById = Type.Object({ id: Type.String({ description: "The charge's id." }) });

const ChargeQuery = Type.Object({
  ...ListQuery,
  externalId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  subCompanyId: Type.Optional(Type.String({ maxLength: 100 })),
  status: Type.Optional(Type.Unsafe<ChargeStatus>({ type: "string", enum: [...chargeStatuses] })),
  createdFrom: Type.Optional(MomentQuery),
  createdTo: Type.Optional(MomentQuery),
});

export interface ChargeRoutesOptions {
  readonly payments: Payments;
  readonly lanes: ChargeLanes;
  readonly links: PaymentLinks;
  readonly isProduction: boolean;
}

export async function chargeRoutes(app: App, options: ChargeRoutesOptions): Promise<void> {
  const { payments, links, isProduction } = options;
  const show = (charge: Charge) => toChargeResource(links, charge);

  app.post(
    "/v1/charges",
    {
      attachValidation: true,
      schema: {
        operationId: "createCharge",
        summary: "Ask to be paid",
        description:
          "Answers with paymentUrl, where the payer pays. A charge that nobody pays is dropped after an hour.",
        tags,
        security,
        headers: IdempotencyHeaders,
        body: NewChargeSchema,
        response: responses(
          { 201: { description: "Created.", $ref: "Charge#" } },
          [400, 409, 413, 415, 422],
        ),
      },
    },
    async (request, reply) => {
      const { database } = payments;
      const { company } = request;
      const accept = (priced: Company) => {
        const charge = readCharge(priced, isProduction, request.body, bodyFindings(request));
        const key = readIdempotencyKey(request);
        return createCharge(options, priced, charge, key, request.span);
      };
      try {
        return sendAnswer(reply, await byCurrentPrice(database, company, accept));
      } catch (refusal) {
        const showAgain = (id: string) => showChargeAgain(options, company.id, id);
        return sendAnswer(reply, await answeredBefore(database, request, refusal, showAgain));
      }
    },
  );

  app.get(
    "/v1/charges/:id",
    {
      schema: {
        operationId: "getCharge",
        summary: "One charge",
        description: "With its payments, failed ones included, and its refunds.",
        tags,
        security,
        params: ById,
        response: responses({ 200: { description: "The charge.", $ref: "Charge#" } }, [404]),
      },
    },
    async (request) =>
      show(await getCharge(payments, request.company.id, parseUuid(request.params.id))),
  );

  app.get(
    "/v1/charges",
    {
      schema: {
        operationId: "listCharges",
        summary: "Charges, newest first",
        description:
          "Filters may be combined; unknown query parameters are refused. Follow cursor.next for older rows, cursor.prev for newer ones.",
        tags,
        security,
        querystring: ChargeQuery,
        response: responses({ 200: listOf(Type.Ref("Charge#")) }, [400]),
      },
    },
    async (request) => {
      const { id } = request.company;
      const page = parsePageRequest({ name: "charges", companyId: id }, request.query);
      const filter = readFilter(request.query);
      const found: Page<Charge> =
        filter === undefined
          ? { rows: [], limit: page.limit, prev: null, next: null }
          : await listCharges(payments, id, filter, page);
      return toListEnvelope(found, show);
    },
  );

  app.post(
    "/v1/charges/:id/refund",
    {
      attachValidation: true,
      schema: {
        operationId: "refundCharge",
        summary: "Give back what was paid, or a part of it",
        description:
          "No body, an empty object or a reason alone gives back all that is left; an amount gives back a part. An amount of null and fields that are not known are refused. Send an Idempotency-Key: a refund has no reference of its own.",
        tags,
        security,
        params: ById,
        headers: IdempotencyHeaders,
        body: Type.Optional(RefundSchema),
        response: responses(
          { 200: { description: "The charge with its refund.", $ref: "Charge#" } },
          [400, 404, 413, 415, 422],
        ),
      },
    },
    async (request, reply) => {
      // A good token and an unknown id is a 404, whatever the body looks like.
      const charge = await getCharge(payments, request.company.id, parseUuid(request.params.id));
      const target = { companyId: request.company.id, chargeId: charge.id };
      const { database } = payments;
      try {
        const found = request.body === undefined ? [] : bodyFindings(request);
        const refund = { ...target, ...readRefund(request.body, found), by: request.by };
        const key = readIdempotencyKey(request);
        return sendAnswer(reply, await refundCharge(payments, refund, key, show));
      } catch (refusal) {
        const showAgain = (id: string) => showRefundAgain(database, target, id, show);
        return sendAnswer(reply, await answeredBefore(database, request, refusal, showAgain));
      }
    },
  );

  if (!isProduction) addPayRoute(app, options);
}

/** Staging only: a payer that needs neither a page nor a code. */
function addPayRoute(app: App, { payments, links }: ChargeRoutesOptions): void {
  app.post(
    "/v1/charges/:id/pay",
    {
      attachValidation: true,
      schema: {
        operationId: "payCharge",
        summary: "Simulate a payment (staging only)",
        description:
          "The two test numbers pay and fail; other numbers pay from their wallets. A failed payment is a 200 too: the charge stays due and has one attempt more.",
        tags,
        security,
        params: ById,
        headers: IdempotencyHeaders,
        body: PaySchema,
        response: responses(
          { 200: { description: "The charge after the attempt.", $ref: "PaidCharge#" } },
          [400, 404, 413, 415, 422],
        ),
      },
    },
    async (request, reply) => {
      const charge = await getCharge(payments, request.company.id, parseUuid(request.params.id));
      if (request.validationError !== undefined) throw request.validationError;
      const key = readIdempotencyKey(request);
      const payment = {
        companyId: request.company.id,
        chargeId: charge.id,
        msisdn: request.body.recipientMsisdn,
      };
      const answer = await payChargeOnce(payments, payment, key, (paid) =>
        toPaidResource(links, paid),
      );
      return sendAnswer(reply, answer);
    },
  );
}

/** Undefined when a filter names what cannot exist: then nothing matches. */
function readFilter(query: Static<typeof ChargeQuery>): ChargeFilter | undefined {
  const subCompanyId =
    query.subCompanyId === undefined ? undefined : parsePublicId("subco", query.subCompanyId);
  if (query.subCompanyId !== undefined && subCompanyId === undefined) return undefined;
  // Text the database cannot hold is in no external id either.
  if (query.externalId?.includes("\u0000") === true) return undefined;
  return {
    ...(query.externalId === undefined ? {} : { externalId: query.externalId }),
    ...(query.status === undefined ? {} : { status: query.status }),
    ...(subCompanyId === undefined ? {} : { subCompanyId }),
    ...(query.createdFrom === undefined
      ? {}
      : { createdFrom: readMoment("createdFrom", query.createdFrom) }),
    ...(query.createdTo === undefined
      ? {}
      : { createdTo: readMoment("createdTo", query.createdTo) }),
  };
}
