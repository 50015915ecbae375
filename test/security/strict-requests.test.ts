import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished } from "vitest";
import { Wire } from "../../torture/api/wire.ts";
import { startService, type TestService, test } from "../fixtures.ts";

const transfer = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference: "once" };

describe("what two programs in a row could read differently is refused", () => {
  test("400: two Authorization headers, whichever is the good one", async ({
    service,
    company,
  }) => {
    const good = `Authorization: Bearer ${company.accessToken}`;
    const bad = `authorization: Bearer at_${"x".repeat(43)}`;
    for (const headers of [
      [good, bad],
      [bad, good],
      [good, good],
    ])
      expect(await ask(service, "GET /v1/balance", headers)).toEqual([400, "malformed_request"]);
    expect((await ask(service, "GET /v1/balance", [good]))[0]).toBe(200);
  });

  test("400: letters, digits and harmless signs of an address that are encoded", async ({
    service,
    company,
  }) => {
    const token = [`Authorization: Bearer ${company.accessToken}`];
    for (const path of [
      "/%6detrics",
      "/%6Detrics",
      "/metric%73",
      "/%76%31/balance",
      "/v1/balanc%65",
      "/v1/transactions/%74xn_1",
      "/v1/%2e%2e/metrics",
      "/healthz%2E",
      "/v1/transactions/txn%5f1",
    ])
      expect(await ask(service, `GET ${path}`, token), path).toEqual([400, "malformed_request"]);
    // A query may be written as one likes, and what has to be encoded may be.
    for (const path of ["/v1/transactions?%6cimit=1", "/v1/transactions?reference=%61"])
      expect((await ask(service, `GET ${path}`, token))[0], path).toBe(200);
    expect((await ask(service, "GET /v1/transactions/a%20b", token))[0]).toBe(404);
  });

  test("400: a name that stands twice in one object, and nothing is sent", async ({
    service,
    company,
  }) => {
    const { accessToken: token } = company;
    const text = JSON.stringify(transfer);
    for (const body of [
      text.replace("{", '{"amount":500000,'),
      text.replace("}", ',"\\u0061mount":500000}'),
      text.replace("}", ',"metadata":{"a":1,"a":2}}'),
    ]) {
      const answer = await service.call("POST", "/v1/transactions", { token, body });
      expect([answer.status, answer.body.code]).toEqual([400, "invalid_json"]);
      expect(answer.body.message).toContain("twice");
    }
    const list = await service.call("GET", "/v1/transactions", { token });
    expect(list.body.data).toEqual([]);
  });

  test("400: __proto__ in metadata is named, not called bad JSON", async ({ service, company }) => {
    const body = JSON.stringify(transfer).replace("}", ',"metadata":{"__proto__":{"a":1}}}');
    const { accessToken: token } = company;
    const answer = await service.call("POST", "/v1/transactions", { token, body });

    expect([answer.status, answer.body.code]).toEqual([400, "invalid_json"]);
    expect(answer.body.message).toContain("__proto__");
    expect(answer.body.message).not.toContain("not valid JSON");
  });

  test("415: a compressed body", async ({ service, company }) => {
    const packed = new Uint8Array(gzipSync(JSON.stringify(transfer)));
    const send = (encoding: string, body: Uint8Array<ArrayBuffer> | string) =>
      fetch(`${service.url}/v1/transactions`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${company.accessToken}`,
          "content-type": "application/json",
          "content-encoding": encoding,
        },
        body,
      });

    for (const encoding of ["gzip", "br", "deflate", "x"]) {
      const answer = await send(encoding, packed);
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        415,
        "unsupported_media_type",
      ]);
    }
    expect((await send("identity", JSON.stringify(transfer))).status).toBe(201);
  });
});

test("two hundred who ask for the metrics at once cost the database one measurement", async ({
  db,
}) => {
  const service = await startService(db, { ROLES: "api" });
  onTestFinished(() => service.stop());
  const before = db.database.roundTrips;
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => service.call("GET", "/metrics")),
  );

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  // Four or five statements each time, of which a slow machine may need a few.
  expect(db.database.roundTrips - before).toBeLessThan(60);
});

async function ask(service: TestService, start: string, headers: readonly string[]) {
  const wire = new Wire(service.url, 20_000);
  const text = `${start} HTTP/1.1\r\nHost: x\r\n${headers.join("\r\n")}\r\n\r\n`;
  const exchange = await wire.send({ bytes: Buffer.from(text, "latin1"), isWhole: true });
  wire.close();
  if (exchange.kind !== "answered") throw new Error(exchange.kind);
  const [answer] = exchange.answers;
  const { code } = JSON.parse(answer?.body.toString() ?? "{}") as { code?: string };
  return [answer?.status, code];
}
