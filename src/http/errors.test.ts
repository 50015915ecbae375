import { STATUS_CODES } from "node:http";
import { connect } from "node:net";
import { describe, expect } from "vitest";
import { type Answer, makeCompany, type TestService, test } from "../../test/fixtures.ts";
import { sql } from "../database/sql.ts";

const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const transfer = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference: "rent" };
const fields = [
  "code",
  "correlationId",
  "docUrl",
  "error",
  "message",
  "path",
  "statusCode",
  "timestamp",
];

describe("error bodies", () => {
  test("every status has the same fields, one message and no query in its path", async ({
    db,
    service,
    company,
  }) => {
    const token = company.accessToken;
    await service.call("POST", "/v1/transactions", { token, body: transfer });
    const poor = await makeCompany(db.database, { fund: 0 });
    const large = { ...transfer, pad: "x".repeat(1024 * 1024) };
    const text = { "content-type": "text/plain" };
    const unknownSub = { ...transfer, reference: "r", subCompanyId: "nonsense" };
    const requests: readonly (readonly [number, ...Parameters<TestService["call"]>])[] = [
      [400, "POST", "/v1/transactions", { token, body: {} }],
      [400, "POST", "/v1/transactions", { token, body: "{" }],
      [400, "GET", "/v1/transactions?cursor=x&msisdn=2250700000000", { token }],
      [401, "GET", "/v1/balance?token=secret", {}],
      [402, "POST", "/v1/transactions", { token: poor.accessToken, body: transfer }],
      [403, "GET", "/v1/balance", { token, headers: { "x-company-id": "com_x" } }],
      [400, "GET", "/v1/balance?msisdn=2250700000000", { token }],
      [404, "GET", "/v1/transactions/nonsense", { token }],
      [404, "GET", "/v1/nothing?msisdn=2250700000000", { token }],
      [404, "POST", "/v2/transactions", { token, body: transfer }],
      [404, "GET", "/nothing", { token }],
      [405, "DELETE", "/v1/balance?msisdn=2250700000000", { token }],
      [409, "POST", "/v1/transactions", { token, body: transfer }],
      [413, "POST", "/v1/transactions", { token, body: large }],
      [415, "POST", "/v1/transactions", { token, body: "x", headers: text }],
      [422, "POST", "/v1/transactions", { token, body: unknownSub }],
    ];
    for (const [status, method, path, options] of requests) {
      const answer = await service.call(method, path, options);
      expect(answer.status, path).toBe(status);
      expectErrorBody(answer, path.replace(/\?.*/, ""));
      expect(answer.headers.get("x-correlation-id")).toBe(answer.body.correlationId);
    }
  });

  test("500: our own mistake says nothing of its cause", async ({ db, service, company }) => {
    await db.database.query(sql`alter table sub_companies rename column logo_url to lost`);
    const token = company.accessToken;
    const body = { name: "Shop", logoUrl: "https://shop.example/logo.png" };
    for (const options of [
      { token, body },
      { token, body, headers: { "idempotency-key": "k" } },
    ]) {
      const answer = await service.call("POST", "/v1/sub-companies", options);
      expect([answer.status, answer.body.code]).toEqual([500, "internal_error"]);
      expectErrorBody(answer, "/v1/sub-companies");
      expect(JSON.stringify(answer.body)).not.toMatch(
        /logo_url|column|insert|select|\.ts|at .*:\d/,
      );
    }
  });

  test("404: an unknown route, in JSON, for every method", async ({ service }) => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const answer = await service.call(method, "/nothing/at/all");
      expect([answer.status, answer.body.code], method).toEqual([404, "route_not_found"]);
      expectErrorBody(answer, "/nothing/at/all");
    }
  });

  test("405: OPTIONS is one of the methods an address does not have", async ({
    service,
    company,
  }) => {
    const answer = await service.call("OPTIONS", "/v1/balance", { token: company.accessToken });
    expect([answer.status, answer.body.code]).toEqual([405, "method_not_allowed"]);
    expect(answer.headers.get("allow")?.split(", ").toSorted()).toEqual(["GET", "HEAD"]);
  });
});

