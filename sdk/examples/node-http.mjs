// Receives notifications with nothing but Node.js: CAURI_SECRET_KEY=sk_… PORT=3000 node node-http.mjs
import { createServer } from "node:http";
import { WebhookVerificationError, webhooks } from "@cauri/sdk";

const secret = process.env.CAURI_SECRET_KEY;
const bytesMax = 1_048_576;
/** What was handled before. In earnest: a table with a unique column, written with what the notification changes. */
const handled = new Set();

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    (error) => response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end(),
  );
});
server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () =>
  console.log("listening on", server.address().port),
);

/** The status to answer with. */
async function receive(request) {
  if (request.method !== "POST" || request.url !== "/hooks/cauri") return 404;
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > bytesMax) return 413;
    chunks.push(chunk);
  }
  const event = await webhooks.verify(Buffer.concat(chunks), request.headers, secret);
  if (!handled.has(event.id)) {
    handled.add(event.id);
    console.log(event.topic, event.data.id ?? "");
  }
  return 204;
}
