import { Type } from "typebox";
import { idSchema, nullable, responses, security } from "../http/schemas.ts";
import type { App } from "../http/server.ts";
import type { FeeRule } from "../kernel/amount.ts";
import type { Country } from "../kernel/countries.ts";
import { toPublicId } from "../kernel/ids.ts";
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
};

/** What a program that sends money has to know beforehand: the bounds, the fees, and whose numbers may be short. */
export async function companyRoute(
  app: App,
  { country: byDefault }: { readonly country: Country },
): Promise<void> {
  app.get(
    "/v1/company",
    {
      schema: {
        operationId: "getCompany",
        summary: "The account's own terms",
        description: "Its name and country, what one transaction may be, and what it costs.",
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
      };
    },
  );
}

function toFee({ ratePpm, flat, min, max }: FeeRule) {
  return { rate: ratePpm / 1_000_000, flat, min, max };
}
