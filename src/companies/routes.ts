import { Type } from "typebox";
import type { Database } from "../database/database.ts";
import { InvalidRequest } from "../http/errors.ts";
import { toListEnvelope } from "../http/list-envelope.ts";
import {
  IdempotencyHeaders,
  idSchema,
  ListQuery,
  listOf,
  responses,
  security,
  storableText,
  Timestamp,
} from "../http/schemas.ts";
import type { App } from "../http/server.ts";
import { answerOnce } from "../idempotency/answer-once.ts";
import { readIdempotencyKey, sendAnswer } from "../idempotency/idempotency-key.ts";
import type { Clock } from "../kernel/clock.ts";
import { parsePublicId, toPublicId } from "../kernel/ids.ts";
import { parsePageRequest } from "../kernel/page.ts";
import { balancesOf } from "../ledger/post.ts";
import {
  changeSubCompany,
  createSubCompany,
  getSubCompany,
  listSubCompanies,
  type SubCompanyQuotas,
} from "./sub-companies.ts";
import { type SubCompany, subCompanyIdPrefix } from "./sub-company.ts";

const example = {
  id: "subco_019b2d5f3a7c7c0f8000a1b2c3d4e5f6",
  createdAt: "2026-01-31T09:15:00.000Z",
  updatedAt: "2026-01-31T09:15:00.000Z",
  name: "Boutique Awa",
  logoUrl: "https://awa.example.com/logo.png",
  isActive: true,
};

export const SubCompanySchema = Type.Object(
  {
    id: idSchema(subCompanyIdPrefix, "sub-company"),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    name: Type.String(),
    logoUrl: Type.String(),
    isActive: Type.Boolean({
      description: "Only active sub-companies can be used in transactions.",
    }),
  },
  { $id: "SubCompany", title: "Sub-company", examples: [example] },
);

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: storableText,
  description: "1 to 100 characters.",
});
const LogoUrl = Type.String({
  minLength: 1,
  maxLength: 2_048,
  pattern: storableText,
  description: "An http or https URL.",
});

export interface CompanyRoutesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly isProduction: boolean;
  readonly quotas: SubCompanyQuotas;
  /** Wakes whoever fetches logos. */
  readonly hint: (companyId: string) => void;
}

