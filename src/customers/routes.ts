import { Type } from "typebox";
import type { Database } from "../database/database.ts";
import { InvalidRequest } from "../http/errors.ts";
import { Msisdn, MsisdnQuery, nullable, responses, security } from "../http/schemas.ts";
import type { App } from "../http/server.ts";
import { toDigits } from "../kernel/msisdn.ts";
import { spendQuota } from "../quotas/spend-quota.ts";
import { checkCustomer, checkCustomers } from "./check-customer.ts";
import { kycStatuses, type WalletPolicy } from "./customer.ts";

/** Numbers in one request. */
const msisdnsMax = 1_000;

const checkFields = {
  kycStatus: Type.String({
    enum: [...kycStatuses, "unknown"],
    description: "complete means identified; unknown means that there is nobody.",
  }),
  firstName: Type.String(),
  lastName: Type.String(),
};

export interface CustomerRoutesOptions {
  readonly database: Database;
  readonly policy: WalletPolicy;
  readonly checksPerMinute: number;
  /** Refuses a subCompanyId that cannot be used; handed in, because companies are another folder. */
  readonly checkSubCompany: (companyId: string, subCompanyId: string) => Promise<void>;
}

export async function customerRoutes(app: App, options: CustomerRoutesOptions): Promise<void> {
  app.get(
    "/v1/transactions/customers/check",
    {
      schema: {
        operationId: "checkCustomer",
        summary: "Does this phone number belong to somebody?",
        description:
          "Tells who would receive the money and whether that person was identified. Nobody is no error: every field says unknown.",
        tags: ["Transfers"],
        security,
        querystring: Type.Object({
          msisdn: MsisdnQuery,
          subCompanyId: Type.Optional(Type.String({ maxLength: 100 })),
        }),
        response: responses(
          {
            200: Type.Object(checkFields, {
              description: "Who it is; every field says unknown when there is nobody.",
              examples: [{ kycStatus: "complete", firstName: "Awa", lastName: "Diop" }],
            }),
          },
          [400, 422],
        ),
      },
    },
    async (request) => {
      const { msisdn, subCompanyId } = request.query;
      if (subCompanyId !== undefined)
        await options.checkSubCompany(request.company.id, subCompanyId);
      // Each answer is somebody's name: nobody reads the whole book through here.
      const quota = { name: "customer_checks", max: options.checksPerMinute } as const;
      await spendQuota(options.database, request.company.id, quota);
      return checkCustomer(options.database, options.policy, toDigits(msisdn.trim()));
    },
  );

  app.post(
    "/v1/customers/check",
    {
      schema: {
        operationId: "checkCustomers",
        summary: "Do these phone numbers belong to somebody?",
        description:
          "Answers for up to 1 000 numbers, in their order, and counts as that many checks. Ask before you pay many people.",
        tags: ["Transfers"],
        security,
        body: Type.Object(
          {
            msisdns: Type.Array(Msisdn, { minItems: 1, maxItems: msisdnsMax }),
          },
          { examples: [{ msisdns: ["2250700000000", "+2250700000001"] }] },
        ),
        response: responses(
          {
            200: Type.Object(
              {
                count: Type.Integer({ description: "Rows in data." }),
                data: Type.Array(
                  Type.Object({
                    msisdn: Type.String({ description: "As the caller wrote it." }),
                    ...checkFields,
                    amountMax: nullable<number>("integer", {
                      description:
                        "The most that this account may ever hold, so that more can never be sent to it: 0 while it can receive nothing, null for any amount. What it holds now is not told.",
                    }),
                  }),
                ),
              },
              {
                description: "Who they are; every field says unknown where there is nobody.",
                examples: [
                  {
                    count: 2,
                    data: [
                      {
                        msisdn: "2250700000000",
                        kycStatus: "complete",
                        firstName: "Awa",
                        lastName: "Diop",
                        amountMax: 2_000_000,
                      },
                      {
                        msisdn: "+2250700000001",
                        kycStatus: "unknown",
                        firstName: "unknown",
                        lastName: "unknown",
                        amountMax: 0,
                      },
                    ],
                  },
                ],
              },
            ),
          },
          [400, 413, 415],
        ),
      },
    },
    async (request) => {
      const { msisdns } = request.body;
      const max = options.checksPerMinute;
      // More than the quota of a minute would be refused for ever, however long the caller waits.
      if (msisdns.length > max)
        throw InvalidRequest.field("msisdns", {
          en: `msisdns has more numbers than an account can check in a minute; give at most ${max} at once.`,
          fr: `msisdns contient plus de numéros qu’un compte ne peut en vérifier par minute. Donnez-en au plus ${max} à la fois.`,
        });
      const quota = { name: "customer_checks", max } as const;
      await spendQuota(options.database, request.company.id, quota, msisdns.length);
      const data = await checkCustomers(options.database, options.policy, msisdns);
      return { count: data.length, data };
    },
  );
}