describe("malformed HTTP", () => {
  const head = "Host: x\r\nConnection: close\r\n";

  test("400 in JSON: what no HTTP parser accepts, and an address that cannot be read", async ({
    service,
  }) => {
    const requests = [
      "GARBAGE\r\n\r\n",
      "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n",
      `GET /v1/balance HTTP/9.9\r\n${head}\r\n`,
      `GET /v1/balance HTTP/1.1\r\n${head}no colon\r\n\r\n`,
      `GET /v1/balance HTTP/1.1\r\n${head}X-Bad: a\u0000b\r\n\r\n`,
      `POST /v1/transactions HTTP/1.1\r\n${head}Content-Length: many\r\n\r\n`,
      `POST /v1/transactions HTTP/1.1\r\n${head}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `GET /v1/balance HTTP/1.1\r\n${head}X-Large: ${"x".repeat(64 * 1024)}\r\n\r\n`,
    ];
    for (const request of requests) {
      const answer = await sendRaw(service, request);
      expect([answer.status, answer.body.code], request.slice(0, 80)).toEqual([
        400,
        "malformed_request",
      ]);
      expectErrorBody(answer, "/");
    }
    const address = await service.call("GET", "/%zz?msisdn=1");
    expect([address.status, address.body.code]).toEqual([400, "malformed_request"]);
    expectErrorBody(address, "/%zz");
    expect((await service.call("GET", "/healthz")).status).toBe(200);
  });

  test("400 and 417 in JSON: no Host, and an expectation nobody can meet", async ({ service }) => {
    const requests = {
      "GET /v1/balance HTTP/1.1\r\nConnection: close\r\n\r\n": 400,
      [`GET /v1/balance HTTP/1.1\r\n${head}Expect: a miracle\r\n\r\n`]: 417,
    };
    const answers: unknown[] = [];
    for (const request of Object.keys(requests)) {
      const { status, body } = await sendRaw(service, request);
      answers.push([status, body.statusCode]);
    }
    expect(answers).toEqual(Object.values(requests).map((status) => [status, status]));
  });
});

describe("correlation id", () => {
  test("the caller's own when it is sane, in the header of every answer and in every error", async ({
    service,
    company,
  }) => {
    const token = company.accessToken;
    for (const name of ["X-Correlation-Id", "X-Request-Id"]) {
      for (const id of ["a", "0b7f3a52-2f3c-4f0e-9a43-0c6f1f0d8a11", "order.7:Retry_2-b"]) {
        const headers = { [name]: id };
        for (const path of ["/v1/balance", "/healthz", "/v1/nothing", "/v1/batches/x"]) {
          const answer = await service.call("GET", path, { token, headers });
          expect(answer.headers.get("x-correlation-id"), path).toBe(id);
          if (answer.status >= 400) expect(answer.body.correlationId).toBe(id);
        }
        const refused = await service.call("GET", "/v1/balance", { headers });
        expect([refused.body.correlationId, refused.status]).toEqual([id, 401]);
      }
    }
  });

  test("in a header also when the request or its address cannot be read", async ({ service }) => {
    const headers = { "x-correlation-id": "mine-1" };
    const answers = [
      await service.call("GET", "/%zz", { headers }),
      await sendRaw(service, "GARBAGE\r\n\r\n"),
    ];
    expect(answers[0]?.body.correlationId).toBe("mine-1");
    expect(answers.map((answer) => answer.headers.get("x-correlation-id"))).toEqual(
      answers.map(({ body }) => body.correlationId),
    );
  });

  test("a new one each time when there is none or it is not sane", async ({ service }) => {
    const seen = new Set<string>();
    const insane = ["", "a b", "a\tb", '{"x":1}', "<script>", "é", "x".repeat(1_000), "a,b;c=d"];
    for (const sent of [undefined, undefined, ...insane]) {
      const headers = sent === undefined ? {} : { "x-correlation-id": sent };
      const answer = await service.call("GET", "/v1/balance", { headers });
      expect(answer.body.correlationId, sent).toMatch(/^[0-9a-f-]{36}$/);
      expect(answer.headers.get("x-correlation-id")).toBe(answer.body.correlationId);
      seen.add(answer.body.correlationId);
    }
    expect(seen.size).toBe(2 + insane.length);
  });
});

describe("requests without a body", () => {
  test("GET, HEAD and DELETE work with Content-Type: application/json", async ({
    service,
    company,
  }) => {
    const headers = { "content-type": "application/json" };
    const ask = (method: string, path: string) =>
      service.call(method, path, { token: company.accessToken, headers });

    expect((await ask("GET", "/v1/balance")).body.balance).toBe(1_000_000);
    expect((await ask("GET", "/v1/transactions?limit=1")).status).toBe(200);
    // A balance cannot be deleted; what matters is that the missing body is not what is refused.
    expect((await ask("DELETE", "/v1/balance")).status).toBe(405);
    const head = await ask("HEAD", "/v1/balance");
    expect([head.status, head.body]).toEqual([200, ""]);
    expect(head.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const missing = await ask("HEAD", "/v1/batches/nonsense");
    expect([missing.status, missing.body]).toEqual([404, ""]);
    expect((await service.call("HEAD", "/v1/balance")).status).toBe(401);
  });
});

/** The fields of the error body, all of them true, and nothing of what happened inside. */
function expectErrorBody({ status, headers, body }: Answer, path: string) {
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  const { details, ...rest } = body;
  expect(Object.keys(rest).toSorted()).toEqual(fields);
  expect(body).toMatchObject({ statusCode: status, error: STATUS_CODES[status] });
  expect(body.message).toMatch(/^\S[^\n]+$/);
  expect(body.code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
  expect(new URL(body.docUrl).pathname).toBe("/docs");
  expect(new URL(body.docUrl).hash).toBe(`#e-${body.code}`);
  expect(body.timestamp).toMatch(timestamp);
  expect(body.correlationId).toMatch(/^\S{1,128}$/);
  expect(body.path).toBe(path);
  for (const detail of details ?? []) {
    expect(detail).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    const allowed = ["field", "index", "code", "message", "id"];
    for (const name of Object.keys(detail)) expect(allowed).toContain(name);
  }
  expect(JSON.stringify(body)).not.toMatch(/node_modules|\.ts:|\bat \S+ \(|select |insert into/i);
}

/** Bytes as they are, and the answer that comes before the other side closes. */
async function sendRaw(service: TestService, request: string): Promise<Answer> {
  const { hostname, port } = new URL(service.url);
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request, "latin1"));
    let received = "";
    socket.setTimeout(30_000, () => socket.destroy(new Error("no answer")));
    socket.on("data", (chunk) => (received += chunk.toString("utf8")));
    socket.on("error", (error) => (received === "" ? reject(error) : resolve(received)));
    socket.on("close", () => resolve(received));
  });
  const [head = "", body = ""] = text.split(/\r\n\r\n(.*)/s, 2);
  const [start = "", ...lines] = head.split("\r\n");
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  const isJson = headers.get("content-type")?.includes("json") === true;
  // From brace to brace, because a body that comes in chunks has their sizes around it.
  const json = body.slice(body.indexOf("{"), body.lastIndexOf("}") + 1);
  return { status: Number(start.split(" ")[1]), headers, body: isJson ? JSON.parse(json) : body };
}
