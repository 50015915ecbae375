import { once } from "node:events";
import { request as ask, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { type TestCompany, type TestService, test, untilSettled } from "../../test/fixtures.ts";

const token = ({ accessToken }: TestCompany) => ({ authorization: `Bearer ${accessToken}` });

/** The answer as it is on the wire: fetch would unpack it. */
async function read(
  service: TestService,
  company: TestCompany,
  path: string,
  { encoding, method = "GET" }: { readonly encoding?: string; readonly method?: string } = {},
) {
  const headers = {
    ...token(company),
    ...(encoding === undefined ? {} : { "accept-encoding": encoding }),
  };
  const [answer] = (await once(ask(service.url + path, { method, headers }).end(), "response")) as [
    IncomingMessage,
  ];
  return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
}

async function pay(service: TestService, company: TestCompany, count: number): Promise<string> {
  const transactions = Array.from({ length: count }, (_, index) => ({
    amount: 5_000,
    msisdn: "2250700000000",
    reference: `é ${index}`,
  }));
  const answer = await service.call("POST", "/v1/transactions/batch", {
    token: company.accessToken,
    body: { transactions },
  });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

test("200: a large answer is compressed for those who ask for it, and says the same", async ({
  db,
  service,
  company,
}) => {
  const paths = [`/v1/batches/${await pay(service, company, 50)}`, "/openapi.json"];
  await untilSettled(db.database);
  for (const path of [...paths, "/v1/statement?limit=100"]) {
    const plain = await read(service, company, path);
    const packed = await read(service, company, path, { encoding: "br, gzip;q=0.8" });

    expect(plain.headers, path).not.toHaveProperty("content-encoding");
    expect(packed.headers, path).toMatchObject({
      "content-encoding": "gzip",
      "content-type": plain.headers["content-type"],
      "content-length": String(packed.bytes.length),
    });
    expect([plain.headers.vary, packed.headers.vary]).toEqual(Array(2).fill("Accept-Encoding"));
    expect(gunzipSync(packed.bytes).equals(plain.bytes), path).toBe(true);
    expect(packed.bytes.length, path).toBeLessThan(plain.bytes.length / 4);
  }
});

test("small answers, refusals and answers to HEAD are what they were", async ({
  db,
  service,
  company,
}) => {
  const id = await pay(service, company, 50);
  await untilSettled(db.database);
  const unknown = `/v1/transactions?${"x".repeat(9_000)}=1`;
  for (const [path, method, status] of [
    ["/v1/balance", "GET", 200],
    [`/v1/batches/${id}`, "HEAD", 200],
    [unknown, "GET", 400],
    ["/v1/nothing", "GET", 404],
  ] as const) {
    const plain = await read(service, company, path, { method });
    const packed = await read(service, company, path, { method, encoding: "gzip" });

    expect(packed.status, path).toBe(status);
    for (const { headers } of [plain, packed])
      expect(Object.keys(headers).filter((name) => /encoding|vary/.test(name))).toEqual([]);
    expect(packed.headers["content-length"]).toBe(plain.headers["content-length"]);
    if (status === 200) expect(packed.bytes.equals(plain.bytes)).toBe(true);
  }
});

test("more at once than may be compressed: each is answered, packed or not", async ({
  service,
  company,
}) => {
  const path = `/v1/batches/${await pay(service, company, 100)}`;
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => read(service, company, path, { encoding: "gzip" })),
  );

  const isPacked = answers.map(({ headers }) => headers["content-encoding"] === "gzip");
  const bodies = answers.map(({ bytes }, place) => (isPacked[place] ? gunzipSync(bytes) : bytes));
  expect(isPacked).toContain(true);
  expect(new Set(bodies.map((body) => JSON.parse(body.toString()).id)).size).toBe(1);
});

test("200: of exports, CSV is compressed as it is written, and what is packed already is not", async ({
  db,
  service,
  company,
}) => {
  await pay(service, company, 30);
  await untilSettled(db.database);
  const plain = await read(service, company, "/v1/statement.csv");
  const packed = await read(service, company, "/v1/statement.csv", { encoding: "gzip" });
  expect(plain.headers).not.toHaveProperty("content-encoding");
  expect(packed.headers["content-encoding"]).toBe("gzip");
  const firstLine = (bytes: Buffer) => bytes.toString().split("\n", 1)[0];
  expect(firstLine(gunzipSync(packed.bytes))).toBe(firstLine(plain.bytes));
  expect(gunzipSync(packed.bytes).toString().split("\n").length).toBe(
    plain.bytes.toString().split("\n").length,
  );
  for (const [path, mark] of [
    ["/v1/statement.xlsx", "PK"],
    ["/v1/statement.pdf", "%P"],
  ] as const) {
    const { headers, bytes } = await read(service, company, path, { encoding: "gzip" });
    expect(headers, path).not.toHaveProperty("content-encoding");
    expect(bytes.toString("latin1", 0, 2)).toBe(mark);
  }
});

test("who hangs up in the middle of a compressed export keeps no place", async ({
  service,
  company,
}) => {
  const hangUp = async () => {
    const headers = { ...token(company), "accept-encoding": "gzip" };
    const request = ask(`${service.url}/v1/statement.csv`, { headers }).end();
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    answer.destroy();
    return answer.statusCode;
  };
  // The service may hear of it only after the next request came.
  for (let count = 0; count < 6; count += 1) await expect.poll(hangUp).toBe(200);
  await expect
    .poll(async () => (await read(service, company, "/v1/statement.csv")).status)
    .toBe(200);
});
