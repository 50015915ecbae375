import * as sdk from "@cauri/sdk";
import { Cauri, CauriError, ConnectionError, OutcomeUnknownError } from "@cauri/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { failureOf } from "./client.ts";
import { type Behaviour, behaviours, HostileServer } from "./hostile-server.ts";

const transfer = { amount: 5_000, msisdn: "2250700000000", reference: "rent" };
const urls = {
  onCompletedRedirectionUrl: "https://shop.example",
  onCanceledRedirectionUrl: "https://shop.example",
};

/** Everything that creates or moves something. */
const writes = {
  transfer: (cauri, options) => cauri.transfers.create(transfer, options),
  batch: (cauri, options) => cauri.batches.create({ transactions: [transfer] }, options),
  charge: (cauri, options) =>
    cauri.charges.create({ amount: 1, externalId: "1", description: "1", ...urls }, options),
  payment: (cauri, options) => cauri.charges.pay("1", { recipientMsisdn: "2" }, options),
  refund: (cauri, options) => cauri.charges.refund("1", { amount: 1 }, options),
  subCompany: (cauri, options) =>
    cauri.subCompanies.create({ name: "Awa", logoUrl: "https://awa.example/a.png" }, options),
  webhook: (cauri, options) =>
    cauri.webhooks.create({ topic: "charge/events", url: "https://shop.example" }, options),
} satisfies Record<string, (cauri: Cauri, options?: sdk.WriteOptions) => Promise<object>>;
type Write = keyof typeof writes;

/** Nobody waits longer than the test needs; only silence lasts as long as the timeout. */
const quick = { token: "at_test", timeoutMs: 2_000, pauseMaxMs: 1 };

