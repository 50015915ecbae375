import { Agent, request } from "node:http";
import { json as readJson } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished } from "vitest";
import {
  box,
  makeCompany,
  startService,
  type TestDatabase,
  type TestService,
  test,
} from "../../test/fixtures.ts";
import { atOnce, patience } from "../../test/receiver.ts";
import { TcpProxy } from "../../torture/network/tcp-proxy.ts";
import { Signals } from "../database/signals.ts";
import { toPublicId } from "../kernel/ids.ts";
import { Authenticator } from "./authenticate.ts";
import { presentedToken } from "./connection-tokens.ts";
import { listKeys, revokeKey, rotateKey } from "./credentials.ts";

const wrongToken = `at_${"x".repeat(43)}`;

describe("Authorization", () => {
  test("401: no, empty, foreign, garbled or wrong, nothing but the message differs; 200: the scheme in any letter case", async ({
    service,
    company,
  }) => {
    const { accessToken: token } = company;
    const wrong = [
      undefined,
      "",
      "Bearer",
      token,
      `Basic ${token}`,
      `Token ${token}`,
      `Bearer:${token}`,
      "Bearer garbage",
      "Bearer null",
      `Bearer ${wrongToken}`,
      `Bearer ${token}x`,
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token.toUpperCase()}`,
      `Bearer "${token}"`,
      `Bearer ${token} ${token}`,
      `Bearer Bearer ${token}`,
      `Bearer at_${"x".repeat(8_000)}`,
      "Bearer é' or 1=1 --",
    ];
    const bodies = new Set<string>();
    for (const authorization of wrong) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const answer = await service.call("GET", "/v1/balance", { headers });
      expect(answer.status, authorization).toBe(401);
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer\b/);
      const { correlationId, timestamp, message, ...body } = answer.body;
      expect([typeof correlationId, typeof timestamp]).toEqual(["string", "string"]);
      expect(message).toMatch(/^(?!.*x{9})[^"]{20,300}$/);
      bodies.add(JSON.stringify(body));
    }

    expect([...bodies].map((text) => JSON.parse(text))).toEqual([
      {
        statusCode: 401,
        error: "Unauthorized",
        code: "invalid_token",
        docUrl: expect.stringMatching(/\/docs\?lang=en#e-invalid_token$/),
        path: "/v1/balance",
      },
    ]);
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      const headers = { authorization: `${scheme} ${token}` };
      expect((await service.call("GET", "/v1/balance", { headers })).status, scheme).toBe(200);
    }
  });

  test("401 before 400, 403, 404, 405, 413 and 415", async ({ service, company }) => {
    const json = { "content-type": "application/json" };
    const requests: readonly Parameters<TestService["call"]>[] = [
      ["GET", "/v1/transactions/txn_019b2d5f3a7c7c0f8000a1b2c3d4e5f6"],
      ["GET", "/v1/transactions/nonsense"],
      ["GET", "/v1/batches/nonsense"],
      ["GET", "/v1/transactions?limit=0"],
      ["GET", "/v1/transactions/customers/check"],
      ["POST", "/v1/transactions", { body: "{" }],
      ["POST", "/v1/transactions", { body: "", headers: json }],
      ["POST", "/v1/transactions", { body: { pad: "x".repeat(2 * 1024 * 1024) } }],
      ["POST", "/v1/transactions", { body: "a,b", headers: { "content-type": "text/csv" } }],
      ["POST", "/v1/transactions", { body: {}, headers: { "idempotency-key": "" } }],
      ["PUT", "/v1/sub-companies/nonsense", { body: "[" }],
      ["DELETE", "/v1/transactions"],
      ["GET", "/v1/balance", { headers: { "x-company-id": toPublicId("com", company.id) } }],
    ];
    for (const [method, path, options] of requests) {
      for (const credential of [{}, { token: wrongToken }]) {
        const answer = await service.call(method, path, { ...options, ...credential });
        expect([answer.status, answer.body.code], `${method} ${path}`).toEqual([
          401,
          "invalid_token",
        ]);
      }
    }
  });

  test("401 before anything is said about an address that cannot be read", async ({ service }) => {
    const answers: string[] = [];
    const ids = ["%zz", "%ff", "x".repeat(4_000)];
    for (const id of ids) {
      const { status } = await service.call("GET", `/v1/transactions/${id}`, { token: wrongToken });
      answers.push(`${id.slice(0, 10)}: ${status}`);
    }
    expect(answers).toEqual(ids.map((id) => `${id.slice(0, 10)}: 401`));
  });
});

describe("X-Company-Id", () => {
  test("200: the token's own company in any letter case; 403: any other", async ({
    db,
    service,
    company,
  }) => {
    const own = toPublicId("com", company.id);
    const other = toPublicId("com", (await makeCompany(db.database)).id);
    const ask = (id: string) =>
      service.call("GET", "/v1/balance", {
        token: company.accessToken,
        headers: { "X-COMPANY-ID": id },
      });
    for (const id of [own, own.toUpperCase(), own.replace("com_", "Com_")])
      expect((await ask(id)).status, id).toBe(200);
    for (const id of [other, "com_", "nonsense", own.slice(0, -1), `${own}0`, `${own}, ${own}`]) {
      const { status, body } = await ask(id);
      expect([status, body.error, body.code], id).toEqual([403, "Forbidden", "company_mismatch"]);
    }
  });
});

describe("keys", () => {
  test("a revoked key stops working at once on every node; the company's other key works on", async ({
    db,
    company,
  }) => {
    const signals = new Signals(db.url, db.database);
    const [key] = await listKeys(db.database, company.id);
    const second = await rotateKey(db.database, signals, box, new Date(), {
      companyId: company.id,
      overlapSeconds: 3_600,
    });
    await withTwoServices(db, async (services) => {
      for (const service of services) {
        expect(await statusOf(service, company.accessToken)).toBe(200);
        expect(await statusOf(service, second.accessToken)).toBe(200);
      }
      await revokeKey(db.database, signals, String(key?.key_id));

      for (const service of services) await untilRefused(service, company.accessToken);
      for (const service of services) expect(await statusOf(service, second.accessToken)).toBe(200);
    });
  });

  test("requests of one connection are judged by the token that each carries, until its key is revoked", async ({
    db,
    service,
    company,
  }) => {
    const other = await makeCompany(db.database, { name: "Other", fund: 7 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const ports = new Set<number | undefined>();
    const ask = (token: string | undefined) =>
      new Promise<unknown>((resolve, reject) => {
        const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
        request(`${service.url}/v1/balance`, { agent, headers }, (answer) => {
          ports.add(answer.socket.localPort);
          const told = answer.statusCode;
          const read = (body: unknown) => (body as { balance?: number }).balance ?? told;
          readJson(answer).then((body) => resolve(read(body)), reject);
        })
          .on("error", reject)
          .end();
      });
    const asked = [company.accessToken, other.accessToken, wrongToken, undefined];
    for (const round of [1, 2]) {
      const told: unknown[] = [];
      for (const token of asked) told.push(await ask(token));
      expect(told, `round ${round}`).toEqual([1_000_000, 7, 401, 401]);
    }
    const [key] = await listKeys(db.database, company.id);
    const signals = new Signals(db.url, db.database);
    await revokeKey(db.database, signals, String(key?.key_id));
    await expect.poll(() => ask(company.accessToken), atOnce).toBe(401);
    expect(await ask(other.accessToken)).toBe(7);
    expect(ports.size).toBe(1);
  });

  test("a key that was revoked while the listening connection was down does not work afterwards", async ({
    db,
    company,
  }) => {
    const proxy = await TcpProxy.before(db.url);
    const signals = new Signals(proxy.rewrite(db.url), db.database);
    onTestFinished(async () => {
      await signals.close();
      await proxy.close().catch(() => {});
    });
    const authenticator = new Authenticator(db.database, signals);
    await signals.start();
    expect(await authenticator.findHolder(presentedToken(company.accessToken))).toMatchObject({
      company: { id: company.id },
    });

    proxy.isAway = true;
    proxy.cut();
    await expect.poll(() => signals.isListening, patience).toBe(false);
    const [key] = await listKeys(db.database, company.id);
    await revokeKey(db.database, signals, String(key?.key_id));
    proxy.isAway = false;
    // Nobody asks for the token meanwhile.
    await expect.poll(() => signals.isListening, patience).toBe(true);

    expect(await authenticator.findHolder(presentedToken(company.accessToken))).toBeUndefined();
  });

  // A second later at the earliest: a slow machine makes it later, and no less refused.
  test.for(["answers nothing", "does not even hear"] as const)(
    "a key is dead a second after its revocation, also when the listening connection %s",
    async (trouble, { db, company }) => {
      const proxy = await TcpProxy.before(db.url);
      const signals = new Signals(proxy.rewrite(db.url), db.database);
      onTestFinished(async () => {
        await signals.close();
        await proxy.close().catch(() => {});
      });
      const authenticator = new Authenticator(db.database, signals);
      await signals.start();
      const find = async () =>
        (await authenticator.findHolder(presentedToken(company.accessToken)))?.company;
      expect(await find()).toMatchObject({ id: company.id });
      const [key] = await listKeys(db.database, company.id);

      if (trouble === "answers nothing") proxy.isDeaf = true;
      else proxy.silence();
      await revokeKey(db.database, signals, String(key?.key_id));
      await sleep(1_000);

      expect(authenticator.recall(presentedToken(company.accessToken))).toBeUndefined();
      expect(await find()).toBeUndefined();
    },
  );

  test("rotation keeps the old key for the overlap and not longer; an overlap of 0 ends it at once", async ({
    db,
    company,
  }) => {
    const signals = new Signals(db.url, db.database);
    const rotate = (overlapSeconds: number) =>
      rotateKey(db.database, signals, box, new Date(), { companyId: company.id, overlapSeconds });
    await withTwoServices(db, async (services) => {
      for (const service of services)
        expect(await statusOf(service, company.accessToken)).toBe(200);
      const { accessToken: second } = await rotate(3_600);
      for (const service of services)
        for (const token of [company.accessToken, second])
          expect(await statusOf(service, token)).toBe(200);

      const { accessToken: third } = await rotate(1);
      for (const service of services)
        for (const token of [company.accessToken, second]) await untilRefused(service, token);

      const { accessToken: fourth } = await rotate(0);
      for (const service of services) {
        await untilRefused(service, third);
        expect(await statusOf(service, fourth)).toBe(200);
      }
    });
  });
});

async function statusOf(service: TestService, token: string): Promise<number> {
  return (await service.call("GET", "/v1/balance", { token })).status;
}

/** Refused soon, long before a good token would be forgotten by itself, and from then on. */
async function untilRefused(service: TestService, token: string) {
  await expect.poll(() => statusOf(service, token), atOnce).toBe(401);
  for (let count = 0; count < 3; count += 1) expect(await statusOf(service, token)).toBe(401);
}

async function withTwoServices(
  db: TestDatabase,
  work: (services: readonly TestService[]) => Promise<void>,
) {
  const services = [await startService(db), await startService(db)];
  try {
    await work(services);
  } finally {
    for (const service of services) await service.stop();
  }
}
