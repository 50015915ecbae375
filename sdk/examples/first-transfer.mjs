// A first transfer, and the webhook that tells how it ended, for a service on this machine:
// . .cauri/demo.env && node sdk/examples/first-transfer.mjs
import { once } from "node:events";
import { createServer } from "node:http";
import { Cauri, webhooks } from "@cauri/sdk";

const { CAURI_URL: url, CAURI_TOKEN: token, CAURI_SECRET_KEY: secret } = process.env;
if (secret === undefined) throw new Error("In the folder of the service, first: . .cauri/demo.env");
const cauri = new Cauri({ url, token });
const patienceMs = 30_000;

// A receiver. It believes nothing that webhooks.verify does not.
const events = new Map();
async function receive(request, response) {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const event = await webhooks.verify(Buffer.concat(chunks), request.headers, secret);
    events.set(event.data.id, event);
    response.writeHead(204).end();
  } catch (error) {
    console.error(error.message);
    response.writeHead(401).end();
  }
}
const receiver = createServer((request, response) => void receive(request, response));
receiver.listen(0, "127.0.0.1");
await once(receiver, "listening");

// Staging may call an address of this machine; production calls public ones only.
const webhook = await cauri.webhooks.create({
  topic: "transactions/completed",
  url: `http://127.0.0.1:${receiver.address().port}/hooks/cauri`,
});

const transfer = await cauri.transfers.create({
  amount: 5_000,
  msisdn: "2250700000000", // a test number: every transfer to it is completed
  reference: `first-${Date.now()}`, // yours; it pays once, for ever
});
console.log("sent", transfer.id, transfer.status);

const deadline = Date.now() + patienceMs;
while (!events.has(transfer.id) && Date.now() < deadline)
  await new Promise((resolve) => setTimeout(resolve, 50));
const event = events.get(transfer.id);
console.log(event === undefined ? "no webhook came" : `verified ${event.topic} ${event.data.id}`);
console.log("left", (await cauri.balance()).balance, "XOF");

await cauri.webhooks.delete(webhook.id);
receiver.close();
receiver.closeAllConnections();
process.exitCode = event === undefined ? 1 : 0;
