import { describe, expect } from "vitest";
import { Wire } from "../../torture/api/wire.ts";
import { auditDifferences, type TestCompany, type TestService, test } from "../fixtures.ts";

const mebibyte = 1024 * 1024;
const row = { amount: 5_000, msisdn: "2250700000000" };

async function sendRaw(service: TestService, text: string, isWhole = true) {
  const wire = new Wire(service.url, 20_000);
  const exchange = await wire.send({ bytes: Buffer.from(text, "latin1"), isWhole });
  wire.close();
  if (exchange.kind !== "answered") throw new Error(exchange.kind);
  const [answer] = exchange.answers;
  return {
    status: answer?.status,
    code: JSON.parse(answer?.body.toString() ?? "{}").code as unknown,
    isOpen: exchange.isOpen,
  };
}

function head(path: string, { accessToken }: TestCompany, ...more: readonly string[]): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    "Host: x",
    `Authorization: Bearer ${accessToken}`,
    "Content-Type: application/json",
    ...more,
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

describe("body", () => {
  const limits = { "/v1/transactions": mebibyte, "/v1/transactions/batch": 16 * mebibyte };

  test("413: one byte more than an address takes, and not one fewer; told in advance, it is refused before it is sent", async ({
    service,
    company,
  }) => {
    for (const [path, limit] of Object.entries(limits)) {
      const send = async (length: number) => {
        const body = `{"pad":"${"x".repeat(length - 10)}"}`;
        expect(body).toHaveLength(length);
        return service.call("POST", path, { token: company.accessToken, body });
      };
      expect((await send(limit)).body.code, path).toBe("invalid_request");
      const { status, body } = await send(limit + 1);
      expect([status, body.code], path).toEqual([413, "body_too_large"]);

      const told = head(path, company, `Content-Length: ${limit + 1}`);
      const answer = await sendRaw(service, told);
      expect([answer.status, answer.code], path).toEqual([413, "body_too_large"]);
    }

    // In pieces of unknown number too.
    const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
    const pieces = head("/v1/transactions", company, "Transfer-Encoding: chunked");
    expect(await sendRaw(service, pieces + chunk.repeat(20))).toEqual({
      status: 413,
      code: "body_too_large",
      isOpen: false,
    });
  });

  test("400: nested deeper, with more names or more rows than anybody needs", async ({
    db,
    service,
    company,
  }) => {
    const send = (path: string, body: unknown) =>
      service.call("POST", path, { token: company.accessToken, body });
    const transfer = { type: "transfer", ...row, reference: "r" };
    const deep = `{"metadata":${"[".repeat(1_000)}${"]".repeat(1_000)}}`;
    const metadata = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 0]),
    );
    const transactions = Array.from({ length: 10_001 }, (_, index) => ({
      ...row,
      reference: `r${index}`,
    }));

    const answers = [
      await send("/v1/transactions", deep),
      await send("/v1/transactions", { ...transfer, metadata }),
      await send("/v1/transactions/batch", { transactions }),
    ];

    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [400, "invalid_json"],
      [400, "invalid_request"],
      [400, "invalid_request"],
    ]);
    expect(await auditDifferences(db.database)).toEqual([]);
  });
});

describe("headers and address", () => {
  test("400 and closed: more than 16 KB of them, in one piece or in many", async ({ service }) => {
    const pad = "x".repeat(17 * 1024);
    const many = Array.from({ length: 3_000 }, (_, index) => `X-${index}: y`).join("\r\n");
    const texts = [
      `GET /v1/balance HTTP/1.1\r\nHost: x\r\nX-Long: ${pad}\r\n\r\n`,
      `GET /v1/balance HTTP/1.1\r\nHost: x\r\nX-${pad}: y\r\n\r\n`,
      `GET /v1/balance HTTP/1.1\r\nHost: x\r\n${many}\r\n\r\n`,
      `GET /${pad} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET /v1/transactions?reference=${pad} HTTP/1.1\r\nHost: x\r\n\r\n`,
    ];
    for (const text of texts)
      expect(await sendRaw(service, text, false), text.slice(0, 40)).toEqual({
        status: 400,
        code: "malformed_request",
        isOpen: false,
      });
  });

  test("400: a page of more rows than a page has, however it is written", async ({
    service,
    company,
  }) => {
    const { accessToken: token } = company;
    for (const limit of ["101", "1e9", "1e400", "-1e400", "0", "-1", "1.5", "9".repeat(400), ""]) {
      for (const list of ["transactions", "batches", "charges", "sub-companies", "webhooks"]) {
        const answer = await service.call("GET", `/v1/${list}?limit=${limit}`, { token });
        expect([answer.status, answer.body.code], `${list} ${limit.slice(0, 10)}`).toEqual([
          400,
          "invalid_request",
        ]);
      }
    }
  });
});
