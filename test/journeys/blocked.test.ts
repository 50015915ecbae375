import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Program } from "../../torture/program.ts";
import { call, demoToken, makeDataDir, startProcess } from "../process.ts";
import { patience } from "../receiver.ts";

/** Runs in the service before the program: SIGUSR2 blocks its main thread, and so does a body that asks for it. */
const blockable = `
  function blockFor(ms) { const end = Date.now() + ms; while (Date.now() < end); }
  process.on("SIGUSR2", () => blockFor(60_000));
  const { parse } = JSON;
  JSON.parse = (text, reviver) => {
    if (text.includes('"reference":"block"')) blockFor(1_500);
    return parse(text, reviver);
  };`;
const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encode(blockable)}` };
const transfer = { type: "transfer", amount: 5_000, msisdn: "2250700000000" };

test("what blocks the event loop is named by its route and its company, and counted", async () => {
  const dataDir = await makeDataDir();
  const service = await startProcess(dataDir, environment);
  const token = await demoToken(dataDir);
  const blocked = { ...transfer, reference: "block" };
  expect((await call(service.url, token, "/v1/transactions", blocked)).status).toBe(201);

  const stalls = () => linesOf(service).filter(({ msg }) => msg === "the event loop was blocked");
  await expect.poll(stalls, patience).toContainEqual(
    expect.objectContaining({
      level: 40,
      during: "POST /v1/transactions",
      companyId: expect.stringMatching(/^com_/),
    }),
  );
  const told = stalls().find(({ during }) => during === "POST /v1/transactions");
  expect(told?.ms).toBeGreaterThan(1_200);
  const metrics = async () => (await fetch(`${service.url}/metrics`)).text();
  for (const name of ["stalls_total", "stalled_seconds_total"])
    await expect
      .poll(metrics, patience)
      .toMatch(new RegExp(`^cauri_event_loop_${name}\\{cause="\\w+"\\} [1-9]`, "m"));
  expect(await service.end("SIGTERM")).toBe(0);
});

test("SIGTERM ends a process that is blocked, which says where it was; the next start finds everything that was acknowledged", async () => {
  const dataDir = await makeDataDir();
  const service = await startProcess(dataDir, {
    ...environment,
    EVENT_LOOP_BLOCKED_MAX_MS: "8000",
  });
  const token = await demoToken(dataDir);
  const pay = (reference: string, url = service.url) =>
    call(url, token, "/v1/transactions", { ...transfer, reference });
  const before = await pay("before");
  expect(before.status).toBe(201);

  const ended = once(service.process, "exit");
  service.process.kill("SIGUSR2");
  await sleep(300);
  const during = pay("during").then(
    ({ status }) => status,
    () => "no answer",
  );
  service.process.kill("SIGTERM");
  const sinceMs = performance.now();
  expect(await ended).toEqual([null, "SIGKILL"]);
  expect(performance.now() - sinceMs).toBeLessThan(40_000);
  expect(await during).toBe("no answer");
  expect(linesOf(service).at(-1)).toMatchObject({
    level: 60,
    msg: expect.stringContaining("the event loop is blocked"),
    stack: expect.arrayContaining([expect.stringContaining("blockFor")]),
  });

  const again = await startProcess(dataDir);
  const { body } = await call(again.url, token, "/v1/transactions");
  expect(body.data.map(({ reference }: { reference: string }) => reference)).toEqual(["before"]);
  expect((await pay("during", again.url)).status).toBe(201);
  expect(await again.end("SIGTERM")).toBe(0);
});

test("a process that is blocked after SIGTERM ends when its time to stop is over", async () => {
  const service = await startProcess(await makeDataDir(), {
    ...environment,
    EVENT_LOOP_BLOCKED_MAX_MS: "0",
  });
  // A request that is not there yet: the process waits for it.
  const { hostname: host, port } = new URL(service.url);
  const slow = connect({ host, port: Number(port) });
  slow.on("error", () => {});
  slow.write("POST /v1/transactions HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n");
  await once(slow, "connect");
  const ended = once(service.process, "exit");
  service.process.kill("SIGTERM");
  const sinceMs = performance.now();
  await expect.poll(() => service.output, patience).toContain("stopping: finishing");
  service.process.kill("SIGUSR2");
  expect(await ended).toEqual([null, "SIGKILL"]);
  expect(performance.now() - sinceMs).toBeLessThan(45_000);
  expect(linesOf(service).at(-1)).toMatchObject({
    level: 60,
    msg: expect.stringContaining("stopping took too long"),
  });
});

function encode(script: string): string {
  return encodeURIComponent(script).replaceAll("'", "%27");
}

interface LogLine {
  readonly msg: string;
  readonly during?: string;
  readonly ms?: number;
}

function linesOf({ output }: Program): LogLine[] {
  return output
    .split("\n")
    .filter((line) => line.startsWith("{") && line.endsWith("}"))
    .map((line) => JSON.parse(line) as LogLine);
}
