import { expect } from "vitest";
import { topics } from "../../src/webhooks/event.ts";
import { Desk } from "../command.ts";
import { productionSettings, startService, test } from "../fixtures.ts";
import { startUnreliableWay } from "../unreliable-way.ts";

test("every topic that can be triggered is: a real thing, whose event is told", async ({
  service,
  company,
}) => {
  const { accessToken: token } = company;
  const desk = await Desk.make({ CAURI_TOKEN: token, CAURI_URL: service.url });
  for (const topic of topics.filter((one) => one !== "statements/sealed")) {
    const { code, value } = await desk.json(["trigger", topic]);
    expect([code, value.topic], topic).toEqual([0, topic]);
    const { id } = value.payload.data;
    const path = topic.startsWith("charge/")
      ? `/v1/charges/${id}`
      : `/v1/${topic.startsWith("batches/") ? "batches" : "transactions"}/${id}`;
    expect((await service.call("GET", path, { token })).status, topic).toBe(200);
    const { body } = await service.call("GET", `/v1/events?after=${value.sequence - 1}&limit=1`, {
      token,
    });
    expect(body.data, topic).toEqual([value]);
  }
  for (const status of ["refunded", "refunded_partially", "dropped"]) {
    const { value } = await desk.json(["trigger", "charges/events", "--status", status]);
    expect(value.payload.data.status).toBe(status);
  }
  const dropped = await service.call("GET", "/v1/charges?status=dropped", { token });
  expect(dropped.body.data).toMatchObject([{ droppedReason: "CANCELED", attempts: 0, paid: 0 }]);
  const sealed = await desk.json(["trigger", "statements/sealed"]);
  expect(sealed).toMatchObject({ code: 1, value: { error: { code: "cannot_be_triggered" } } });
  expect((await desk.run(["trigger", "nonsense"])).stderr).toContain("transactions/started, ");
  const text = await desk.run(["trigger", "transactions/completed", "--amount", "7000"]);
  expect(text.stdout).toContain('"amount": 7000');
});

test("a payment page that cannot be reached is told, with where the charge can be cancelled", async ({
  service,
  company,
}) => {
  const way = await startUnreliableWay(service.url);
  const desk = await Desk.make({ CAURI_TOKEN: company.accessToken, CAURI_URL: way.url });
  way.decide = (_method, path) =>
    path.startsWith("/pay/") ? "pass on, and answer with a page" : "pass";
  const lost = await desk.json(["trigger", "charge/events", "--status", "dropped"]);
  expect(lost).toMatchObject({ code: 1, value: { error: { code: "page_not_reached" } } });
  expect(lost.value.error.paymentUrl).toContain("/pay/");
});

test("nothing is triggered in production, nor where nobody says that it is staging", async ({
  db,
  company,
}) => {
  const service = await startService(db, productionSettings(db));
  try {
    const { accessToken: token } = company;
    const desk = await Desk.make({ CAURI_TOKEN: token, CAURI_URL: service.url });
    for (const topic of ["transactions/completed", "charge/events"]) {
      const refused = await desk.json(["trigger", topic]);
      expect(refused).toMatchObject({ code: 1, value: { error: { code: "not_staging" } } });
      expect(refused.value.error.message).toMatch(/^This is production: .*Nothing was done\.$/);
    }

    // A service of before tells nothing of itself; what is not known to be staging is not.
    const way = await startUnreliableWay(service.url);
    way.rewrite = (body) => body.replace('"service":', '"unknown":');
    const silent = await desk.with({ CAURI_URL: way.url }).json(["trigger", "charge/events"]);
    expect(silent.value.error.message).toContain("does not say that it is staging");
    for (const list of ["transactions", "charges"])
      expect((await service.call("GET", `/v1/${list}`, { token })).body.count).toBe(0);
    const doctor = await desk.run(["doctor"]);
    expect(doctor.stdout).toContain("production: money is real");
  } finally {
    await service.stop();
  }
});
