import { expect } from "vitest";
import { Wire } from "../../torture/api/wire.ts";
import { test } from "../fixtures.ts";

/** Where a request ends, said in two ways. Which ways there are is the business of Node.js, and so are its tests. */
const ambiguities: Readonly<Record<string, readonly [headers: string, body: string]>> = {
  "both lengths": ["Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\n"],
  "a bare LF after a header": ["X-Bare: a\nContent-Length: 2", "{}"],
};

test("400 and closed: a request whose end can be read in two ways, and nothing behind it is carried out", async ({
  service,
  company,
}) => {
  const known = `Host: x\r\nAuthorization: Bearer ${company.accessToken}\r\nContent-Type: application/json`;
  const hidden = JSON.stringify({
    type: "transfer",
    amount: 5_000,
    msisdn: "2250700000000",
    reference: "hidden",
  });
  const second = `POST /v1/transactions HTTP/1.1\r\n${known}\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`;

  for (const [name, [headers, body]] of Object.entries(ambiguities)) {
    const first = `POST /v1/transactions HTTP/1.1\r\n${known}\r\n${headers}\r\n\r\n${body}`;
    const wire = new Wire(service.url, 20_000);
    const bytes = Buffer.from(first + second, "latin1");
    const exchange = await wire.send({ bytes, isWhole: false });

    if (exchange.kind !== "answered") throw new Error(`${name}: ${exchange.kind}`);
    const told = exchange.answers.map((answer) => [
      answer.status,
      JSON.parse(answer.body.toString()).code,
      answer.headers.get("connection"),
    ]);
    expect(told, name).toEqual([[400, "malformed_request", "close"]]);
  }
  const { body } = await service.call("GET", "/v1/transactions?reference=hidden", {
    token: company.accessToken,
  });
  expect(body.count).toBe(0);
});
