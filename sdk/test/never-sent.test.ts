import { createServer, type Socket } from "node:net";
import { Cauri, ConnectionError, OutcomeUnknownError } from "@cauri/sdk";
import { describe, expect, onTestFinished, test } from "vitest";
import { failureOf } from "./client.ts";
import { HostileServer } from "./hostile-server.ts";
import { listen, listenBetween, listenWithTls } from "./tls-server.ts";

const transfer = { amount: 5_000, msisdn: "2250700000000", reference: "one" };

function send(url: string): Promise<unknown> {
  const cauri = new Cauri({ url, token: "at_test", retries: 1, pauseMaxMs: 1, timeoutMs: 3_000 });
  return failureOf(cauri.transfers.create(transfer));
}

describe("a write that never left is a failed connection, not an unknown outcome", () => {
  test("https to a port that speaks http", async () => {
    const { url } = await HostileServer.start();
    const error = await send(url.replace("http:", "https:"));
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toContain("https was asked of an address that speaks http");
  });

  test("a certificate that nobody vouches for", async () => {
    let heard = 0;
    const { port } = await listenWithTls(() => {
      heard += 1;
    });
    expect(await send(`https://localhost:${port}`)).toBeInstanceOf(ConnectionError);
    expect(heard).toBe(0);
  });

  test.for(["end", "resetAndDestroy"] as const)(
    "a connection that is lost in the handshake: %s",
    async (how) => {
      const port = await listen(
        createServer((socket: Socket) => {
          socket.on("error", () => {});
          socket.once("data", () => socket[how]());
        }),
      );
      expect(await send(`https://localhost:${port}`)).toBeInstanceOf(ConnectionError);
    },
  );

  test("a port that fetch refuses, one where nobody is, a name and an address that nobody has", async () => {
    for (const host of ["localhost:6000", "127.0.0.1:9", "nobody.invalid", "255.255.255.255"])
      expect(await send(`http://${host}`), host).toBeInstanceOf(ConnectionError);
  });
});

// Guards the money: the same words on the wire, after the request has left, prove nothing.
test("plain words after the handshake, from somebody on the way, leave the outcome unknown", async () => {
  const { port, heard } = await listenBetween();
  const trusting = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
  process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
  onTestFinished(() => {
    if (trusting === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = trusting;
  });

  expect(await send(`https://localhost:${port}`)).toBeInstanceOf(OutcomeUnknownError);
  expect(heard()).toBeGreaterThan(0);
});
