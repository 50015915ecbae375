import { expect } from "vitest";
import { toPublicId } from "../src/kernel/ids.ts";
import { toTraceparent } from "../src/tracing/trace-parent.ts";
import {
  type CollectedSpan,
  Collector,
  newContext,
  startTraced,
  type TraceContext,
  transferOf,
} from "./collector.ts";
import { makeCustomer, test, untilSettled } from "./fixtures.ts";
import { patience, startReceiver, subscribe } from "./receiver.ts";

function only(spans: readonly CollectedSpan[], name: string): CollectedSpan {
  const found = spans.filter((span) => span.name === name);
  expect(found.length, `${name} among ${spans.map((span) => span.name).join(", ")}`).toBe(1);
  return found[0] as CollectedSpan;
}

test("one trace leads from the request through its set and its settlement to the delivery, on three nodes", async ({
  db,
  company,
}) => {
  const collector = await Collector.start();
  const receiver = await startReceiver();
  const nodes = [
    await startTraced(db, collector, { ROLES: "api", OTEL_SERVICE_NAME: "cauri-api" }),
    await startTraced(db, collector, { ROLES: "worker", OTEL_SERVICE_NAME: "cauri-worker" }),
    await startTraced(db, collector, { ROLES: "webhooks", OTEL_SERVICE_NAME: "cauri-webhooks" }),
  ] as const;
  const [api] = nodes;
  await subscribe(api, company, `${receiver.url}/hooks`);
  // A trace travels by a signal, which may come later than the work that it is about. Another transfer is then sent,
  // until one was followed to its end.
  const sent: TraceContext[] = [];
  const isFollowed = ({ traceId }: TraceContext) => collector.ofTrace(traceId).length === 5;
  await expect
    .poll(
      async () => {
        if (sent.some(isFollowed)) return true;
        const context = newContext();
        const answer = await api.call("POST", "/v1/transactions", {
          token: company.accessToken,
          headers: { traceparent: toTraceparent(context) },
          body: transferOf(`traced ${sent.length}`),
        });
        expect(answer.status).toBe(201);
        sent.push(context);
        return false;
      },
      { ...patience, interval: 3_000 },
    )
    .toBe(true);
  const caller = sent.find(isFollowed) as TraceContext;

  const spans = collector.ofTrace(caller.traceId);
  const request = only(spans, "POST /v1/transactions");
  const set = only(spans, "submit transfers");
  const settlement = only(spans, "settle transfers");
  const started = only(spans, "deliver transactions/started");
  const completed = only(spans, "deliver transactions/completed");
  expect(request.parentSpanId).toBe(caller.spanId);
  expect(set.parentSpanId).toBe(request.spanId);
  for (const span of [settlement, started, completed]) expect(span.parentSpanId).toBe(set.spanId);
  expect([request, set, settlement, started, completed].map(({ service }) => service)).toEqual([
    "cauri-api",
    "cauri-api",
    "cauri-worker",
    "cauri-webhooks",
    "cauri-webhooks",
  ]);
  expect(request.attributes).toEqual({
    "http.request.method": "POST",
    "http.route": "/v1/transactions",
    "http.response.status_code": "201",
    "cauri.company.id": toPublicId("com", company.id),
  });
  expect(settlement.attributes).toMatchObject({ "cauri.transfers.completed": "1" });
  expect(completed.attributes).toMatchObject({
    "cauri.delivery.outcome": "delivered",
    "cauri.delivery.attempt": "1",
    "http.response.status_code": "200",
  });
  for (const span of spans)
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));

  const passedOn = receiver.received
    .filter(({ headers }) => headers["traceparent"]?.includes(caller.traceId))
    .map(({ headers, body }) => [body.topic, headers["traceparent"]]);
  expect(Object.fromEntries(passedOn)).toEqual({
    "transactions/started": toTraceparent(started),
    "transactions/completed": toTraceparent(completed),
  });
  for (const node of nodes) await node.stop();
});

test("a batch is one request: each set that settles it is one span, and every delivery belongs to its trace", async ({
  db,
  company,
}) => {
  const collector = await Collector.start();
  const receiver = await startReceiver();
  const node = await startTraced(db, collector);
  await subscribe(node, company, receiver.url, ["transactions/completed", "batches/completed"]);
  const caller = newContext();
  const transactions = Array.from({ length: 30 }, (_, place) => ({
    msisdn: "2250700000000",
    amount: 5_000,
    reference: `row ${place}`,
  }));
  const answer = await node.call("POST", "/v1/transactions/batch", {
    token: company.accessToken,
    headers: { traceparent: toTraceparent(caller) },
    body: { transactions },
  });
  expect(answer.status).toBe(201);
  await receiver.until(31);
  await expect
    .poll(() => collector.ofTrace(caller.traceId).map(({ name }) => name), patience)
    .toContain("settle transfers");
  await node.stop();

  const spans = collector.ofTrace(caller.traceId);
  expect(only(spans, "submit transfers").attributes).toMatchObject({ "cauri.set.size": "30" });
  const settled = spans.filter(({ name }) => name === "settle transfers");
  const count = settled.reduce(
    (sum, { attributes }) => sum + Number(attributes["cauri.transfers.completed"]),
    0,
  );
  expect(count).toBe(30);
  expect(spans.filter(({ name }) => name === "deliver transactions/completed")).toHaveLength(30);
  only(spans, "deliver batches/completed");
  for (const { headers } of receiver.received)
    expect(headers["traceparent"]).toContain(caller.traceId);
});

