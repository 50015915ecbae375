import { describe, expect } from "vitest";
import { headBytesMax, headBytesOf, Wire } from "../../torture/api/wire.ts";
import { signIn } from "../console.ts";
import {
  productionSettings,
  startService,
  type TestCompany,
  type TestService,
  test,
} from "../fixtures.ts";

const transfer = { type: "transfer", amount: 5_000, msisdn: "2250700000000" };
const webhook = { topic: "transactions/completed", url: "https://shop.example/hook" };

/** Answers of every kind there is, by what they are. Each is told as status and headers. */
async function everyKind(
  service: TestService,
  { accessToken: token }: TestCompany,
): Promise<Record<string, { status: number; headers: ReadonlyMap<string, string> }>> {
  const raw = new Map<string, string>();
  const ask = (name: string, start: string, headers: readonly string[] = [], body = "") =>
    raw.set(
      name,
      [
        `${start} HTTP/1.1`,
        "Host: 127.0.0.1",
        "Connection: close",
        ...headers,
        ...(body === "" ? [] : [`Content-Length: ${body.length}`]),
        "",
        body,
      ].join("\r\n"),
    );
  const known = [`Authorization: Bearer ${token}`, "Content-Type: application/json"];
  const { body } = await service.call("POST", "/v1/webhooks", { token, body: webhook });
  ask("200 health", "GET /healthz");
  ask("200 ready", "GET /readyz");
  ask("200 metrics", "GET /metrics");
  ask("200 document", "GET /openapi.json");
  ask("200 balance", "GET /v1/balance", known);
  ask("200 head", "HEAD /v1/balance", known);
  ask(
    "201 created",
    "POST /v1/transactions",
    known,
    JSON.stringify({ ...transfer, reference: "r" }),
  );
  ask("204 deleted", `DELETE /v1/webhooks/${body.id}`, known);
  ask("400 body", "POST /v1/transactions", known, "{");
  ask("400 address", "GET /%zz");
  ask("400 no HTTP", "GARBAGE");
  ask("400 two hosts", "GET /v1/balance", ["Host: other.example"]);
  ask("401", "GET /v1/balance");
  ask("403", "GET /v1/balance", [...known, "X-Company-Id: com_other"]);
  ask("404 id", "GET /v1/transactions/nonsense", known);
  ask("404 route", "GET /nothing");
  ask("404 route below /v1", "GET /v1/nothing", known);
  ask("405", "DELETE /v1/balance", known);
  ask("405 options", "OPTIONS /v1/balance", [...known, "Origin: https://evil.example"]);
  ask("409", "POST /v1/transactions", known, JSON.stringify({ ...transfer, reference: "r" }));
  ask("413", "POST /v1/transactions", [...known, "Content-Length: 99999999"]);
  ask("415", "POST /v1/transactions", [...known.slice(0, 1), "Content-Type: text/csv"], "a,b");
  ask("417", "GET /v1/balance", [...known, "Expect: a miracle"]);
  ask("404 payment page", "GET /pay/nonsense");
  ask("200 wallet page", "GET /wallet");
  ask("200 home page", "GET /", ["Accept: text/html"]);
  ask("404 page", "GET /nothing", ["Accept: text/html"]);
  ask("303 redirection", "POST /wallet/change");

  const answers: Record<string, { status: number; headers: ReadonlyMap<string, string> }> = {};
  const wire = new Wire(service.url, 10_000);
  for (const [name, text] of raw) {
    const bytes = Buffer.from(text, "latin1");
    const exchange = await wire.send({ bytes, isWhole: true, isHead: name === "200 head" });
    if (exchange.kind !== "answered") throw new Error(`${name}: ${exchange.kind}`);
    const [answer] = exchange.answers;
    if (answer !== undefined) answers[name] = answer;
  }
  return answers;
}

describe("headers of every kind of answer", () => {
  test("name the request, keep nothing, guess nothing, frame nothing, and say nothing of the program", async ({
    service,
    company,
  }) => {
    const answers = await everyKind(service, company);

    for (const [name, { status, headers }] of Object.entries(answers)) {
      expect(String(status), name).toBe(name.split(" ")[0]);
      const facts = Object.fromEntries(headers);
      expect(facts, name).toMatchObject({
        "x-correlation-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "content-security-policy": expect.stringMatching(
          /^default-src 'none';.*frame-ancestors 'none'/,
        ),
      });
      if (![204, 303].includes(status))
        expect(facts["content-type"], name).toMatch(
          /^(?:application\/json|text\/html|text\/plain; version=[\d.]+); charset=utf-8$/,
        );
      const others = Object.keys(facts).filter((header) =>
        /^(?:server|x-powered-by|via|etag|access-control-.*)$/.test(header),
      );
      expect(others, name).toEqual([]);
      expect(facts["strict-transport-security"], name).toBeUndefined();
    }
  });

  test("in production also bind the browser to https", async ({ db, company }) => {
    const service = await startService(db, productionSettings(db));
    try {
      const answers = await everyKind(service, company);

      for (const [name, { headers }] of Object.entries(answers))
        expect(headers.get("strict-transport-security"), name).toMatch(/^max-age=[1-9]\d{7}/);
    } finally {
      await service.stop();
    }
  });

  test("are shorter than proxies take, whatever the request holds", async ({
    db,
    service,
    company,
  }) => {
    const long = "%2F".repeat(4_000);
    const { sessionToken, formToken } = await signIn(db, company.id, "owner");
    const cookie = `Cookie: cauri_console=${sessionToken}`;
    const unknown = Object.fromEntries(
      Array.from({ length: 20 }, (_, place) => [`${place}`.padEnd(64, "漢"), 1]),
    );
    const tries: readonly (readonly [number, string, readonly string[], string?])[] = [
      [303, `GET /console/transfers?q=${long}`, []],
      [303, `GET /console/transfers.csv?status=x&from=x&q=${long}`, [cookie]],
      [303, `POST /console/language`, [cookie], `lang=fr&back=/console?a=${"%252F".repeat(198)}`],
      [404, `POST /console/developers/webhooks/${long}/enable`, [cookie]],
      [404, `GET /${long}`, []],
      [405, `DELETE /v1/balance?${long}`, [`Authorization: Bearer ${company.accessToken}`]],
      [
        201,
        "POST /v1/transactions",
        [`Authorization: Bearer ${company.accessToken}`, "Content-Type: application/json"],
        JSON.stringify({ ...transfer, ...unknown, reference: "r" }),
      ],
    ];
    const wire = new Wire(service.url, 10_000);
    for (const [status, start, more, content] of tries) {
      const isForm = start.startsWith("POST /console");
      const body = Buffer.from(isForm ? `token=${formToken}&${content ?? ""}` : (content ?? ""));
      const head = [
        `${start} HTTP/1.1`,
        "Host: 127.0.0.1",
        "Connection: close",
        `X-Correlation-Id: ${"x".repeat(128)}`,
        ...(isForm ? ["Content-Type: application/x-www-form-urlencoded"] : []),
        ...(body.length === 0 ? [] : [`Content-Length: ${body.length}`]),
        ...more,
      ];
      const bytes = Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body]);
      const exchange = await wire.send({ bytes, isWhole: true });
      const answer = exchange.kind === "answered" ? exchange.answers[0] : undefined;
      expect(answer?.status, start.slice(0, 60)).toBe(status);
      if (answer !== undefined)
        expect(headBytesOf(answer), start.slice(0, 60)).toBeLessThan(headBytesMax);
    }
  });
});
