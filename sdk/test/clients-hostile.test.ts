import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { Cauri, CauriError, OutcomeUnknownError } from "@cauri/sdk";
import { describe, expect, test } from "vitest";
import { languageNames, whyMissing } from "../../test/languages.ts";
import { Driver, type Settings } from "./driver.ts";
import { type Behaviour, behaviours, HostileServer } from "./hostile-server.ts";
import { listen, listenBetween, listenWithTls } from "./tls-server.ts";

const transfer = { amount: 5_000, msisdn: "2250700000000", reference: "one" };
const token = "at_never_in_a_message";

/** What came of a call, in words that all clients have. */
interface Outcome {
  readonly id?: string;
  readonly kind?: string;
  readonly isTemporary?: boolean;
  readonly hasKey?: boolean;
}

/** Where an answer comes, however slow the machine, and where none does. */
const patienceMs = 60_000;
const hasteMs = 300;

async function askTypeScript(url: string, retries: number, timeoutMs: number): Promise<Outcome> {
  const cauri = new Cauri({ url, token, timeoutMs, retries, pauseMaxMs: 1 });
  try {
    return { id: (await cauri.transfers.create(transfer)).id };
  } catch (error) {
    if (!(error instanceof CauriError)) throw error;
    const hasKey = error instanceof OutcomeUnknownError && error.idempotencyKey !== undefined;
    return { kind: (error as { kind: string }).kind, isTemporary: error.isTemporary, hasKey };
  }
}

async function askDriver(driver: Driver, settings: Settings): Promise<Outcome> {
  const { value, error } = await driver.outcome("transfers.create", [transfer], {}, settings);
  if (error === undefined) return { id: value.id };
  const { kind, isTemporary, idempotencyKey } = error;
  return { kind, isTemporary, hasKey: typeof idempotencyKey === "string" };
}

