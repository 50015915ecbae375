import { Type } from "typebox";
import type { Database } from "../database/database.ts";
import { responses, security, storableText } from "../http/schemas.ts";
import type { App } from "../http/server.ts";
import { findByReferences } from "./find-transfers.ts";
import { toTransferResource } from "./transfer-resource.ts";

/** References in one request. */
const referencesMax = 1_000;

/** For whoever has sent many and wants to know what became of each, or is about to and asks what was sent before. */
export async function lookupRoute(
  app: App,
  { database }: { readonly database: Database },
): Promise<void> {
  app.post(
    "/v1/transactions/lookup",
    {
      schema: {
        operationId: "lookUpTransactions",
        summary: "The transactions that have these references",
        description:
          "Answers for up to 1 000 references; those that no transaction has are left out. The order is that of creation.",
        tags: ["Transfers"],
        security,
        body: Type.Object(
          {
            references: Type.Array(
              Type.String({ minLength: 1, maxLength: 255, pattern: storableText }),
              { minItems: 1, maxItems: referencesMax },
            ),
          },
          { examples: [{ references: ["salary-2026-01-awa", "salary-2026-01-moussa"] }] },
        ),
        response: responses(
          {
            200: Type.Object(
              {
                count: Type.Integer({ description: "Rows in data." }),
                data: Type.Array(Type.Ref("Transaction#")),
              },
              { description: "The transactions that there are." },
            ),
          },
          [400, 413, 415],
        ),
      },
    },
    async (request) => {
      const { references } = request.body;
      const found = await findByReferences(database, request.company.id, references);
      return { count: found.length, data: found.map(toTransferResource) };
    },
  );
}
