import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { Metrics, textOf } from "../kernel/metrics.ts";
import { Channel } from "./channel.ts";
import { countProcesses } from "./count-processes.ts";
import { divideLimits } from "./divide-limits.ts";
import { countsOf, mergeFamilies } from "./merge-metrics.ts";

const databaseUrl = "postgres://cauri@127.0.0.1/cauri";

test("auto leaves a core to the background process, and half of them to the embedded PostgreSQL", () => {
  const auto = { PROCESSES: "auto", DATABASE_POOL_SIZE: "200" };
  const beside = readConfig({ ...auto, DATABASE_URL: databaseUrl });
  const embedded = readConfig(auto);

  expect([1, 2, 4, 16].map((cores) => countProcesses(beside, cores))).toEqual([1, 1, 3, 15]);
  expect([1, 2, 4, 16].map((cores) => countProcesses(embedded, cores))).toEqual([1, 1, 2, 8]);
});

test("auto starts no more processes than there are connections for, and a node without the API has one", () => {
  const auto = { PROCESSES: "auto", DATABASE_URL: databaseUrl };

  expect(countProcesses(readConfig(auto), 64)).toBe(5);
  expect(countProcesses(readConfig({ ...auto, ROLES: "worker" }), 64)).toBe(1);
  expect(countProcesses(readConfig({ ROLES: "worker", PROCESSES: "4" }), 64)).toBe(1);
});

test("processes together have what the settings say for the node", () => {
  const config = readConfig({ DATABASE_POOL_SIZE: "11", REQUESTS_IN_FLIGHT_MAX: "1000" });
  const parts = [0, 1, 2].map((place) => divideLimits(config, 3, place));
  const sum = (read: (part: (typeof parts)[number]) => number) =>
    parts.reduce((total, part) => total + read(part), 0);

  expect(parts.map((part) => part.databasePoolSize)).toEqual([4, 4, 3]);
  expect(sum((part) => part.requestsMax)).toBe(1_000);
  expect(sum((part) => part.bodyBytesMax)).toBe(config.bodyBytesMax);
  expect(sum((part) => part.authFailuresPerMinute)).toBe(60);
});

test("no limit stays none, and no process gets nothing", () => {
  const config = readConfig({ REQUESTS_IN_FLIGHT_MAX: "0", AUTH_FAILURES_PER_MINUTE: "1" });

  expect(divideLimits(config, 4, 3)).toMatchObject({ requestsMax: 0, authFailuresPerMinute: 1 });
});

test("counters and histograms of processes are added up; of gauges, what each of them means", () => {
  const processes = [1, 2].map((factor) => {
    const metrics = new Metrics();
    metrics.counter("answered", "a").add({ status: "200" }, factor);
    metrics.gauge("waiting", "b", "sum").set(10 * factor);
    metrics.gauge("delay", "c", "highest").set(0.5 * factor);
    metrics.gauge("queue", "d", "same").set(100 * factor);
    const sizes = metrics.histogram("sizes", "e", [1, 8]);
    for (let times = 0; times < factor; times += 1) sizes.observe(4);
    return metrics;
  });
  processes[1]?.counter("only_here", "f").add();

  const text = textOf(mergeFamilies(processes.map((one) => one.families())));

  expect(text.split("\n").filter((line) => !line.startsWith("#"))).toEqual([
    'answered{status="200"} 3',
    "waiting 30",
    "delay 1",
    "queue 100",
    'sizes_bucket{le="1"} 0',
    'sizes_bucket{le="8"} 3',
    'sizes_bucket{le="+Inf"} 3',
    "sizes_sum 12",
    "sizes_count 3",
    "only_here 1",
    "",
  ]);
});

test("what a process has counted stays when it ends; what it showed does not", () => {
  const ended = new Metrics();
  ended.counter("answered", "a").add({}, 5);
  ended.gauge("waiting", "b", "sum").set(3);
  const running = new Metrics();
  running.counter("answered", "a").add({}, 2);
  running.gauge("waiting", "b", "sum").set(1);

  const merged = mergeFamilies([running.families(), countsOf(ended.families())]);

  expect(merged.map(({ lines }) => lines)).toEqual([["answered 7"], ["waiting 1"]]);
});

test("a question is answered, and one that nobody answers ends", async () => {
  const [here, there] = connected();
  const asking = new Channel(here);
  const answering = new Channel(there);
  answering.on("double", (value) => Number(value) * 2);

  expect(await asking.ask("double", 21)).toBe(42);
  answering.on("silence", () => Promise.reject(new Error("not now")));
  await expect(asking.ask("silence", 0, 20)).rejects.toThrow("no answer about silence");
});

/** Two ends that hear each other, and what Node.js says there for itself. */
function connected() {
  const ends = [new EventEmitter(), new EventEmitter()] as const;
  const end = (place: 0 | 1) =>
    Object.assign(ends[place], {
      send: (message: object, done?: (error: Error | null) => void) => {
        ends[place === 0 ? 1 : 0].emit("message", { cmd: "NODE_CLUSTER" });
        ends[place === 0 ? 1 : 0].emit("message", structuredClone(message));
        done?.(null);
        return true;
      },
    });
  return [end(0), end(1)] as const;
}
