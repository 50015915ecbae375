import { Type } from "typebox";
import type { Database } from "../database/database.ts";
import { MsisdnQuery, responses, security } from "../http/schemas.ts";
import type { App } from "../http/server.ts";
import { toDigits } from "../kernel/msisdn.ts";
import { spendQuota } from "../quotas/spend-quota.ts";
import { checkCustomer } from "./check-customer.ts";
import { kycStatuses, type WalletPolicy } from "./customer.ts";

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
            200: Type.Object(
              {
                kycStatus: Type.String({
                  enum: [...kycStatuses, "unknown"],
                  description: "complete means identified; unknown means that there is nobody.",
                }),
                firstName: Type.String(),
                lastName: Type.String(),
              },
              {
                description: "Who it is; every field says unknown when there is nobody.",
                examples: [{ kycStatus: "complete", firstName: "Awa", lastName: "Diop" }],
              },
            ),
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
}
