// Receives notifications with Fastify: CAURI_SECRET_KEY=sk_… PORT=3000 node fastify.mjs
import { WebhookVerificationError, webhooks } from "@cauri/sdk";
import Fastify from "fastify";

const secret = process.env.CAURI_SECRET_KEY;
/** What was handled before. In earnest: a table with a unique column, written with what the notification changes. */
const handled = new Set();

const app = Fastify({ bodyLimit: 1_048_576 });
// A scope of its own: here JSON stays the bytes it came as, elsewhere it is parsed as usual.
app.register(async (scope) => {
  scope.removeContentTypeParser("application/json");
  scope.addContentTypeParser("application/json", { parseAs: "buffer" }, async (_, body) => body);
  scope.post("/hooks/cauri", async (request, reply) => {
    try {
      const event = await webhooks.verify(request.body, request.headers, secret);
      if (!handled.has(event.id)) {
        handled.add(event.id);
        console.log(event.topic, event.data.id ?? "");
      }
      return reply.code(204).send();
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      return reply.code(401).send();
    }
  });
});

await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT ?? 3000) });
console.log("listening on", app.server.address().port);
