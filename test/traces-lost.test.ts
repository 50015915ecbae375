import type { ServerResponse } from "node:http";
import { pino } from "pino";
import { expect } from "vitest";
import { Metrics } from "../src/kernel/metrics.ts";
import { SpanExporter } from "../src/tracing/span-exporter.ts";
import { toTraceparent } from "../src/tracing/trace-parent.ts";
import { Tracer } from "../src/tracing/tracer.ts";
import { Collector, newContext, startTraced, transferOf } from "./collector.ts";
import { auditDifferences, test, untilSettled } from "./fixtures.ts";
import { patience, startReceiver, subscribe } from "./receiver.ts";

test("a second has only so many traces, whatever callers ask for", async ({ db, company }) => {
  const collector = await Collector.start();
  const node = await startTraced(db, collector);
  for (let round = 0; round < 10; round += 1)
    await Promise.all(
      Array.from({ length: 50 }, () =>
        node.call("GET", "/v1/balance", {
          token: company.accessToken,
          headers: { traceparent: toTraceparent(newContext()) },
        }),
      ),
    );
  const { body } = await node.call("GET", "/metrics");
  await node.stop();
  const refused = Number(/^cauri_traces_refused_total (\d+)$/m.exec(body)?.[1]);
  expect(collector.spans.length + refused).toBe(500);
  const seconds = new Map<string, number>();
  for (const { startTimeUnixNano } of collector.spans) {
    const second = startTimeUnixNano.slice(0, -9);
    seconds.set(second, (seconds.get(second) ?? 0) + 1);
  }
  // Seconds of two clocks can overlap.
  for (const count of seconds.values()) expect(count).toBeLessThanOrEqual(200);
});

/** If each of twenty requests waited for a collector that hangs, they would take a hundred seconds. */
const longestMs = 60_000;
/** A stop that tried as often as ever would take seventeen seconds; the two that it has leave room for a busy machine. */
const stopMaxMs = 15_000;

const badAnswers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  hangs: () => {},
  "answers 500": (response) => response.writeHead(500).end(),
  "answers 503": (response) => response.writeHead(503).end(),
};

for (const [what, respond] of Object.entries(badAnswers)) {
  test(`a collector that ${what} holds up nobody, and a stop for two seconds at most`, async ({
    db,
    company,
  }) => {
    const collector = await Collector.start();
    collector.respond = respond;
    const receiver = await startReceiver();
    const node = await startTraced(db, collector);
    await subscribe(node, company, receiver.url, ["transactions/completed"]);
    const begunMs = performance.now();
    for (let place = 0; place < 20; place += 1) {
      const answer = await node.call("POST", "/v1/transactions", {
        token: company.accessToken,
        body: transferOf(`unheard ${place}`),
      });
      expect(answer.status).toBe(201);
    }
    await receiver.until(20);
    await untilSettled(db.database);
    expect(performance.now() - begunMs).toBeLessThan(longestMs);
    await expect.poll(() => collector.requests.length, patience).toBeGreaterThan(0);
    const stoppingMs = performance.now();
    await node.stop();
    expect(performance.now() - stoppingMs).toBeLessThan(stopMaxMs);
    expect(await auditDifferences(db.database)).toEqual([]);
  });
}

test("what a collector does not take in time is dropped and counted, and no more than a few thousand spans wait", async () => {
  const collector = await Collector.start();
  collector.respond = () => {};
  const metrics = new Metrics();
  const exporter = new SpanExporter({
    endpoint: collector.url,
    headers: {},
    resource: {},
    version: "0",
    logger: pino({ level: "silent" }),
    outcomes: metrics.counter("spans_total", "spans"),
  });
  const tracer = new Tracer({
    ratio: 1,
    record: (span) => exporter.add(span),
    onTooMany: () => {},
  });
  for (let made = 0; made < 10_000; made += 1)
    tracer.start({ name: "made", kind: "internal" }).end({});
  const stoppingMs = performance.now();
  await exporter.stop();
  expect(performance.now() - stoppingMs).toBeLessThan(stopMaxMs);
  const countOf = (outcome: string) =>
    Number(new RegExp(`outcome="${outcome}"} (\\d+)`).exec(metrics.toText())?.[1] ?? 0);
  expect(countOf("dropped_full") + countOf("dropped_failed")).toBe(10_000);
  // One batch was on its way.
  expect(countOf("dropped_failed")).toBe(4_096 + 512);
});

test("a collector that comes back is handed what waited", async () => {
  const collector = await Collector.start();
  collector.respond = (response) => response.writeHead(503).end();
  const metrics = new Metrics();
  const exporter = new SpanExporter({
    endpoint: `${collector.url}/`,
    headers: {},
    resource: { "service.name": "test" },
    version: "0",
    logger: pino({ level: "silent" }),
    outcomes: metrics.counter("spans_total", "spans"),
  });
  const tracer = new Tracer({
    ratio: 1,
    record: (span) => exporter.add(span),
    onTooMany: () => {},
  });
  tracer.start({ name: "waited", kind: "internal" }).end({});
  await expect.poll(() => collector.requests.length, patience).toBe(1);
  collector.respond = (response) => response.writeHead(200).end("{}");
  await expect.poll(() => metrics.toText(), patience).toContain('outcome="exported"} 1');
  await exporter.stop();
  expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(1);
});

test("a collector that announces an answer without end is hung up on", async () => {
  const collector = await Collector.start();
  collector.respond = (response) => {
    response.socket?.write("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(20_000));
    response.writeHead(200).end("{}");
  };
  const metrics = new Metrics();
  const exporter = new SpanExporter({
    endpoint: collector.url,
    headers: {},
    resource: { "service.name": "test" },
    version: "0",
    logger: pino({ level: "silent" }),
    outcomes: metrics.counter("spans_total", "spans"),
  });
  const record = (span: Parameters<SpanExporter["add"]>[0]) => exporter.add(span);
  const tracer = new Tracer({ ratio: 1, record, onTooMany: () => {} });
  tracer.start({ name: "made", kind: "internal" }).end({});
  await exporter.stop();
  // Three attempts, none of which was read to its end.
  expect(metrics.toText()).toContain('outcome="dropped_failed"} 1');
});
