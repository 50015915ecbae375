import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { NotTheService, ServiceRefused } from "./errors.ts";
import { HttpPaymaster } from "./http-paymaster.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, headers).end(JSON.stringify(body));
const error = (status: number, code: string, retryAfter?: string) =>
  json(
    status,
    { code, message: code },
    retryAfter === undefined ? {} : { "retry-after": retryAfter },
  );

test("it waits as it is told on 429 and 503, and asks the same again with the same key", async () => {
  const keys: unknown[] = [];
  const seen =
    (answer: Answer): Answer =>
    (request, response) => {
      keys.push([request.headers["idempotency-key"], request.headers.authorization]);
      answer(request, response);
    };
  const waits: string[] = [];
  const paymaster = await against(
    [
      seen((request) => void request.socket.destroy()),
      seen(error(503, "overloaded", "0")),
      seen(error(429, "rate_limited", "0")),
      seen(error(503, "outcome_unknown", "0")),
      seen(json(201, {})),
    ],
    (why) => waits.push(why),
  );

  expect(await paymaster.send("key", [])).toBe("accepted");
  expect(keys).toEqual(Array.from({ length: 5 }, () => ["key", "Bearer at_test"]));
  expect(waits).toHaveLength(4);
});

test.for([
  [402, "insufficient_funds"],
  [409, "references_used"],
] as const)("%s is an answer", async ([status, acceptance]) => {
  const paymaster = await against([error(status, "any")]);

  expect(await paymaster.send("key", [])).toBe(acceptance);
});

test("a refusal is told in the service's words, and nobody waits for tomorrow", async () => {
  for (const answer of [
    error(401, "invalid_token"),
    error(422, "idempotency_key_reused"),
    error(429, "quota_exceeded", "86400"),
  ]) {
    const paymaster = await against([answer]);
    await expect(paymaster.balance()).rejects.toBeInstanceOf(ServiceRefused);
  }
});

test("what is not this service is named so, and no token follows a redirection", async () => {
  const elsewhere = await against([(_, response) => response.writeHead(404).end("<html>")]);
  await expect(elsewhere.account()).rejects.toBeInstanceOf(NotTheService);

  let followed = 0;
  const redirecting = await against([
    (_, response) => response.writeHead(307, { location: "/other" }).end(),
    (request, response) => {
      if (request.url === "/other") followed += 1;
      json(200, { balance: 1 })(request, response);
    },
  ]);
  expect(await redirecting.balance()).toBe(1);
  expect(followed).toBe(0);
});

test("an answer that came compressed is read, and one that was cut or is broken is asked for again", async () => {
  const packed = gzipSync(JSON.stringify({ balance: 7 }));
  const asked: unknown[] = [];
  const gzip =
    (bytes: Buffer): Answer =>
    (request, response) => {
      asked.push(request.headers["accept-encoding"]);
      response.writeHead(200, { "content-encoding": "gzip" }).end(bytes);
    };
  const waits: string[] = [];
  const paymaster = await against(
    [
      gzip(Buffer.from("not compressed")),
      (_, response) => {
        response.writeHead(200, { "content-encoding": "gzip", "content-length": packed.length });
        response.write(packed.subarray(0, 5), () => response.destroy());
      },
      gzip(packed),
    ],
    (why) => waits.push(why),
  );

  expect(await paymaster.balance()).toBe(7);
  expect(asked).toEqual(["gzip", "gzip"]);
  expect(waits).toHaveLength(2);
});

test("an answer without end is not read to its end", async () => {
  const waits: string[] = [];
  const paymaster = await against(
    [
      (_, response) => {
        const piece = Buffer.alloc(1024 * 1024, "x");
        const more = () =>
          void response.write(piece, (failure) => (failure == null ? more() : undefined));
        more();
      },
      json(200, { balance: 7 }),
    ],
    (why) => waits.push(why),
  );

  expect(await paymaster.balance()).toBe(7);
  expect(waits).toEqual([expect.stringContaining("an answer of more than 33554432 bytes")]);
});

/** A server on a real socket that answers as it is told, one answer after the other. */
async function against(
  answers: Answer[],
  onWait: (why: string) => void = () => {},
): Promise<HttpPaymaster> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => answers.shift()?.(request, response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return new HttpPaymaster({ url: `http://127.0.0.1:${port}`, token: "at_test", onWait });
}
