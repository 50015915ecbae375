import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  call,
  demoToken,
  endProcess,
  makeDataDir,
  postmasterPid,
  type Reply,
  runCommand,
  type Service,
  startProcess,
} from "../process.ts";

/** Sends transfers one after the other on several lanes, and remembers every answer it got. */
class Traffic {
  readonly accepted = new Set<string>();
  readonly unanswered = new Set<string>();
  readonly unexpected: Reply[] = [];
  url = "";
  #isStopped = false;
  readonly #lanes: Promise<void>[];

  constructor(token: string, lanes: number) {
    this.#lanes = Array.from({ length: lanes }, (_, lane) => this.#run(token, lane));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#lanes);
  }

  async #run(token: string, lane: number): Promise<void> {
    for (let count = 0; !this.#isStopped; count += 1) {
      const reference = `lane-${lane}-${count}`;
      const msisdn = count % 5 === 0 ? "2250700000001" : "2250700000000";
      try {
        const answer = await call(this.url, token, "/v1/transactions", {
          type: "transfer",
          amount: 5_000,
          msisdn,
          reference,
        });
        if (answer.status === 201) this.accepted.add(reference);
        else if (answer.status === 503) this.unanswered.add(reference);
        else this.unexpected.push(answer);
      } catch {
        this.unanswered.add(reference);
        await sleep(20);
      }
    }
  }

  /** Every 201 is in the books once; what got no answer happened once or not at all; everything has ended. */
  async verify(service: Service, token: string): Promise<void> {
    expect(this.unexpected).toEqual([]);
    expect(this.accepted.size).toBeGreaterThan(0);
    const counts = await countReferences(service, token, [...this.accepted, ...this.unanswered]);
    expect([...this.accepted].filter((reference) => counts.get(reference) !== 1)).toEqual([]);
    expect([...this.unanswered].filter((reference) => (counts.get(reference) ?? 0) > 1)).toEqual(
      [],
    );
    for (let tries = 0; tries < 200; tries += 1) {
      if (
        (await call(service.url, token, "/v1/transactions?status=pending&limit=1")).body.count === 0
      )
        return;
      await sleep(100);
    }
    throw new Error("transfers are still pending");
  }
}

test("kill -9 of the service, five times under load: the next start takes over, no answer was a lie", async () => {
  const dataDir = await makeDataDir();
  let service = await startProcess(dataDir, { LOG_LEVEL: "error" });
  const token = await demoToken(dataDir);
  await fund(dataDir, service);
  const traffic = new Traffic(token, 8);
  traffic.url = service.url;
  const postmaster = await postmasterPid(dataDir);

  for (let kill = 0; kill < 5; kill += 1) {
    await sleep(150 + 90 * kill);
    await service.end("SIGKILL");
    service = await startProcess(dataDir, { LOG_LEVEL: "error" });
    traffic.url = service.url;
    expect(await postmasterPid(dataDir)).toBe(postmaster);
  }
  await sleep(300);
  await traffic.stop();

  await traffic.verify(service, token);
  expect((await runCommand(dataDir, ["audit", "--json"])).code).toBe(0);
  expect(await service.end("SIGTERM")).toBe(0);
});

test("kill -9 of PostgreSQL, three times under load: the service brings it back and goes on by itself", async () => {
  const dataDir = await makeDataDir();
  const service = await startProcess(dataDir, { LOG_LEVEL: "fatal" });
  const token = await demoToken(dataDir);
  await fund(dataDir, service);
  const traffic = new Traffic(token, 8);
  traffic.url = service.url;

  for (let kill = 0; kill < 3; kill += 1) {
    await sleep(400);
    await endProcess((await postmasterPid(dataDir)) ?? 0, "SIGKILL");
    await untilReady(service);
  }
  await sleep(300);
  await traffic.stop();

  await traffic.verify(service, token);
  expect((await runCommand(dataDir, ["audit", "--json"])).code).toBe(0);
  expect(await service.end("SIGTERM")).toBe(0);
});

async function countReferences(
  service: Service,
  token: string,
  references: readonly string[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const left = [...references];
  const lanes = Array.from({ length: 16 }, async () => {
    for (let reference = left.pop(); reference !== undefined; reference = left.pop()) {
      counts.set(
        reference,
        (await call(service.url, token, `/v1/transactions?reference=${reference}`)).body
          .count as number,
      );
    }
  });
  await Promise.all(lanes);
  return counts;
}

async function fund(dataDir: string, service: Service): Promise<void> {
  const { companyId } = JSON.parse(
    (await runCommand(dataDir, ["company", "list", "--json"])).stdout,
  )[0];
  expect((await runCommand(dataDir, ["company", "fund", companyId, "1000000000"])).code).toBe(0);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
}

async function untilReady(service: Service): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if ((await fetch(`${service.url}/readyz`)).status === 200) return;
    await sleep(50);
  }
  throw new Error("the service did not recover");
}
