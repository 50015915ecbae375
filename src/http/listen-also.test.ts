import { once } from "node:events";
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { drainOnClose, stopAccepting } from "./drain.ts";
import { listenAlso } from "./listen-also.ts";

const anywhere = { host: "127.0.0.1", port: 0, backlog: 16 };

test("who comes by the other port is answered to the end when the server closes, and nobody is waited for", async () => {
  const { server, other, port, inHand } = await startServer();
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const drain = drainOnClose(server, [other]);
  const answered = once(get({ port, host: "127.0.0.1", agent }), "response");
  const silent = connect(port, "127.0.0.1").on("error", () => {});
  await Promise.all([once(server, "request"), once(silent, "connect")]);

  const areOthersClosed = drain();
  // It has no connection of its own: only the other port keeps it.
  server.close();
  await once(server, "close");
  inHand[0]?.end("done");

  const [response] = (await answered) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(200);
  await areOthersClosed;
  await expect(once(connect(port, "127.0.0.1"), "connect")).rejects.toThrow("ECONNREFUSED");
});

test("a server that is replaced goes on answering whoever came by the other port", async () => {
  const { server, other, port, inHand } = await startServer();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const ask = async () => {
    const asked = once(server, "request");
    const answered = once(get({ port, host: "127.0.0.1", agent }), "response");
    await asked;
    return { answered: answered as Promise<[IncomingMessage]> };
  };
  const first = await ask();
  inHand[0]?.end();
  (await first.answered)[0].resume();

  let areAllGone = false;
  const gone = stopAccepting([server, other], 60_000).finally(() => {
    areAllGone = true;
  });
  const second = await ask();
  expect(areAllGone).toBe(false);
  inHand[1]?.setHeader("connection", "close");
  inHand[1]?.end();

  const [response] = await second.answered;
  response.resume();
  expect(response.statusCode).toBe(200);
  await gone;
});

async function startServer() {
  const inHand: ServerResponse[] = [];
  const server = createServer((_request, response) => inHand.push(response));
  server.keepAliveTimeout = 60_000;
  await once(server.listen(anywhere), "listening");
  const other = await listenAlso(server, anywhere);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    other.close();
  });
  return { server, other, port: (other.address() as AddressInfo).port, inHand };
}