/** A server that answers every request as it is told, and how often it was asked. */
async function answering(
  answer: Parameters<typeof createHttpServer>[1] & {},
): Promise<{ readonly url: string; readonly asked: () => number }> {
  let asked = 0;
  const server = createHttpServer((request, response) => {
    asked += 1;
    request.resume();
    answer(request, response);
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, asked: () => asked };
}

describe.for(languageNames)("the client for %s, with a server that misbehaves", (language) => {
  const client = { timeout: patienceMs / 1_000, pauseMax: 0.001 };

  // Guards the money: whatever a server does, the outcome is the one that the SDK has, and it is never wrong.
  test("comes to the same outcome as the SDK for TypeScript, pays once, and never takes a payment for a failure", async ({
    skip,
  }) => {
    const missing = whyMissing(language);
    if (missing !== undefined) skip(missing);
    const driver = Driver.start(language, { token });
    const scripts: (readonly [retries: number, ...script: Behaviour[]])[] = behaviours.flatMap(
      (one) => [
        [0, one] as const,
        [1, "take: reset before the answer", one] as const,
        [2, one, "refuse: 503 overloaded", one] as const,
      ],
    );
    const differences: object[] = [];
    for (const [retries, ...script] of scripts) {
      const timeoutMs = script.some((one) => /silence|never ends/.test(one)) ? hasteMs : patienceMs;
      const servers = [await HostileServer.start(), await HostileServer.start()] as const;
      for (const server of servers) server.script = [...script];
      const expected = await askTypeScript(servers[0].url, retries, timeoutMs);
      const [, server] = servers;
      const found = await askDriver(driver, {
        url: server.url,
        client: { ...client, timeout: timeoutMs / 1_000, retries },
      });
      if (JSON.stringify(found) !== JSON.stringify(expected))
        differences.push({ retries, script, expected, found });

      expect(server.payments.size, script.join()).toBeLessThan(2);
      expect(new Set(server.taken.map(({ key }) => key)).size, script.join()).toBe(1);
      expect(new Set(server.taken.map(({ body }) => body)).size, script.join()).toBe(1);
      if (found.id !== undefined) expect(server.payments.size, script.join()).toBe(1);
      if (found.kind !== undefined && found.kind !== "outcome_unknown")
        expect(server.payments.size, script.join()).toBe(0);
      await Promise.all(servers.map((one) => one.stop()));
    }

    expect(scripts.length).toBeGreaterThan(80);
    expect(differences).toEqual([]);
    expect(driver.said).not.toContain(token);
  });

  test("an unknown outcome has the key, and the same call with it comes to what was done", async ({
    skip,
  }) => {
    const missing = whyMissing(language);
    if (missing !== undefined) skip(missing);
    const server = await HostileServer.start();
    const driver = Driver.start(language, { url: server.url, token, client });
    server.script = ["take: cut inside the body", "take: silence"];

    const unknown = await driver.failure("transfers.create", [transfer], {
      retries: 1,
      timeout: hasteMs / 1_000,
    });
    expect(unknown).toMatchObject({ kind: "outcome_unknown", attempts: 2, isTemporary: false });
    const { idempotencyKey } = unknown;
    expect(unknown.message).toContain(idempotencyKey);
    const made = await driver.call("transfers.create", [transfer], { idempotencyKey });
    expect(made.id).toBe("txn_1");
    expect(server.taken.map(({ key }) => key)).toEqual(Array(3).fill(idempotencyKey));
    expect(new Set(server.taken.map(({ correlationId }) => correlationId)).size).toBe(3);
  });

  test("a redirect is not followed: the token goes nowhere else", async ({ skip }) => {
    const missing = whyMissing(language);
    if (missing !== undefined) skip(missing);
    const elsewhere = await answering((_, response) => response.end("{}"));
    for (const status of [301, 302, 303, 307, 308]) {
      const { url } = await answering((_, response) =>
        response.writeHead(status, { location: elsewhere.url }).end(),
      );
      const driver = Driver.start(language, { url, token, client });
      expect((await driver.failure("balance")).kind, `${status}`).toBe("unexpected_answer");
      const written = await driver.failure("transfers.create", [transfer]);
      expect(written.kind, `${status}`).toBe("outcome_unknown");
    }
    expect(elsewhere.asked()).toBe(0);
  });

  test("an answer without end, one in drops, and one that is not JSON are not waited for nor believed", async ({
    skip,
  }) => {
    const missing = whyMissing(language);
    if (missing !== undefined) skip(missing);
    const piece = " ".repeat(1_024 * 1_024);
    const huge = await answering((_, response) => {
      response.on("error", () => {});
      response.write('{"balance": ');
      const more = () => {
        while (!response.destroyed && response.write(piece));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    const drops = await answering((_, response) => {
      response.write('{"balance": 1');
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    });
    const announced = await answering((_, response) => {
      response.writeHead(200, { "content-length": 1_000_000_000 }).write("{");
    });
    const page = await answering((_, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Welcome</h1>"),
    );
    const driver = Driver.start(language, { token, client: { ...client, retries: 0 } });
    const kindOf = async ({ url }: { readonly url: string }, timeout: number) =>
      (await driver.failure("balance", [], { timeout }, { url })).kind;

    expect(await kindOf(huge, 60)).toBe("unexpected_answer");
    expect(await kindOf(drops, 0.3)).toBe("timeout");
    expect(["unexpected_answer", "timeout"]).toContain(await kindOf(announced, 0.3));
    expect(await kindOf(page, 60)).toBe("unexpected_answer");
  });

  test("Retry-After is waited for, up to the longest pause", async ({ skip }) => {
    const missing = whyMissing(language);
    if (missing !== undefined) skip(missing);
    const times: number[] = [];
    const refusal = { statusCode: 503, message: "busy", code: "overloaded" };
    const busy = await answering((_, response) => {
      times.push(performance.now());
      if (times.length === 2) response.end('{"balance":1,"currency":"XOF"}');
      else response.writeHead(503, { "retry-after": "2" }).end(JSON.stringify(refusal));
    });
    const driver = Driver.start(language, { url: busy.url, token });

    expect((await driver.call("balance")).balance).toBe(1);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1_950);
    times.length = 2;
    const impatient = await driver.failure("balance", [], {}, { client: { pauseMax: 1 } });
    expect(impatient).toMatchObject({ kind: "unavailable", status: 503, isTemporary: true });
    expect(busy.asked()).toBe(3);
  });

  test("a write that never left is a failed connection: nobody there, no such name, TLS that is not believed", async ({
    skip,
  }) => {
    const missing = whyMissing(language);
    if (missing !== undefined) skip(missing);
    let heard = 0;
    const { port, certificate } = await listenWithTls(() => {
      heard += 1;
    });
    const plain = await HostileServer.start();
    const closing = await listen(
      createServer((socket) => {
        socket.on("error", () => {});
        socket.once("data", () => socket.end());
      }),
    );
    const driver = Driver.start(language, { token });
    const failureAt = (url: string, more: object = {}) => {
      const settings = { url, client: { ...client, timeout: 10, retries: 0, ...more } };
      return driver.failure("transfers.create", [transfer], {}, settings);
    };
    const kindOf = async (url: string, more: object = {}) => (await failureAt(url, more)).kind;

    expect(await kindOf("http://127.0.0.1:9")).toBe("connection");
    expect(await kindOf("http://nobody.invalid")).toBe("connection");
    const noTls = await failureAt(plain.url.replace("http:", "https:"));
    expect(noTls.kind).toBe("connection");
    expect(noTls.message).toContain("https was asked of an address that speaks http");
    expect(await kindOf(`https://localhost:${closing}`)).toBe("connection");
    expect(await kindOf(`https://localhost:${port}`)).toBe("connection");
    // Of an authority that is trusted, and of another name.
    expect(await kindOf(`https://127.0.0.1:${port}`, { caFile: certificate })).toBe("connection");
    expect(heard).toBe(0);
    expect(plain.taken).toEqual([]);
  });

  // Guards the money: the same words on the wire, after the request has left, prove nothing.
  test("plain words after the handshake, from somebody on the way, leave the outcome unknown", async ({
    skip,
  }) => {
    const missing = whyMissing(language);
    if (missing !== undefined) skip(missing);
    const { port, certificate, heard } = await listenBetween();
    const driver = Driver.start(language, { url: `https://localhost:${port}`, token });
    const settings = { client: { ...client, timeout: 5, retries: 0, caFile: certificate } };

    const failure = await driver.failure("transfers.create", [transfer], {}, settings);
    expect(failure.kind).toBe("outcome_unknown");
    expect(heard()).toBeGreaterThan(0);
  });

  test("what cannot be meant is refused before anything is sent", async ({ skip }) => {
    const missing = whyMissing(language);
    if (missing !== undefined) skip(missing);
    const server = await HostileServer.start();
    const driver = Driver.start(language, { url: server.url, token, client });
    const calls: [call: string, args: unknown[], options?: object][] = [
      ...[5_000.5, "5000", null, true].flatMap((amount): [string, unknown[]][] => [
        ["transfers.create", [{ ...transfer, amount }]],
        ["batches.create", [{ transactions: [transfer, { ...transfer, amount }] }]],
        ["charges.refund", ["id", { amount }]],
      ]),
      ["charges.refund", ["id", { amount: 0 }]],
      ...["", "..", "a/b", "a?b", "é", "a\n", "x".repeat(101)].map((id): [string, unknown[]] => [
        "transfers.get",
        [id],
      ]),
      ["balance", [], { idempotencyKey: "k" }],
      ["balance", [], { tiemout: 3 }],
      ["balance", [], { timeout: 0 }],
      ["transfers.create", [transfer], { idempotencyKey: "a\r\nb: c" }],
      ["balance", [], { correlationId: "a b" }],
      ...["v1", "//host/v1", "/v1/../x", "/v1/%2e%2e/x", "/v1?a=b", "/v1#a", "/ x", "/a\n"].map(
        (path): [string, unknown[]] => ["request", ["GET", path]],
      ),
      ["request", ["PATCH", "/v1/x"]],
    ];
    for (const [call, args, options] of calls) {
      const { kind } = await driver.failure(call, args, options);
      expect(kind, JSON.stringify([call, args, options])).toBe("invalid_argument");
    }
    for (const url of [
      "ftp://host",
      "//host",
      "http://me:secret@host",
      "http://",
      "http://host?a=b",
      "x",
    ])
      expect((await driver.failure("balance", [], {}, { url })).kind, url).toBe("invalid_argument");
    const broken = await driver.failure("balance", [], {}, { token: `${token}\n` });
    expect(broken.kind).toBe("invalid_argument");
    expect(server.taken).toEqual([]);
    expect(driver.said).not.toContain(token);
  });
});
