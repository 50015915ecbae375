import { expect } from "vitest";
import { Desk } from "../command.ts";
import { test } from "../fixtures.ts";
import { patience, send, startReceiver, subscribe } from "../receiver.ts";

const topic = "transactions/completed";

test("webhooks are created, listed with what their test was answered, and deleted after a yes", async ({
  service,
  company,
}) => {
  const desk = await Desk.make({ CAURI_TOKEN: company.accessToken, CAURI_URL: service.url });
  const none = await desk.run(["webhooks", "list"]);
  expect(none.stdout).toContain(
    "There is no webhook. To register one: cauri webhooks create TOPIC URL ",
  );

  const good = await startReceiver();
  const refusing = await startReceiver();
  refusing.respondToTest = (_received, response) => response.writeHead(400).end();
  const made = await desk.json(["webhooks", "create", topic, good.url]);
  expect(made).toMatchObject({ code: 0, value: { topic, url: good.url, disabledAt: null } });
  const shown = await desk.run(["webhooks", "create", "transaction/failed", refusing.url]);
  expect(shown.stdout).toMatch(/topic +transactions\/failed/);
  expect(shown.stdout).toContain("cauri webhooks deliveries ");
  await expect
    .poll(async () => (await desk.run(["webhooks", "list"])).stdout, patience)
    .toMatch(/in service, its test event failed: answered 400\n.*in service\n/);
  const { value: first } = await desk.json(["webhooks", "list", "--limit", "1"]);
  expect(first).toMatchObject({ count: 1, data: [{ url: refusing.url }] });
  const { value: rest } = await desk.json(["webhooks", "list", "--cursor", first.next]);
  expect(rest).toMatchObject({ count: 1, next: null, data: [{ url: good.url }] });

  const remove = ["webhooks", "delete", made.value.id];
  const unasked = await desk.run(remove);
  expect([unasked.code, unasked.stderr]).toEqual([1, expect.stringContaining("nobody to ask")]);
  const asked = desk.type(remove);
  await asked.answer("Delete it? What it still had to deliver is cancelled.", "n\r");
  expect(await asked.end()).toBe(1);
  expect((await desk.json(["webhooks", "list"])).value.count).toBe(2);
  expect(await desk.json([...remove, "--yes"])).toMatchObject({
    code: 0,
    value: { deleted: { id: made.value.id } },
  });
  expect((await desk.json(["webhooks", "list"])).value.count).toBe(1);
  const gone = await desk.json([...remove, "--yes"]);
  expect(gone).toMatchObject({ code: 1, value: { error: { status: 404 } } });
});

test("what cannot be registered is refused with the reason", async ({ service, company }) => {
  const desk = await Desk.make({ CAURI_TOKEN: company.accessToken, CAURI_URL: service.url });
  const address = await desk.json(["webhooks", "create", topic, "not-an-address"]);
  expect(address).toMatchObject({
    code: 1,
    value: { error: { code: "invalid_request", details: [{ field: "url" }] } },
  });
  const wrong = await desk.run(["webhooks", "create", "transactions/lost", "https://shop.example"]);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("Give one of ")]);
  expect((await desk.run(["webhooks", "create", topic])).stderr).toContain("address");
  expect((await desk.run(["webhooks", "delete", "42"])).stderr).toContain("Give a webhook id");
});

test("deliveries say why something waits and until when; one or all are sent again", async ({
  service,
  company,
}) => {
  let status = 503;
  const receiver = await startReceiver((_received, response) => response.writeHead(status).end());
  const { completed: id = "" } = await subscribe(service, company, receiver.url, [topic]);
  await send(service, company, "r1");
  const desk = await Desk.make({ CAURI_TOKEN: company.accessToken, CAURI_URL: service.url });
  const deliveries = async () => (await desk.json(["webhooks", "deliveries", id])).value.data;
  await expect.poll(async () => (await deliveries())[0]?.attempts, patience).toBe(1);
  await expect.poll(async () => (await deliveries())[0]?.waitingFor, patience).not.toBeNull();
  const [waiting] = await deliveries();
  expect(waiting.status).toBe("pending");
  expect(new Set(waiting.log.map((one: { statusCode: number }) => one.statusCode))).toEqual(
    new Set([503]),
  );
  expect(Date.parse(waiting.nextAttemptAt)).toBeGreaterThan(Date.now() - 60_000);
  const shown = await desk.run(["webhooks", "deliveries", id]);
  expect(shown.stdout).toMatch(/503 +(?:retry|new_address) until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
  expect(shown.stdout).toMatch(/(?:retry|new_address): it waits for /);
  expect(shown.stdout).toContain(`cauri webhooks redeliver ${id} --all`);
  const doctor = await desk.run(["doctor"]);
  expect(doctor.stdout).toContain(`cauri webhooks redeliver ${id} ${waiting.id}`);

  status = 200;
  const again = await desk.json(["webhooks", "redeliver", id, waiting.id]);
  expect(again).toMatchObject({ code: 0, value: { id: waiting.id, webhookId: id } });
  await expect.poll(async () => (await deliveries())[0].status, patience).toBe("delivered");

  status = 503;
  for (const reference of ["r2", "r3"]) await send(service, company, reference);
  const stuck = async () =>
    (await deliveries()).filter(
      (one: { attempts: number; waitingFor: string | null }) =>
        one.attempts > 0 && one.waitingFor !== null,
    ).length;
  await expect.poll(stuck, patience).toBe(2);
  const all = ["webhooks", "redeliver", id, "--all"];
  const unasked = await desk.run(all);
  expect([unasked.code, unasked.stderr]).toEqual([1, expect.stringContaining("nobody to ask")]);
  const asked = desk.type(all);
  // One that is being tried at this moment does not wait. Until now the receiver has taken none.
  await expect.poll(() => asked.shown, patience).toMatch(/Send [12] notifications? again\?/);
  status = 200;
  await asked.answer("again?", "y\r");
  expect(await asked.end()).toBe(0);
  await expect
    .poll(async () => (await deliveries()).map((one: { status: string }) => one.status), patience)
    .toEqual(["delivered", "delivered", "delivered"]);
  expect(await desk.json([...all, "--yes", "--since", "1h"])).toMatchObject({
    code: 0,
    value: { redelivered: 0 },
  });
});

test("redeliver wants one delivery or all, and one that there is", async ({ service, company }) => {
  const receiver = await startReceiver();
  const { completed: id = "" } = await subscribe(service, company, receiver.url, [topic]);
  const desk = await Desk.make({ CAURI_TOKEN: company.accessToken, CAURI_URL: service.url });
  for (const args of [[], ["7", "--all"]]) {
    const refused = await desk.run(["webhooks", "redeliver", id, ...args]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("or --all")]);
  }
  const none = await desk.json(["webhooks", "redeliver", id, "77"]);
  expect(none).toMatchObject({ code: 1, value: { error: { status: 404 } } });
  expect((await desk.run(["webhooks", "redeliver", id, "x"])).stderr).toContain("whole number");
  const other = "01a1dda4-2130-7000-8000-3899af8c508b";
  const unknown = await desk.json(["webhooks", "deliveries", other]);
  expect(unknown).toMatchObject({ code: 1, value: { error: { status: 404 } } });
});
