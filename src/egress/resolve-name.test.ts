import { once } from "node:events";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { type NameAnswer, startNameServer } from "../../test/name-server.ts";
import { EgressClient } from "./client.ts";
import { EgressRefused } from "./errors.ts";
import { resolveName } from "./resolve-name.ts";

test("names that are never answered hold up no other name, however many they are", async () => {
  const server = await startNameServer((name) =>
    name.endsWith("tarpit.test") ? "silence" : ["192.0.2.7"],
  );
  let given = 0;
  const waiting = Array.from({ length: 100 }, (_, index) =>
    resolveName(`h${index}.tarpit.test`, [server.address]).finally(() => void (given += 1)),
  );
  const ended = Promise.allSettled(waiting);
  // All of them are on their way before the one that is answered.
  await expect.poll(() => server.asked.length).toBeGreaterThanOrEqual(200);

  expect(await resolveName("shop.test", [server.address])).toEqual([
    { address: "192.0.2.7", family: 4 },
  ]);

  expect(given).toBe(0);
  for (const { status } of await ended) expect(status).toBe("rejected");
}, 30_000);

test("every address of a name is answered, of both kinds and behind other names; a name without any is an error", async () => {
  const names: Record<string, NameAnswer> = {
    "both.test": ["192.0.2.1", "2001:db8::1", "192.0.2.2"],
    "six.test": ["2001:db8::2"],
    "alias.test": { alias: "further.test" },
    "further.test": { alias: "both.test" },
  };
  const server = await startNameServer((name) => names[name]);
  const resolve = async (name: string) =>
    (await resolveName(name, [server.address])).map(({ address }) => address);

  expect((await resolve("both.test")).toSorted()).toEqual([
    "192.0.2.1",
    "192.0.2.2",
    "2001:db8::1",
  ]);
  expect(await resolve("six.test.")).toEqual(["2001:db8::2"]);
  expect((await resolve("alias.test")).toSorted()).toEqual([
    "192.0.2.1",
    "192.0.2.2",
    "2001:db8::1",
  ]);
  await expect(resolve("nobody.test")).rejects.toThrow("ENOTFOUND");
  expect(await resolve("localhost")).toEqual(["127.0.0.1", "::1"]);
  expect(await resolve("shop.localhost.")).toEqual(["127.0.0.1", "::1"]);
  expect(server.asked).not.toContain("localhost");
});

test.each<[string, NameAnswer]>([
  ["this machine", ["127.0.0.1"]],
  ["this machine, by IPv6", ["::1"]],
  ["this machine, mapped", ["::ffff:127.0.0.1"]],
  ["this machine, through NAT64", ["64:ff9b::7f00:1"]],
  ["this machine, through 6to4", ["2002:7f00:1::"]],
  ["no machine at all", ["0.0.0.0"]],
  ["a metadata service", ["169.254.169.254"]],
  ["a public address and a private one", ["1.1.1.1", "10.0.0.1"]],
  ["a public address and a private one by IPv6", ["1.1.1.1", "fd00::1"]],
  ["a name that leads to this machine", { alias: "inside.test" }],
])("production refuses a name whose server leads it to %s", async (_where, answer) => {
  const dial = vi.spyOn(net, "connect");
  onTestFinished(() => dial.mockRestore());
  const server = await startNameServer((name) => (name === "inside.test" ? ["127.0.0.1"] : answer));
  const client = makeClient(server.address, "production");

  await expect(post(client, "https://evil.test/")).rejects.toBeInstanceOf(EgressRefused);
  expect(dial).not.toHaveBeenCalled();
});

test("a name that leads to this machine only after it was found harmless gets no connection", async () => {
  // Of the public range, but given to nobody.
  const answers: NameAnswer[] = [["3000::1"], ["127.0.0.1"], ["3000::2"]];
  const dial = vi.spyOn(net, "connect");
  onTestFinished(() => dial.mockRestore());
  let questions = 0;
  // Each look asks for both kinds of address, and gets the same answer twice.
  const server = await startNameServer(() => answers[Math.floor(questions++ / 2)]);
  const client = makeClient(server.address, "production");
  const nowhere = { code: expect.stringMatching(/^(?:connect|timeout)$/) };

  await expect(post(client, "https://evil.test/")).rejects.toMatchObject(nowhere);
  await expect(post(client, "https://evil.test/")).rejects.toBeInstanceOf(EgressRefused);
  await expect(post(client, "https://evil.test/")).rejects.toMatchObject(nowhere);
  expect(dial).toHaveBeenCalledTimes(2);
});

test("a connection that is kept stays with the address it was opened to, whatever the name says by then", async () => {
  const receiver = http.createServer((_request, response) => response.end());
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  onTestFinished(() => void receiver.close());
  let questions = 0;
  const server = await startNameServer(() => (questions++ < 2 ? ["127.0.0.1"] : ["10.0.0.1"]));
  const client = makeClient(server.address, "staging");
  const url = `http://shop.test:${(receiver.address() as AddressInfo).port}/`;

  expect(await post(client, url)).toMatchObject({ statusCode: 200 });
  expect(await post(client, url)).toMatchObject({ statusCode: 200 });
  expect(server.asked).toHaveLength(2);
});

function makeClient(server: string, environment: "production" | "staging"): EgressClient {
  const client = new EgressClient({
    policy: { environment },
    timeoutMs: 2_000,
    responseBytesMax: 1_024,
    connectionsMax: 2,
    resolve: (hostname) => resolveName(hostname, [server]),
  });
  onTestFinished(() => client.close(0));
  return client;
}

function post(client: EgressClient, url: string) {
  return client.send({ url, owner: "ann", method: "POST", headers: {}, body: "{}" });
}
