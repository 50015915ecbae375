import { describe, expect } from "vitest";
import { Wire } from "../../torture/api/wire.ts";
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
});
