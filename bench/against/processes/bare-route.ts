import { randomUUID } from "node:crypto";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import fastify from "fastify";
import { Type } from "typebox";

// What Fastify alone can do on this machine, in a process of its own: the same body is parsed and validated,
// and a transaction of the same shape is answered. No authentication, no log, no hook, no database, and
// nothing of the service, so that it stays what it is when the service changes. Argument: the port.

const storableText = "^[^\\u0000\\ud800-\\udfff]*$";
const nullable = (type: string, more: object = {}) =>
  Type.Unsafe<unknown>({ type: [type, "null"], ...more });

const NewTransaction = Type.Object({
  type: Type.Literal("transfer"),
  amount: Type.Integer(),
  msisdn: Type.String({ pattern: "^\\+?[0-9]{8,15}$" }),
  reference: Type.String({ minLength: 1, maxLength: 255, pattern: storableText }),
  metadata: Type.Optional(nullable("object")),
  description: Type.Optional(nullable("string", { maxLength: 1_000, pattern: storableText })),
  subCompanyId: Type.Optional(nullable("string", { maxLength: 100 })),
});

const app = fastify({
  ajv: {
    customOptions: {
      allErrors: true,
      coerceTypes: false,
      removeAdditional: false,
      useDefaults: false,
    },
  },
}).withTypeProvider<TypeBoxTypeProvider>();

app.post("/v1/transactions", { schema: { body: NewTransaction } }, async (request, reply) => {
  const { amount, msisdn, reference, metadata = null, description = null } = request.body;
  const createdAt = new Date().toISOString();
  reply.code(201);
  return {
    id: `txn_${randomUUID().replaceAll("-", "")}`,
    amount,
    fee: 0,
    totalAmount: amount,
    msisdn,
    status: "pending",
    reference,
    serviceTransactionReference: "1JB2-K4ZQ-7M3N-VX0A",
    type: "transfer",
    createdAt,
    updatedAt: createdAt,
    failureReason: null,
    metadata,
    description,
  };
});
app.get("/readyz", async () => ({ status: "ok" }));

await app.listen({ host: "127.0.0.1", port: Number(process.argv[2]) });
