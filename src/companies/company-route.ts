import { Type } from "typebox";
import { idSchema, nullable, responses, security } from "../http/schemas.ts";
import type { App } from "../http/server.ts";
import type { FeeRule } from "../kernel/amount.ts";
import type { Country } from "../kernel/countries.ts";
import { toPublicId } from "../kernel/ids.ts";
import { version } from "../kernel/version.ts";
import { companyIdPrefix } from "./company.ts";
import { placeOfCompany } from "./find-company.ts";

const example = {
  id: "com_019b2d5f3a7c7c0f8000a1b2c3d4e5f6",
  name: "Boutique Awa",
  currency: "XOF",
  country: "SN",
  timeZone: "Africa/Dakar",
  transferAmount: { min: 5_000, max: 500_000 },
  transferFee: { rate: 0.01, flat: 0, min: 0, max: 2_000 },
  service: {
    version: "1.4.2",
    environment: "staging" as const,
    brand: "service",
    testNumbers: { success: "2250700000000", failure: "2250700000001" },
  },
};

export interface CompanyRouteOptions {
  readonly country: Country;
  readonly environment: "staging" | "production";
  readonly brand: string;
  readonly testMsisdns: { readonly success: string; readonly failure: string } | undefined;
}

const TestNumbers = Type.Object({ success: Type.String(), failure: Type.String() });

/**
 * What a program that sends money has to know beforehand: the bounds, the fees, whose numbers may be short, and whether the
 * money is real.
 */
export async function companyRoute(
  app: App,
  { country: byDefault, environment, brand, testMsisdns }: CompanyRouteOptions,
): Promise<void> {
  const service = { version, environment, brand, testNumbers: testMsisdns ?? null };
  app.get(
    "/v1/company",
    {
      schema: {
        operationId: "getCompany",
        summary: "The account's own terms",
        description:
          "Its name and country, what one transaction may be, what it costs, and what answers: staging or production.",
        tags: ["Account"],
        security,
        response: responses(
          {
            200: Type.Object(
              {
                id: idSchema(companyIdPrefix, "company"),
                name: Type.String(),
                currency: Type.String({ examples: ["XOF"] }),
                country: Type.String({
                  description: "ISO 3166. Phone numbers of it may be written without country code.",
                }),
                timeZone: Type.String(),
                transferAmount: Type.Object({ min: Type.Integer(), max: Type.Integer() }),
                transferFee: Type.Object(
                  {
                    rate: Type.Number({ description: "A share of the amount, such as 0.01." }),
                    flat: Type.Integer({ description: "Added to each." }),
                    min: Type.Integer({ description: "The least that a fee is." }),
                    max: nullable<number>("integer", { description: "The most that a fee is." }),
                  },
                  { description: "Whole francs, half up." },
                ),
                service: Type.Object(
                  {
                    version: Type.String(),
                    environment: Type.Unsafe<"staging" | "production">({
                      type: "string",
                      enum: ["staging", "production"],
                    }),
                    brand: Type.String({
                      description: "The word in the names of the headers of notifications.",
                    }),
                    testNumbers: Type.Union([TestNumbers, Type.Null()], {
                      description:
                        "Whose transfers and payments are completed, and whose fail; null in production.",
                    }),
                  },
                  { description: "What answers: in staging no money is real." },
                ),
              },
              { description: "The account's own terms.", examples: [example] },
            ),
          },
          [],
        ),
      },
    },
    async ({ company }) => {
      const { country, timeZone } = placeOfCompany(company, byDefault);
      return {
        id: toPublicId(companyIdPrefix, company.id),
        name: company.name,
        currency: "XOF",
        country: country.code,
        timeZone,
        transferAmount: company.transferAmount,
        transferFee: toFee(company.transferFee),
        service,
      };
    },
  );
}

function toFee({ ratePpm, flat, min, max }: FeeRule) {
  return { rate: ratePpm / 1_000_000, flat, min, max };
}