export async function companyRoutes(
  app: App,
  { database, clock, isProduction, quotas, hint }: CompanyRoutesOptions,
): Promise<void> {
  const ById = Type.Object({ id: idSchema(subCompanyIdPrefix, "sub-company") });
  const one = { description: "The sub-company.", $ref: "SubCompany#" };

  app.get(
    "/v1/balance",
    {
      schema: {
        operationId: "getBalance",
        summary: "Account balance",
        description: "What can be spent now: without what is reserved for pending transactions.",
        tags: ["Account"],
        security,
        response: responses(
          {
            200: Type.Object(
              { balance: Type.Integer(), currency: Type.String({ examples: ["XOF"] }) },
              {
                description: "What can be spent now.",
                examples: [{ balance: 1_250_000, currency: "XOF" }],
              },
            ),
          },
          [],
        ),
      },
    },
    async (request) => ({
      balance: (await balancesOf(database, request.company.id)).available,
      currency: "XOF",
    }),
  );

  app.post(
    "/v1/sub-companies",
    {
      schema: {
        operationId: "createSubCompany",
        summary: "Create a sub-company",
        description: "Its name and logo are shown to recipients and payers. It is active at once.",
        tags: ["Sub-companies"],
        security,
        headers: IdempotencyHeaders,
        body: Type.Object(
          { name: Name, logoUrl: LogoUrl },
          { examples: [{ name: example.name, logoUrl: example.logoUrl }] },
        ),
        response: responses(
          { 201: { description: "Created.", $ref: "SubCompany#" } },
          [400, 413, 415, 422],
        ),
      },
    },
    async (request, reply) => {
      const { name, logoUrl } = request.body;
      checkLogoUrl(logoUrl, isProduction);
      const key = readIdempotencyKey(request);
      const { id } = request.company;
      const answer = await answerOnce(database, id, key, {
        statusCode: 201,
        make: async (tx) => {
          const made = await createSubCompany(tx, id, { name, logoUrl }, quotas, request.by);
          return { id: made.id, shown: toResource(made), made };
        },
      });
      hint(id);
      return sendAnswer(reply, answer);
    },
  );

  app.get(
    "/v1/sub-companies/:id",
    {
      schema: {
        operationId: "getSubCompany",
        summary: "One sub-company",
        description: "Its name, its logo, and whether it can be used.",
        tags: ["Sub-companies"],
        security,
        params: ById,
        response: responses({ 200: one }, [404]),
      },
    },
    async (request) =>
      toResource(
        await getSubCompany(
          database,
          request.company.id,
          parsePublicId(subCompanyIdPrefix, request.params.id),
        ),
      ),
  );

  app.get(
    "/v1/sub-companies",
    {
      schema: {
        operationId: "listSubCompanies",
        summary: "Sub-companies, newest first",
        description:
          "Inactive ones included. Follow cursor.next for older rows, cursor.prev for newer ones.",
        tags: ["Sub-companies"],
        security,
        querystring: Type.Object(ListQuery),
        response: responses({ 200: listOf(Type.Ref("SubCompany#")) }, [400]),
      },
    },
    async (request) => {
      const page = parsePageRequest(
        { name: "sub-companies", companyId: request.company.id },
        request.query,
      );
      return toListEnvelope(await listSubCompanies(database, request.company.id, page), toResource);
    },
  );

  app.put(
    "/v1/sub-companies/:id",
    {
      schema: {
        operationId: "updateSubCompany",
        summary: "Change a sub-company",
        description:
          "Fields left out stay unchanged. A sub-company is never deleted, only made inactive.",
        tags: ["Sub-companies"],
        security,
        params: ById,
        body: Type.Optional(
          Type.Object(
            {
              name: Type.Optional(Name),
              logoUrl: Type.Optional(LogoUrl),
              isActive: Type.Optional(Type.Boolean()),
            },
            { examples: [{ isActive: false }] },
          ),
        ),
        response: responses({ 200: one }, [400, 404, 413, 415]),
      },
      attachValidation: true,
    },
    async (request) => {
      const id = parsePublicId(subCompanyIdPrefix, request.params.id);
      // A good token and an unknown id is a 404, whatever the body looks like.
      await getSubCompany(database, request.company.id, id);
      if (request.validationError !== undefined && request.body !== undefined)
        throw request.validationError;
      const { name, logoUrl, isActive } = request.body ?? {};
      if (logoUrl !== undefined) checkLogoUrl(logoUrl, isProduction);
      const change = {
        ...(name === undefined ? {} : { name }),
        ...(logoUrl === undefined ? {} : { logoUrl }),
        ...(isActive === undefined ? {} : { isActive }),
      };
      const { company, by } = request;
      const changed = await changeSubCompany(database, clock(), company.id, id, change, quotas, by);
      if (logoUrl !== undefined) hint(request.company.id);
      return toResource(changed);
    },
  );
}

function checkLogoUrl(logoUrl: string, isProduction: boolean): void {
  const schemes = isProduction ? ["https:"] : ["http:", "https:"];
  if (!URL.canParse(logoUrl) || !schemes.includes(new URL(logoUrl).protocol)) {
    throw InvalidRequest.field(
      "logoUrl",
      isProduction
        ? {
            en: "logoUrl is not an https URL; it must begin with https://.",
            fr: "logoUrl n’est pas une URL https. Elle doit commencer par https://.",
          }
        : {
            en: "logoUrl is not an http or https URL; it must begin with https:// or http://.",
            fr: "logoUrl n’est pas une URL http ou https. Elle doit commencer par https:// ou http://.",
          },
    );
  }
}

function toResource(subCompany: SubCompany) {
  return {
    id: toPublicId(subCompanyIdPrefix, subCompany.id),
    createdAt: subCompany.createdAt.toISOString(),
    updatedAt: subCompany.updatedAt.toISOString(),
    name: subCompany.name,
    logoUrl: subCompany.logoUrl,
    isActive: subCompany.isActive,
  };
}