test("requests that went together in one set keep their own traces, and these are linked", async ({
  db,
  company,
}) => {
  const collector = await Collector.start();
  const node = await startTraced(db, collector);
  const callers = Array.from({ length: 40 }, newContext);
  const answers = await Promise.all(
    callers.map((caller, place) =>
      node.call("POST", "/v1/transactions", {
        token: company.accessToken,
        headers: { traceparent: toTraceparent(caller) },
        body: transferOf(`together ${place}`),
      }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  await untilSettled(db.database);
  await expect
    .poll(() => collector.spans.filter(({ name }) => name === "settle transfers").length, patience)
    .toBe(40);
  await node.stop();

  for (const name of ["submit transfers", "settle transfers"]) {
    const spans = collector.spans.filter((span) => span.name === name);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(
      new Set(callers.map(({ traceId }) => traceId)),
    );
    for (const span of spans.filter(({ links }) => links.length === 1)) {
      const [link] = span.links;
      const main = spans.find(({ spanId }) => spanId === link?.spanId);
      // Two in a set: either is linked to the other.
      if (main !== undefined) expect(main.startTimeUnixNano).toBe(span.startTimeUnixNano);
    }
    expect(spans.some(({ links }) => links.length > 0)).toBe(true);
  }
});

test("a charge's notifications belong to the trace of the request that created it", async ({
  db,
  company,
}) => {
  const collector = await Collector.start();
  const receiver = await startReceiver();
  const node = await startTraced(db, collector);
  await subscribe(node, company, receiver.url, ["charge/events"]);
  const caller = newContext();
  const { body: charge } = await node.call("POST", "/v1/charges", {
    token: company.accessToken,
    headers: { traceparent: toTraceparent(caller) },
    body: {
      amount: 5_000,
      externalId: "traced",
      description: "Order",
      onCanceledRedirectionUrl: "https://shop.example/no",
      onCompletedRedirectionUrl: "https://shop.example/yes",
    },
  });
  const paid = await node.call("POST", `/v1/charges/${charge.id}/pay`, {
    token: company.accessToken,
    body: { recipientMsisdn: "2250700000000" },
  });
  expect(paid.status).toBe(200);
  const [told] = await receiver.until(1);
  await node.stop();
  const spans = collector.ofTrace(caller.traceId);
  expect(only(spans, "deliver charge/events").parentSpanId).toBe(
    only(spans, "submit charges").spanId,
  );
  expect(told?.headers["traceparent"]).toContain(caller.traceId);
});

test("no span says who was paid, what the caller wrote, or a token", async ({ db, company }) => {
  const collector = await Collector.start();
  const node = await startTraced(db, collector, {
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20collector,x-team=pay",
  });
  await makeCustomer(db.database, "2250701020304");
  const secrets = ["2250701020304", "Salary of Awa", "Salaire-Mars", "metadata-value", "msisdn="];
  const sent = await node.call("POST", "/v1/transactions?", {
    token: company.accessToken,
    headers: { "x-correlation-id": "correlation-2250701020304" },
    body: {
      ...transferOf("Salaire-Mars"),
      msisdn: "2250701020304",
      description: "Salary of Awa",
      metadata: { note: "metadata-value" },
    },
  });
  expect(sent.status).toBe(201);
  await node.call("GET", "/v1/transactions/customers/check?msisdn=2250701020304", {
    token: company.accessToken,
  });
  await node.call("GET", "/v1/transactions?reference=Salaire-Mars", { token: "wrong-token" });
  await untilSettled(db.database);
  await expect
    .poll(() => collector.spans.filter(({ name }) => name === "settle transfers").length, patience)
    .toBe(1);
  await node.stop();

  expect(collector.spans.length).toBeGreaterThanOrEqual(5);
  const everything = collector.requests.map(({ raw }) => raw).join("\n");
  for (const secret of [...secrets, company.accessToken, "wrong-token", "collector"])
    expect(everything).not.toContain(secret);
  for (const { path, headers } of collector.requests) {
    expect(path).toBe("/v1/traces");
    expect(headers).toMatchObject({ authorization: "Bearer collector", "x-team": "pay" });
  }
});

test("what the caller decided holds: a trace that it does not record is neither recorded nor passed on", async ({
  db,
  company,
}) => {
  const collector = await Collector.start();
  const receiver = await startReceiver();
  const node = await startTraced(db, collector, { OTEL_TRACES_SAMPLER_ARG: "0" });
  await subscribe(node, company, receiver.url, ["transactions/completed"]);
  const [recorded, unrecorded] = [newContext(), newContext()];
  for (const [reference, traceparent] of [
    ["recorded", toTraceparent(recorded)],
    ["unrecorded", toTraceparent(unrecorded).replace(/01$/, "00")],
    ["nonsense", "00-zz-zz-01"],
    ["nothing", undefined],
  ] as const) {
    const answer = await node.call("POST", "/v1/transactions", {
      token: company.accessToken,
      headers: traceparent === undefined ? {} : { traceparent },
      body: transferOf(reference),
    });
    expect(answer.status).toBe(201);
  }
  await receiver.until(4);
  await node.stop();
  expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(
    new Set([recorded.traceId]),
  );
  const passedOn = receiver.received.map(({ body, headers }) => [
    body.data.reference,
    headers["traceparent"]?.slice(3, 35),
  ]);
  expect(Object.fromEntries(passedOn)).toEqual({
    recorded: recorded.traceId,
    unrecorded: undefined,
    nonsense: undefined,
    nothing: undefined,
  });
});
