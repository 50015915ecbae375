import { webhooks } from "@cauri/sdk";
import { expect } from "vitest";
import { Desk } from "../command.ts";
import { startService, test } from "../fixtures.ts";
import { patience, send, startReceiver } from "../receiver.ts";

const secretKey = `sk_${"k".repeat(43)}`;

test("whoever listens at a terminal sends an event again, looks at it and ends, by keys", async ({
  db,
  company,
}) => {
  // The names of headers are those of the service, without being told.
  const service = await startService(db, { BRAND: "acme" });
  try {
    const receiver = await startReceiver();
    const desk = await Desk.make();
    const keys = `${company.accessToken}\n${secretKey}`;
    await desk.run(["login", "--url", service.url, "--token-stdin"], keys);
    const listening = desk.type(["webhooks", "listen", "--forward-to", receiver.url]);
    await expect.poll(() => listening.shown, patience).toContain("Keys: r sends");
    // What happens before the listener has asked where "now" is would not be told.
    await expect
      .poll(async () => String((await service.call("GET", "/metrics")).body), patience)
      .toContain("cauri_events_waiting 1");
    await send(service, company, "r1");
    const [, completed] = await receiver.until(2);
    expect(completed?.headers["x-acme-webhook-topic"]).toBe("transactions/completed");
    const event = await webhooks.verify(completed?.raw ?? "", completed?.headers ?? {}, secretKey);
    expect(event.topic).toBe("transactions/completed");

    await listening.answer("transactions/completed", "r");
    const [, , again] = await receiver.until(3);
    expect(again?.raw).toBe(completed?.raw);
    expect(again?.headers["webhook-id"]).toBe(completed?.headers["webhook-id"]);
    await listening.answer("→ 200", "s");
    await listening.answer('"reference": "r1"', "q");
    expect(await listening.end()).toBe(0);
    expect(listening.shown).toContain("2 events. To go on from here: --after 2");
  } finally {
    await service.stop();
  }
});
