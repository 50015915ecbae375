import { AbortedError, InvalidArgumentError, OutcomeUnknownError, responseOf } from "@cauri/sdk";
import { describe, expect } from "vitest";
import { payer } from "../../test/charges.ts";
import { test } from "../../test/fixtures.ts";
import { clientOf, failureOf } from "./client.ts";
import { HostileServer } from "./hostile-server.ts";

function transferTo(reference: string) {
  return { amount: 5_000, msisdn: payer, reference };
}

describe("how an answer came", () => {
  test("status, headers and the request's name, of things, of pages and of rows", async ({
    service,
    company,
  }) => {
    const { cauri } = clientOf(service, company);
    const made = await cauri.transfers.create(transferTo("one"), { correlationId: "mine-1" });

    expect(responseOf(made)).toMatchObject({ status: 201, correlationId: "mine-1" });
    expect(responseOf(made)?.headers.get("x-correlation-id")).toBe("mine-1");
    expect(responseOf(await cauri.transfers.list().page())?.status).toBe(200);
    expect(responseOf(await cauri.transfers.lookUp(["one"]))?.status).toBe(200);
    expect(responseOf({})).toBeUndefined();
    expect(Object.keys(made)).not.toContain("headers");
  });
});

describe("hooks", () => {
  test("are told of each attempt and of each answer, without the token, and can add headers", async ({
    service,
    company,
  }) => {
    const told: string[] = [];
    const seen: string[] = [];
    const { cauri, sent } = clientOf(service, company, {
      beforeRequest: async (request) => {
        seen.push(JSON.stringify(request));
        told.push(`${request.method} ${new URL(request.url).pathname} ${request.attempt}`);
        return { traceparent: "00-1", "Idempotency-Key": "of the hook", authorization: "none" };
      },
      afterResponse: ({ status, request, durationMs, correlationId }) => {
        told.push(`${status} ${durationMs >= 0} ${request.correlationId === correlationId}`);
        throw new Error("a mistake in a hook");
      },
    });

    await cauri.transfers.create(transferTo("one"), { idempotencyKey: "mine" });
    await failureOf(cauri.transfers.get("txn_none"));

    expect(told).toEqual([
      "POST /v1/transactions 1",
      "201 true true",
      "GET /v1/transactions/txn_none 1",
      "404 true true",
    ]);
    expect(sent[0]?.headers.get("traceparent")).toBe("00-1");
    expect(sent[0]?.headers.get("idempotency-key")).toBe("mine");
    expect(sent[0]?.headers.get("authorization")).toBe(`Bearer ${company.accessToken}`);
    expect(seen.join()).not.toContain(company.accessToken);
  });

  test("one that throws before the first attempt ends it, and nothing is sent; later, the outcome stays unknown", async () => {
    const server = await HostileServer.start();
    const clientWith = (beforeRequest: (request: { readonly attempt: number }) => void) =>
      clientOf(server, { accessToken: "at_test" }, { beforeRequest, pauseMaxMs: 1 }).cauri;
    const reason = new Error("not now");

    const first = clientWith(() => {
      throw reason;
    });
    const error = await failureOf(first.transfers.create(transferTo("one")));
    expect(error).toBeInstanceOf(AbortedError);
    expect((error as Error).cause).toBe(reason);
    expect(server.taken).toEqual([]);

    server.script = ["take: reset before the answer"];
    const second = clientWith(({ attempt }) => {
      if (attempt === 2) throw reason;
    });
    const unknown = await failureOf(second.transfers.create(transferTo("two")));
    expect(unknown).toBeInstanceOf(OutcomeUnknownError);
    expect(server.payments.size).toBe(1);
  });
});

describe("a raw call", () => {
  test("reaches what there is a method for and what there is none for", async ({
    service,
    company,
  }) => {
    const { cauri, sent } = clientOf(service, company);
    const body = { type: "transfer", ...transferTo("one") };
    const made = await cauri.request("POST", "/v1/transactions", { body, idempotencyKey: "k" });
    expect(made).toMatchObject({ status: 201, body: { reference: "one", status: "pending" } });
    expect(sent[0]?.headers.get("idempotency-key")).toBe("k");

    const listed = await cauri.request("GET", "/v1/transactions", { query: { limit: 1 } });
    expect(listed.body).toMatchObject({ count: 1, limit: 1 });
    const page = await cauri.request("GET", "/metrics").catch((error: unknown) => error);
    expect(page).toMatchObject({ status: expect.any(Number) });
    expect(await failureOf(cauri.request("GET", "/v1/nothing"))).toMatchObject({ status: 404 });
  });

  test("a POST without a key is not repeated when its answer was lost; with one it is", async () => {
    const server = await HostileServer.start();
    const { cauri } = clientOf(server, { accessToken: "at_test" }, { pauseMaxMs: 1 });

    server.script = ["take: reset before the answer"];
    const unknown = await failureOf(cauri.request("POST", "/v1/anything", { body: {} }));
    expect(unknown).toBeInstanceOf(OutcomeUnknownError);
    expect(server.taken).toHaveLength(1);

    server.script = ["take: reset before the answer", "take: a page of a proxy, 200"];
    const options = { body: {}, idempotencyKey: "k" };
    expect(await cauri.request("POST", "/v1/anything", options)).toMatchObject({ status: 201 });
    expect(server.taken.slice(1).map(({ key }) => key)).toEqual(["k", "k", "k"]);
  });

  test("leads nowhere else: no other host, no dots, no query in the path", async () => {
    const { cauri, sent } = clientOf({ url: "http://127.0.0.1:9/base" }, { accessToken: "at_1" });
    for (const path of [
      "v1",
      "//host/v1",
      "/v1/../x",
      "/v1/%2e%2e/x",
      "/v1?a=b",
      "/v1#a",
      "@host",
      "/ x",
      "",
    ])
      expect(await failureOf(cauri.request("GET", path)), path).toBeInstanceOf(
        InvalidArgumentError,
      );
    expect(sent).toEqual([]);
  });
});

describe("events", () => {
  test("are read to where nothing has happened yet, and followed from there", async ({
    service,
    company,
  }) => {
    const { cauri } = clientOf(service, company);
    await cauri.transfers.waitUntilSettled((await cauri.transfers.create(transferTo("one"))).id);
    const sequences: number[] = [];
    for await (const { sequence } of cauri.webhooks.events({ limit: 1 })) sequences.push(sequence);
    expect(sequences).toEqual([1, 2]);

    const abort = new AbortController();
    const followed: string[] = [];
    const following = (async () => {
      const events = cauri.webhooks.events({ after: "2", wait: 30 }, { signal: abort.signal });
      for await (const { sequence, topic } of events) {
        followed.push(`${sequence} ${topic}`);
        if (followed.length === 4) break;
      }
    })();
    await cauri.transfers.create(transferTo("two"));
    await cauri.transfers.create(transferTo("three"));
    await following;
    expect(followed.map((line) => line.split(" ")[0])).toEqual(["3", "4", "5", "6"]);

    const endless = cauri.webhooks.events({ after: "6", wait: 30 }, { signal: abort.signal });
    const waiting = failureOf(endless[Symbol.asyncIterator]().next());
    abort.abort();
    expect(await waiting).toBeInstanceOf(AbortedError);
  });
});
