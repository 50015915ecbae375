import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { endProcess, type Program } from "../../torture/program.ts";
import { chooseTestPort } from "../free-port.ts";
import { call, demoToken, makeDataDir, runCommand, startProcess } from "../process.ts";
import { patience } from "../receiver.ts";

const msisdn = "2250700000000";

test("SIGHUP replaces every process under load, and no request is lost; SIGTERM ends all of them in time", async () => {
  const dataDir = await makeDataDir();
  const firstPort = await chooseTestPort(2);
  const service = await startProcess(dataDir, { PROCESSES: "2", PROCESS_PORTS: `${firstPort}` });
  const addresses = [service.url, addressAt(firstPort), addressAt(firstPort + 1)];
  const token = await demoToken(dataDir);
  await fund(dataDir);
  const before = processesOf(service);
  expect(before).toHaveLength(3);
  const traffic = keepSending(addresses, token, 9);
  await traffic.until(50);

  service.process.kill("SIGHUP");
  await expect
    .poll(() => service.output.includes("all processes were restarted"), { timeout: 120_000 })
    .toBe(true);
  await traffic.until(traffic.answers.length + 50);
  const sent = await traffic.stop();

  expect(new Set(traffic.answers)).toEqual(new Set([201]));
  const after = processesOf(service);
  expect(after).toHaveLength(3);
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  // What the old ones counted is still counted.
  await expect.poll(() => readMetric(service.url, accepted), patience).toBe(sent);
  await expect
    .poll(() => readMetric(service.url, 'cauri_transfers_settled_total{outcome="completed"}'), {
      ...patience,
      interval: 1_100,
    })
    .toBe(sent);

  const last = keepSending(addresses, token, 6);
  await last.until(20);
  const beganMs = performance.now();
  expect(await service.end("SIGTERM")).toBe(0);
  expect(performance.now() - beganMs).toBeLessThan(patience.timeout);
  await last.stop();
  // Refused while it stopped, or not heard at all; whatever was accepted is in the books.
  expect(last.answers.filter((status) => ![201, 503, 0].includes(status))).toEqual([]);
  expect(after.filter(isRunning)).toEqual([]);
  expect((await runCommand(dataDir, ["audit", "--json"])).code).toBe(0);
});

test("a process answers at a port of its own too, and nobody else does", async () => {
  const dataDir = await makeDataDir();
  const firstPort = await chooseTestPort(2);
  const service = await startProcess(dataDir, { PROCESSES: "2", PROCESS_PORTS: `${firstPort}` });
  const token = await demoToken(dataDir);
  const pidsAt = async (place: number) => {
    const ids = Array.from({ length: 12 }, (_, index) => `${place}-${index}`);
    await Promise.all(
      ids.map((id) =>
        fetch(`${addressAt(firstPort + place)}/v1/balance`, {
          headers: {
            authorization: `Bearer ${token}`,
            "x-correlation-id": id,
            connection: "close",
          },
        }),
      ),
    );
    await expect.poll(() => answeredBy(service, ids).length, patience).toBe(ids.length);
    return [...new Set(answeredBy(service, ids))];
  };

  const [first, second] = [await pidsAt(0), await pidsAt(1)];
  expect([first, second]).toEqual([[expect.any(Number)], [expect.any(Number)]]);
  expect(first).not.toEqual(second);

  // Its port comes back with whoever takes its place.
  await endProcess(first[0] ?? 0, "SIGKILL");
  await expect
    .poll(
      () => call(addressAt(firstPort), token, "/v1/balance").then(({ status }) => status, String),
      patience,
    )
    .toBe(200);
  expect(await service.end("SIGTERM")).toBe(0);
});

test("a process that is killed is started again, and what it worked on goes on", async () => {
  const dataDir = await makeDataDir();
  const service = await startProcess(dataDir, { PROCESSES: "2" });
  const token = await demoToken(dataDir);
  for (let place = 0; place < 4; place += 1) await transfer(service.url, token, `r${place}`);
  await expect.poll(() => readMetric(service.url, accepted), patience).toBe(4);

  for (const pid of processesOf(service)) await endProcess(pid, "SIGKILL");

  await expect.poll(() => processesOf(service).length, patience).toBe(3);
  await expect
    .poll(() => transfer(service.url, token, "again").catch(() => 0), patience)
    .toBeOneOf([201, 409]);
  await expect
    .poll(
      async () => (await call(service.url, token, "/v1/transactions?status=pending")).body.data,
      patience,
    )
    .toEqual([]);
  await expect
    .poll(() => readMetric(service.url, "cauri_process_restarts_total"), patience)
    .toBe(3);
  // They were told of before the end: the sum does not go down.
  expect(await readMetric(service.url, accepted)).toBeGreaterThanOrEqual(4);
  expect(await service.end("SIGTERM")).toBe(0);
});

