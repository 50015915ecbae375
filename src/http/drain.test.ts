import { once } from "node:events";
import { Agent, createServer, get, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { drainOnClose } from "./drain.ts";

test("a server that closes answers what it has in hand, and waits neither for kept connections nor for silent ones", async () => {
  const inHand: ServerResponse[] = [];
  const server = createServer((_request, response) => inHand.push(response));
  server.keepAliveTimeout = 60_000;
  const drain = drainOnClose(server, []);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());

  const answered = once(get({ port, host: "127.0.0.1", agent }), "response");
  const silent = connect(port, "127.0.0.1").on("error", () => {});
  await Promise.all([once(server, "request"), once(silent, "connect")]);

  void drain();
  const closed = once(server, "close");
  server.close();
  inHand[0]?.end("done");

  const [response] = await answered;
  response.resume();
  expect(response.statusCode).toBe(200);
  await closed;
});
