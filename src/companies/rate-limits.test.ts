import { afterEach, describe, expect, vi } from "vitest";
import {
  box,
  makeCompany,
  startService,
  type TestCompany,
  type TestService,
  test,
} from "../../test/fixtures.ts";
import { Signals } from "../database/signals.ts";
import { rotateKey } from "./credentials.ts";

afterEach(() => vi.restoreAllMocks());

/** Stops the steady clock that windows are counted by, so that all requests fall into one; returns how to move it on. */
function stopClock(): (ms: number) => void {
  let now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => now);
  return (ms) => {
    now += ms;
  };
}

const wrongToken = `at_${"x".repeat(43)}`;

describe("rate limits", () => {
  test("429: too many failed authentications from one address; a good token and other addresses go on", async ({
    db,
    company,
  }) => {
    const limited = { AUTH_FAILURES_PER_MINUTE: "3", TRUST_PROXY: "1" };
    const service = await startService(db, limited);
    try {
      const fail = (address: string) =>
        service.call("GET", "/v1/balance", {
          token: wrongToken,
          headers: { "x-forwarded-for": address },
        });
      const statuses: number[] = [];
      for (let count = 0; count < 5; count += 1) statuses.push((await fail("192.0.2.1")).status);
      expect(statuses).toEqual([401, 401, 401, 429, 429]);

      const { body, headers } = await fail("192.0.2.1");
      expect(body).toMatchObject({ error: "Too Many Requests", code: "rate_limited" });
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60);
      expect(headers.get("ratelimit-limit")).toBe("3");
      expect(headers.get("ratelimit-remaining")).toBe("0");
      expect(headers.get("ratelimit-reset")).toBe(headers.get("retry-after"));
      expect((await fail("192.0.2.2")).status).toBe(401);
      const good = await service.call("GET", "/v1/balance", {
        token: company.accessToken,
        headers: { "x-forwarded-for": "192.0.2.1" },
      });
      expect(good.status).toBe(200);
    } finally {
      await service.stop();
    }
  });

  test("429: more requests a second than the company may send, told in the headers; none by default", async ({
    db,
    service: unlimited,
    company,
  }) => {
    const service = await startService(db, { RATE_LIMIT_PER_SECOND: "3" });
    try {
      const other = await makeCompany(db.database);
      const passMs = stopClock();
      const answers = await flood(service, company);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(17);
      for (const { body, headers } of refused) {
        expect(body).toMatchObject({ error: "Too Many Requests", code: "rate_limited" });
        expect(headers.get("ratelimit-remaining")).toBe("0");
        expect(headers.get("retry-after")).toBe("1");
      }
      for (const { headers } of answers) {
        expect(headers.get("ratelimit-limit")).toBe("3");
        expect(headers.get("ratelimit-reset")).toBe("1");
      }
      expect(await statusOf(service, other.accessToken)).toBe(200);
      passMs(999);
      expect(await statusOf(service, company.accessToken)).toBe(429);
      passMs(1);
      expect(await statusOf(service, company.accessToken)).toBe(200);

      const free = await flood(unlimited, company);
      expect(free.map(({ status }) => status)).toEqual(free.map(() => 200));
    } finally {
      await service.stop();
    }
  });

  test("429: another spelling of the header is not another token", async ({ db, company }) => {
    const service = await startService(db, { RATE_LIMIT_PER_SECOND: "3" });
    try {
      stopClock();
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, index) => {
          const headers = { authorization: `${spelled(index)} ${company.accessToken}` };
          return service.call("GET", "/v1/balance", { headers });
        }),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    } finally {
      await service.stop();
    }
  });

  test("429: all tokens of a company have one limit together, and the answer says which", async ({
    db,
    company,
  }) => {
    const second = await rotateKey(db.database, new Signals(db.url, db.database), box, new Date(), {
      companyId: company.id,
      overlapSeconds: 3_600,
    });
    const service = await startService(db, { RATE_LIMIT_PER_SECOND: "3" });
    try {
      stopClock();
      await flood(service, company);
      expect(await statusOf(service, company.accessToken)).toBe(429);
      const { status, body } = await service.call("GET", "/v1/balance", {
        token: second.accessToken,
      });
      expect([status, body.message]).toEqual([429, expect.stringContaining("3 requests a second")]);
    } finally {
      await service.stop();
    }
  });

  test("429: an address with too many wrong tokens costs the database next to nothing, and a good token still works there", async ({
    db,
    company,
  }) => {
    const service = await startService(db, { ROLES: "api", AUTH_FAILURES_PER_MINUTE: "3" });
    try {
      const passMs = stopClock();
      expect(await statusOf(service, company.accessToken)).toBe(200);
      // Of all that the node asks, also by itself, what it asks about tokens.
      const asked = vi.spyOn(db.database, "query");
      const statuses: number[] = [];
      for (let count = 0; count < 200; count += 1)
        statuses.push(await statusOf(service, `at_${String(count).padStart(43, "x")}`));

      expect(statuses.filter((status) => status === 401)).toHaveLength(3);
      expect(statuses.filter((status) => status === 429)).toHaveLength(197);
      const questions = asked.mock.calls.filter(([{ text }]) =>
        text.includes("from access_tokens"),
      );
      expect(questions).toHaveLength(3 + 10);
      // Seen good before: worth a question, also when what was remembered has run out.
      passMs(31_000);
      expect(await statusOf(service, company.accessToken)).toBe(200);
      // Never seen here: a few are looked up each second.
      const newcomer = await makeCompany(db.database);
      expect(await statusOf(service, newcomer.accessToken)).toBe(200);
    } finally {
      await service.stop();
    }
  });
});

/** "bearer" with the letters of the number's bits in upper case. */
function spelled(bits: number): string {
  return "bearer"
    .split("")
    .map((letter, place) => ((bits >> place) & 1 ? letter.toUpperCase() : letter))
    .join("");
}

async function statusOf(service: TestService, token: string): Promise<number> {
  return (await service.call("GET", "/v1/balance", { token })).status;
}

function flood(service: TestService, { accessToken: token }: TestCompany) {
  return Promise.all(
    Array.from({ length: 20 }, () => service.call("GET", "/v1/balance", { token })),
  );
}