describe("a server that misbehaves", () => {
  /**
   * Guards the money. Whatever happens to the attempts of a call: it ends, it pays at most once and always under the same
   * key, it never says that nothing was done when something was, and repeating it with the key pays exactly once in all.
   */
  test("never makes a call pay twice, hang, or tell something that is not so", async () => {
    const scripts = fc.array(fc.constantFrom(...behaviours), { minLength: 1, maxLength: 6 });
    const retries = fc.integer({ min: 0, max: 4 });
    const write = fc.constantFrom(...(Object.keys(writes) as Write[]));

    await fc.assert(fc.asyncProperty(write, scripts, retries, tryScript), { numRuns: 150 });
  });

  async function tryScript(
    name: Write,
    script: readonly Behaviour[],
    retries: number,
  ): Promise<void> {
    const write: (cauri: Cauri, options?: sdk.WriteOptions) => Promise<object> = writes[name];
    const server = await HostileServer.start();
    server.script = [...script];
    const { fetch, wasLate } = watchedFetch(server);
    const cauri = new Cauri({ url: server.url, ...quick, timeoutMs: 300, retries, fetch });

    const outcome = await write(cauri).then(
      (answer) => ({ answer, error: undefined }),
      (error: unknown) => ({ answer: undefined, error }),
    );
    fc.pre(!wasLate());

    expect(server.taken.length).toBeLessThanOrEqual(retries + 1);
    expect(new Set(server.taken.map(({ key }) => key)).size).toBe(1);
    expect(new Set(server.taken.map(({ body }) => body)).size).toBe(1);
    expect(new Set(server.taken.map((one) => one.correlationId)).size).toBe(server.taken.length);
    expect(server.payments.size).toBeLessThanOrEqual(1);
    if (outcome.answer !== undefined) {
      expect([...server.payments.values()]).toEqual([outcome.answer]);
    } else if (outcome.error instanceof OutcomeUnknownError) {
      const { idempotencyKey = "", isTemporary } = outcome.error;
      expect(idempotencyKey).toBe(server.taken[0]?.key);
      expect(isTemporary).toBe(false);
      server.script = [];
      const calm = { timeoutMs: 30_000, retries: 3, idempotencyKey };
      const answer = await write(cauri, calm);
      expect([...server.payments]).toEqual([[idempotencyKey, answer]]);
    } else {
      expect(outcome.error).toBeInstanceOf(CauriError);
      expect(server.payments.size).toBe(0);
    }
    await server.stop();
  }

  async function sendThrough(script: readonly Behaviour[], options: object = {}) {
    const server = await HostileServer.start();
    server.script = [...script];
    const cauri = new Cauri({ url: server.url, ...quick, ...options });
    return { server, cauri };
  }

  const goodAfter = behaviours.filter(
    (one) =>
      !/refuse: 40[12]|99999|redirect|403|another status/.test(one) && one !== "take: the answer",
  );
  test.for(goodAfter)("%s: the call is repeated under its key, and succeeds", async (behaviour) => {
    const { server, cauri } = await sendThrough([behaviour, behaviour]);

    expect(await cauri.transfers.create(transfer)).toEqual({ id: "txn_1", status: "pending" });
    expect(server.payments.size).toBe(1);
  });

  const badFor = {
    "refuse: 402": sdk.InsufficientFundsError,
    "refuse: 401": sdk.AuthenticationError,
    "refuse: 429, Retry-After 0": sdk.RateLimitError,
    "refuse: 429, Retry-After 99999": sdk.RateLimitError,
    "refuse: 503 overloaded": sdk.UnavailableError,
    "refuse: 408": sdk.UnavailableError,
    "lose: a redirect": OutcomeUnknownError,
    "lose: a page of a proxy, 403": OutcomeUnknownError,
    "take: 500": OutcomeUnknownError,
    "take: 503 outcome_unknown": OutcomeUnknownError,
    "take: silence": OutcomeUnknownError,
    "take: cut inside the body": OutcomeUnknownError,
    "take: another request's answer": OutcomeUnknownError,
    "take: an empty body": OutcomeUnknownError,
    "take: another status than its body has": OutcomeUnknownError,
  } as const;
  test.for(Object.entries(badFor))("%s without retries: %o", async ([behaviour, kind]) => {
    const { cauri } = await sendThrough([behaviour as Behaviour], { retries: 0 });

    expect(await failureOf(cauri.transfers.create(transfer))).toBeInstanceOf(kind);
  });

  // What was lost first may have been done, whatever is said of the attempts after it.
  test.for(["refuse: 401", "refuse: 429, Retry-After 99999", "refuse: 503 overloaded"] as const)(
    "an attempt that was lost, then %s: the outcome stays unknown",
    async (behaviour) => {
      const { server, cauri } = await sendThrough(
        ["take: reset before the answer", ...Array.from({ length: 3 }, () => behaviour)],
        { retries: 3 },
      );

      const error = await failureOf(cauri.transfers.create(transfer));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect((error as OutcomeUnknownError).cause).toBeInstanceOf(sdk.ApiError);
      expect(server.payments.size).toBe(1);
    },
  );

  test("an attempt that was lost, then 402 under the same key: nothing was done", async () => {
    const { server, cauri } = await sendThrough(["lose: 500", "refuse: 402"]);

    expect(await failureOf(cauri.transfers.create(transfer))).toBeInstanceOf(
      sdk.InsufficientFundsError,
    );
    expect(server.payments.size).toBe(0);
  });

  test("reads are repeated too, and what they fail with is never an unknown outcome", async () => {
    for (const behaviour of behaviours.filter((one) => one !== "take: the answer")) {
      const { cauri } = await sendThrough([behaviour], { retries: 0 });
      const outcome = await cauri.transfers.get("txn_1").catch((error: unknown) => error);
      if (behaviour.startsWith("take: the answer")) expect(outcome).toMatchObject({ id: "txn_1" });
      else expect(outcome).toBeInstanceOf(CauriError);
      expect(outcome).not.toBeInstanceOf(OutcomeUnknownError);
    }
    const { cauri } = await sendThrough(["take: silence", "take: wrong JSON"]);
    expect(await cauri.transfers.get("txn_1")).toMatchObject({ id: "txn_1" });
  });

  test("a redelivery, which has no key, is not repeated unless nothing was done", async () => {
    const lost = await sendThrough(["take: reset before the answer"]);
    const error = await failureOf(lost.cauri.webhooks.redeliver("w", "1"));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect((error as OutcomeUnknownError).idempotencyKey).toBeUndefined();
    expect(lost.server.taken).toHaveLength(1);

    const refused = await sendThrough(["refuse: 503 overloaded", "refuse: 429, Retry-After 0"]);
    expect(await refused.cauri.webhooks.redeliver("w", "1")).toMatchObject({ id: "txn_1" });
    expect(refused.server.taken).toHaveLength(3);
  });

  test("a redirect is not followed: the token goes to the address that was given, and nowhere else", async () => {
    const thief = await HostileServer.start();
    const { server, cauri } = await sendThrough(["lose: a redirect", "lose: a redirect"]);
    server.elsewhere = thief.url;

    expect(await failureOf(cauri.balance())).toBeInstanceOf(sdk.UnexpectedAnswerError);
    expect(await failureOf(cauri.transfers.create(transfer))).toBeInstanceOf(OutcomeUnknownError);
    expect(thief.taken).toEqual([]);
  });

  test("nobody listens: the request never left, and the error says so", async () => {
    const server = await HostileServer.start();
    const { url } = server;
    await server.stop();
    const error = await failureOf(new Cauri({ url, ...quick }).transfers.create(transfer));

    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ kind: "connection", isTemporary: true });
  });

  test("a signal ends it at once: before it is sent nothing happened, afterwards nobody knows", async () => {
    const before = await sendThrough([]);
    const signal = AbortSignal.abort(new Error("changed my mind"));
    const early = await failureOf(before.cauri.transfers.create(transfer, { signal }));
    expect(early).toBeInstanceOf(sdk.AbortedError);
    expect(before.server.taken).toHaveLength(0);

    const during = await sendThrough(["take: silence"], { timeoutMs: 60_000 });
    const controller = new AbortController();
    const call = during.cauri.transfers.create(transfer, { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    const late = await failureOf(call);
    expect(late).toBeInstanceOf(OutcomeUnknownError);
    expect((late as Error).cause).toBeInstanceOf(sdk.AbortedError);

    const reading = await sendThrough(["take: silence"], { timeoutMs: 60_000 });
    const other = new AbortController();
    setTimeout(() => other.abort(), 50);
    const read = reading.cauri.transfers.get("txn_1", { signal: other.signal });
    expect(await failureOf(read)).toBeInstanceOf(sdk.AbortedError);
  });

  test("a fetch that hears no signal and never ends is left behind in time", async () => {
    const fetch = () => new Promise<never>(() => {});
    const patience = { timeoutMs: 100, retries: 1 };
    const cauri = new Cauri({ url: "http://127.0.0.1:1", ...quick, ...patience, fetch });

    expect(await failureOf(cauri.balance())).toBeInstanceOf(sdk.TimeoutError);
    expect(await failureOf(cauri.transfers.create(transfer))).toBeInstanceOf(OutcomeUnknownError);
  });

  test("a file that falls silent or breaks off is an error of its reader, in time", async () => {
    const silent = await sendThrough(["take: a body that never ends"]);
    const first = await silent.cauri.statement.export("csv", {}, { idleMs: 100 });
    expect(await failureOf(new Response(first.body).text())).toBeInstanceOf(sdk.TimeoutError);

    const cut = await sendThrough(["take: cut inside the body"]);
    const second = await cut.cauri.statement.export("csv");
    expect(await failureOf(new Response(second.body).text())).toBeInstanceOf(ConnectionError);
  });

  test("a list that leads back to where it was ends with an error, not never", async () => {
    const pages = ["a", "b", "a", "b"].map((next) => ({ data: [next], cursor: { next } }));
    const fetch = async () => Response.json(pages.shift());
    const cauri = new Cauri({ url: "http://127.0.0.1:1", ...quick, fetch });

    const seen: unknown[] = [];
    const all = (async () => {
      for await (const row of cauri.transfers.list()) seen.push(row);
    })();
    expect(await failureOf(all)).toBeInstanceOf(sdk.UnexpectedAnswerError);
    expect(seen).toEqual(["a", "b", "a"]);
  });

  test.for([
    { data: {}, cursor: { next: null } },
    { data: "rows", cursor: { next: null } },
    { data: [] },
    { data: [], cursor: null },
  ])("a list that is none is an error of ours: %j", async (body) => {
    const fetch = async () => Response.json(body);
    const list = new Cauri({ url: "http://127.0.0.1:1", ...quick, fetch }).transfers.list();

    expect(await failureOf(list.page())).toBeInstanceOf(sdk.UnexpectedAnswerError);
  });

  test("waiting for a transfer rides out what passes, and ends in time when nothing does", async () => {
    const rough = await sendThrough(["refuse: 503 overloaded", "take: wrong JSON"]);
    const calm = rough.cauri.transfers.waitUntilSettled("txn_1", { timeoutMs: 1_000 });
    const still = await failureOf(calm);
    expect(still).toBeInstanceOf(sdk.NotSettledError);
    expect((still as sdk.NotSettledError).last).toMatchObject({ status: "pending" });

    const away = new Cauri({ url: "http://127.0.0.1:1", ...quick });
    const error = await failureOf(away.transfers.waitUntilSettled("txn_1", { timeoutMs: 300 }));
    expect(error).toBeInstanceOf(sdk.NotSettledError);
    expect((error as Error).cause).toBeInstanceOf(ConnectionError);
    const refused = await sendThrough(["refuse: 401"]);
    const wait = refused.cauri.transfers.waitUntilSettled("txn_1");
    expect(await failureOf(wait)).toBeInstanceOf(sdk.AuthenticationError);
  });
});

/**
 * Sees when an attempt was given up before the server had read it. On a machine that stands still for a moment that
 * happens; what the server does with it afterwards is no answer to anything, so such a run is left out.
 */
function watchedFetch(server: HostileServer): { fetch: typeof fetch; wasLate: () => boolean } {
  let isLate = false;
  return {
    wasLate: () => isLate,
    fetch: (input, init) => {
      const id = new Headers(init?.headers).get("x-correlation-id");
      init?.signal?.addEventListener("abort", () => {
        isLate ||= !server.taken.some(({ correlationId }) => correlationId === id);
      });
      return fetch(input, init);
    },
  };
}
