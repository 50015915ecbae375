// Receives notifications with Express: CAURI_SECRET_KEY=sk_… PORT=3000 node express.mjs
import { WebhookVerificationError, webhooks } from "@cauri/sdk";
import express from "express";

const secret = process.env.CAURI_SECRET_KEY;
/** What was handled before. In earnest: a table with a unique column, written with what the notification changes. */
const handled = new Set();

const app = express();
// Only this route gets the bytes as they came. If the app has express.json() for others, it comes after this.
const raw = express.raw({ type: "application/json", limit: "1mb" });
app.post("/hooks/cauri", raw, async (request, response) => {
  try {
    const event = await webhooks.verify(request.body, request.headers, secret);
    if (!handled.has(event.id)) {
      handled.add(event.id);
      console.log(event.topic, event.data.id ?? "");
    }
    response.sendStatus(204);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.sendStatus(401);
  }
});

const server = app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () =>
  console.log("listening on", server.address().port),
);
