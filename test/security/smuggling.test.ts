import { expect } from "vitest";
import { Wire } from "../../torture/api/wire.ts";
import { test } from "../fixtures.ts";

const empty = "0\r\n\r\n";

/** Where a request ends, said in ways that two programs in a row may understand differently. */
const ambiguities: Readonly<Record<string, readonly [headers: string, body: string]>> = {
  "both lengths": ["Content-Length: 5\r\nTransfer-Encoding: chunked", empty],
  "both lengths, the other way round": ["Transfer-Encoding: chunked\r\nContent-Length: 5", empty],
  "two lengths": ["Content-Length: 2\r\nContent-Length: 0", "{}"],
  "the same length twice": ["Content-Length: 2\r\nContent-Length: 2", "{}"],
  "a list of lengths": ["Content-Length: 2, 2", "{}"],
  "a length with a sign": ["Content-Length: +2", "{}"],
  "a length that is no number": ["Content-Length: 0x2", "{}"],
  "chunked, and then something else": ["Transfer-Encoding: chunked, identity", empty],
  "an encoding that is none": ["Transfer-Encoding: identity", "{}"],
  "an encoding that nobody knows": ["Transfer-Encoding: xchunked", empty],
  "two encodings": ["Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", empty],
  "a space before the colon": ["Transfer-Encoding : chunked", empty],
  "a tabulator of the other kind": ["Transfer-Encoding: \u000bchunked", empty],
  "a folded encoding": ["Transfer-Encoding:\r\n chunked", empty],
  "a folded line": ["X-Folded: a\r\n b\r\nContent-Length: 2", "{}"],
  "a bare LF after a header": ["X-Bare: a\nContent-Length: 2", "{}"],
  "a bare LF at the end of the headers": ["Content-Length: 2\n", "{}"],
  "a bare CR in a header": ["X-Bare: a\rContent-Length: 2", "{}"],
  "a NUL in a header": ["X-Nul: a\u0000\r\nContent-Length: 2", "{}"],
  "a header without a name": [": x\r\nContent-Length: 2", "{}"],
  "chunks that end with LF": ["Transfer-Encoding: chunked", "2\n{}\n0\n\n"],
  "a chunk size with a prefix": ["Transfer-Encoding: chunked", `0x2\r\n{}\r\n${empty}`],
  "a chunk size with a space": ["Transfer-Encoding: chunked", `2 \r\n{}\r\n${empty}`],
  "a chunk size that is too large": ["Transfer-Encoding: chunked", `fffffffffffffffff2\r\n{}\r\n`],
  "an LF in a chunk extension": ["Transfer-Encoding: chunked", `2;a\n{}\r\n${empty}`],
  "a chunk longer than it says": ["Transfer-Encoding: chunked", `2\r\n{} \r\n${empty}`],
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

test("a request inside the body of another is only a body", async ({ service, company }) => {
  const known = `Host: x\r\nAuthorization: Bearer ${company.accessToken}`;
  const inner = `GET /v1/balance HTTP/1.1\r\n${known}\r\n\r\n`;
  const texts = [
    `GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
    `GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`,
  ];
  for (const text of texts) {
    const wire = new Wire(service.url, 20_000);
    const exchange = await wire.send({ bytes: Buffer.from(text, "latin1"), isWhole: false });

    if (exchange.kind !== "answered") throw new Error(exchange.kind);
    expect(exchange.answers.map(({ body }) => body.toString())).toEqual(['{"status":"ok"}']);
  }
});
