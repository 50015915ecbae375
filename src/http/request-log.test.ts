import { pino } from "pino";
import { describe, expect, onTestFinished } from "vitest";
import { ChargeClient } from "../../test/charges.ts";
import { box, type TestDatabase, TestService, test } from "../../test/fixtures.ts";
import { patience } from "../../test/receiver.ts";
import { startParts } from "../app.ts";
import { listKeys } from "../companies/credentials.ts";
import { readConfig } from "../config.ts";
import { toPublicId } from "../kernel/ids.ts";

type Line = Readonly<Record<string, unknown>>;

/** A service, and the lines of its log about answers. */
async function startLogged({ url, database }: TestDatabase, settings: Record<string, string> = {}) {
  const text: string[] = [];
  const logger = pino({ level: "info" }, { write: (line: string) => void text.push(line) });
  const config = readConfig({
    PORT: "0",
    AUTH_FAILURES_PER_MINUTE: "2",
    EVENT_LOOP_DELAY_MAX_MS: "0",
    ...settings,
  });
  const parts = await startParts(config, logger, database, url, box);
  const service = new TestService(await parts.app.listen({ host: "127.0.0.1", port: 0 }), parts);
  onTestFinished(() => service.stop());
  const answered = () =>
    text.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === "answered");
  return { service, text, answered };
}

describe("the log line of a request", () => {
  test("says the company, the key and the address, never the token; of a wrong token the address", async ({
    db,
    company,
  }) => {
    const { service, text, answered } = await startLogged(db);
    const [key] = await listKeys(db.database, company.id);
    const known = {
      address: "127.0.0.1",
      companyId: toPublicId("com", company.id),
      keyId: toPublicId("key", String(key?.key_id)),
    };
    const charges = new ChargeClient(service, company);
    await charges.refund(await charges.paid());
    const headers = { "x-company-id": "com_other" };
    await service.call("GET", "/v1/balance", { token: company.accessToken, headers });
    const wrong = `at_${"x".repeat(43)}`;
    for (let count = 0; count < 3; count += 1)
      await service.call("GET", "/v1/balance", { token: wrong });

    await expect.poll(() => answered().length, patience).toBe(7);
    expect(
      answered().map(({ route, statusCode, address, companyId, keyId }) => ({
        route,
        statusCode,
        address,
        companyId,
        keyId,
      })),
    ).toEqual([
      { route: "/v1/charges", statusCode: 201, ...known },
      { route: "/v1/charges/:id/pay", statusCode: 200, ...known },
      { route: "/v1/charges/:id/refund", statusCode: 200, ...known },
      { route: "/v1/balance", statusCode: 403, ...known },
      ...[401, 401, 429].map((statusCode) => ({
        route: "/v1/balance",
        statusCode,
        address: "127.0.0.1",
        companyId: undefined,
        keyId: undefined,
      })),
    ]);
    for (const token of [company.accessToken, wrong]) expect(text.join("")).not.toContain(token);
  });

  test("has the address that stands as far from the right as there are proxies, whatever the caller wrote before it", async ({
    db,
  }) => {
    for (const [TRUST_PROXY, address] of [
      ["0", "127.0.0.1"],
      ["false", "127.0.0.1"],
      ["1", "192.0.2.9"],
      ["2", "192.0.2.8"],
    ] as const) {
      const { service, answered } = await startLogged(db, { TRUST_PROXY });
      await service.call("GET", "/v1/balance", {
        headers: { "x-forwarded-for": "10.9.9.9, 192.0.2.8, 192.0.2.9" },
      });
      await expect
        .poll(() => answered().map((line) => line["address"]), patience)
        .toEqual([address]);
    }
  });
});

test("429: behind one proxy, made-up addresses in front of the true one do not lift the limit on wrong tokens", async ({
  db,
}) => {
  const { service } = await startLogged(db, { TRUST_PROXY: "1" });
  const statuses: number[] = [];
  for (let count = 0; count < 6; count += 1) {
    const headers = { "x-forwarded-for": `10.0.0.${count}, 192.0.2.9` };
    const token = `at_${"x".repeat(43)}`;
    statuses.push((await service.call("GET", "/v1/balance", { token, headers })).status);
  }
  expect(statuses).toEqual([401, 401, 429, 429, 429, 429]);
});