test("processes that end again and again end the service, with a sentence", async () => {
  const service = await startProcess(await makeDataDir(), { PROCESSES: "2" });

  const deadline = Date.now() + 150_000;
  while (service.isRunning && Date.now() < deadline) {
    for (const pid of processesOf(service)) await endProcess(pid, "SIGKILL");
    await sleep(50);
  }

  expect(service.process.exitCode).toBe(1);
  expect(service.output).toMatch(
    /ended 5 times in a row soon after its start, the last time by SIGKILL/,
  );
});

test("a port that is taken is told in one sentence, whatever the number of processes", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };

  for (const setting of ["PORT", "PROCESS_PORTS"])
    await expect(
      startProcess(await makeDataDir(), { PROCESSES: "2", [setting]: String(port) }),
    ).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use by another program.`);
});

test("a company's rate limit is one for all processes", async () => {
  const dataDir = await makeDataDir();
  const service = await startProcess(dataDir, { PROCESSES: "2", RATE_LIMIT_PER_SECOND: "10" });
  const token = await demoToken(dataDir);

  const beganMs = performance.now();
  const asked = await Promise.all(
    Array.from({ length: 40 }, () => call(service.url, token, "/v1/balance")),
  );
  const seconds = (performance.now() - beganMs) / 1_000;

  const good = asked.filter(({ status }) => status === 200).length;
  expect(good).toBeGreaterThanOrEqual(10);
  // A window lasts a second from its first request: on a slow machine a few may begin one after the other.
  expect(good).toBeLessThanOrEqual(10 * (Math.floor(seconds) + 1));
  expect(await service.end("SIGTERM")).toBe(0);
});

const accepted = 'cauri_http_requests_total{method="POST",route="/v1/transactions",status="201"}';

/** Several callers that each send one transfer after the other; 0 stands for no answer. */
function keepSending(addresses: readonly string[], token: string, callers: number) {
  const answers: number[] = [];
  const over = new AbortController();
  const send = async (caller: number) => {
    const url = addresses[caller % addresses.length] ?? "";
    for (let place = 0; !over.signal.aborted; place += 1) {
      const reference = `${performance.now()}-${caller}-${place}`;
      answers.push(await transfer(url, token, reference).catch(() => 0));
    }
  };
  const sending = Promise.all(Array.from({ length: callers }, (_, caller) => send(caller)));
  return {
    answers,
    async until(count: number) {
      await expect.poll(() => answers.length, patience).toBeGreaterThanOrEqual(count);
    },
    async stop() {
      over.abort();
      await sending;
      return answers.length;
    },
  };
}

function addressAt(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** The processes that wrote into the log that they answered these requests. */
function answeredBy({ output }: Program, correlationIds: readonly string[]): number[] {
  return output
    .split("\n")
    .filter((line) => line.startsWith("{") && line.endsWith("}"))
    .map((line) => JSON.parse(line) as { pid: number; correlationId?: string })
    .filter(({ correlationId }) => correlationIds.includes(correlationId ?? ""))
    .map(({ pid }) => pid);
}

/** So that money does not run out before the traffic ends. */
async function fund(dataDir: string): Promise<void> {
  const { companyId } = JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8")) as {
    companyId: string;
  };
  const funding = ["company", "fund", companyId, "900000000", "--reference", "traffic", "--yes"];
  expect((await runCommand(dataDir, funding)).code).toBe(0);
}

async function transfer(url: string, token: string, reference: string): Promise<number> {
  const body = { type: "transfer", amount: 5_000, msisdn, reference };
  return (await call(url, token, "/v1/transactions", body)).status;
}

async function readMetric(url: string, series: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split("\n").find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length) ?? Number.NaN);
}

/** The processes that the service has started, PostgreSQL left out. */
function processesOf({ process: { pid } }: Program): number[] {
  return execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => /^ *(\d+) +(\d+) +.*serve-process\.js/.exec(line))
    .filter((found) => Number(found?.[2]) === pid)
    .map((found) => Number(found?.[1]));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
