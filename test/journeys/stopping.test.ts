import { expect, test } from "vitest";
import { call, demoToken, makeDataDir, startProcess } from "../process.ts";
import { patience, startReceiver } from "../receiver.ts";

test("SIGTERM beside a receiver that hangs ends well, and what it cut short is sent again by the next start", async () => {
  const dataDir = await makeDataDir();
  const receiver = await startReceiver(() => {});
  const service = await startProcess(dataDir);
  const token = await demoToken(dataDir);
  const topic = "transactions/started";
  const webhook = await call(service.url, token, "/v1/webhooks", { topic, url: receiver.url });
  const transfer = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference: "r1" };
  await call(service.url, token, "/v1/transactions", transfer);
  await receiver.until(1);

  expect(await service.end("SIGTERM")).toBe(0);

  receiver.respond = (_received, response) => response.writeHead(200).end();
  const again = await startProcess(dataDir);
  const deliveries = `/v1/webhooks/${webhook.body.id}/deliveries`;
  await expect
    .poll(async () => (await call(again.url, token, deliveries)).body.data, patience)
    .toMatchObject([
      {
        status: "delivered",
        attempts: 2,
        log: [
          { attempt: 1, error: "stopped: The sender is stopping." },
          { attempt: 2, statusCode: 200 },
        ],
      },
    ]);
  const [first, second] = await receiver.until(2);
  expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  expect(await again.end("SIGTERM")).toBe(0);
});
