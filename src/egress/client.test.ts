import { once } from "node:events";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { EgressClient, type EgressClientOptions } from "./client.ts";
import { EgressRefused } from "./errors.ts";
import type { EgressRequest } from "./exchange.ts";
import { findUrlProblem } from "./policy.ts";

/** Listens where forbidden requests would end up. A test that lets one through finds it here. */
let canary: { port: number; connections: number; bytes: number };

beforeEach(async () => {
  canary = { port: 0, connections: 0, bytes: 0 };
  const watch = (socket: net.Socket) => {
    canary.connections += 1;
    socket.on("error", () => {}).on("data", (chunk) => void (canary.bytes += chunk.length));
  };
  canary.port = await listen(net.createServer(watch), "127.0.0.1", 0);
  // Not every machine has IPv6; where it is missing nothing could get through on it either.
  await listen(net.createServer(watch), "::1", canary.port).catch(() => undefined);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** PORT is the canary's, so that only the address can be the reason for a refusal. */
const forbidden = [
  "https://127.0.0.1:PORT/",
  "https://127.0.0.1.:PORT/",
  "https://127.0.0.2:PORT/",
  "https://127.1:PORT/",
  "https://127.0.1:PORT/",
  "https://2130706433:PORT/",
  "https://0x7f000001:PORT/",
  "https://0x7f.1:PORT/",
  "https://0x7f.0x0.0x0.0x1:PORT/",
  "https://0177.0.0.1:PORT/",
  "https://017700000001:PORT/",
  "https://00000177.1:PORT/",
  "https://①②⑦.⓪.⓪.①:PORT/",
  "https://１２７.０.０.１:PORT/",
  "https://𝟭𝟮𝟳.𝟬.𝟬.𝟭:PORT/",
  "https://127。0。0。1:PORT/",
  "https://127．0．0．1:PORT/",
  "https://127｡0｡0｡1:PORT/",
  "https://%31%32%37.0.0.1:PORT/",
  "https://127%2e0%2e0%2e1:PORT/",
  "https://0:PORT/",
  "https://0.0.0.0:PORT/",
  "https://0x0:PORT/",
  "https://10.0.0.1:PORT/",
  "https://172.16.0.1:PORT/",
  "https://192.168.0.1:PORT/",
  "https://100.64.0.1:PORT/",
  "https://169.254.169.254:PORT/latest/meta-data/",
  "https://0xa9fea9fe:PORT/",
  "https://2852039166:PORT/",
  "https://168.63.129.16:PORT/",
  "https://255.255.255.255:PORT/",
  "https://[::]:PORT/",
  "https://[::1]:PORT/",
  "https://[0:0:0:0:0:0:0:1]:PORT/",
  "https://[0000::0001]:PORT/",
  "https://[::ffff:127.0.0.1]:PORT/",
  "https://[::ffff:7f00:1]:PORT/",
  "https://[::FFFF:7F00:0001]:PORT/",
  "https://[0:0:0:0:0:ffff:127.0.0.1]:PORT/",
  "https://[::127.0.0.1]:PORT/",
  "https://[::7f00:1]:PORT/",
  "https://[::ffff:0:127.0.0.1]:PORT/",
  "https://[64:ff9b::127.0.0.1]:PORT/",
  "https://[64:ff9b:1::7f00:1]:PORT/",
  "https://[2002:7f00:1::]:PORT/",
  "https://[2001:0:7f00:1::]:PORT/",
  "https://[fd00:ec2::254]:PORT/latest/meta-data/",
  "https://[fe80::1]:PORT/",
  "https://[fe80::1%25eth0]:PORT/",
  "https://[ff02::1]:PORT/",
  "https://localhost:PORT/",
  "https://LOCALHOST:PORT/",
  "https://localhost.:PORT/",
  "https://localhost..:PORT/",
  "https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/",
  "https://loc%61lhost:PORT/",
  "https://foo.localhost:PORT/",
  "https://foo.localhost.:PORT/",
  "https://printer.local:PORT/",
  "https://metadata.google.internal:PORT/",
  "https://metadata:PORT/",
  "https://example.com@127.0.0.1:PORT/",
  "https://ann:secret@example.com:PORT/",
  "https://example.com:443@127.0.0.1:PORT/",
  "https:127.0.0.1:PORT/",
  "https:\\\\127.0.0.1:PORT\\",
  "https://127.0.0.1\t:PORT/",
  "http://127.0.0.1:PORT/",
  "http://example.com:PORT/",
  "ws://127.0.0.1:PORT/",
  "gopher://127.0.0.1:PORT/_x",
  "dict://127.0.0.1:PORT/",
  "file:///etc/passwd",
  "file://127.0.0.1:PORT/",
  "data:text/plain,x",
  "//127.0.0.1:PORT/",
];

test("production sends to no spelling of a forbidden target", async () => {
  const policy = { environment: "production", ports: new Set([canary.port]) } as const;
  const client = makeClient({ policy });

  for (const spelling of forbidden) {
    const url = spelling.replace("PORT", `${canary.port}`);
    expect(findUrlProblem(url, policy)?.en, url).toMatch(/^(?:must|is not) .*\.$/);
    await expect(post(client, url), url).rejects.toBeInstanceOf(EgressRefused);
  }
  expect(canary.connections).toBe(0);

  // The canary does see what gets through: staging may reach this machine.
  const url = `http://127.0.0.1:${canary.port}/`;
  await expect(post(makeClient({ timeoutMs: 500 }), url)).rejects.toThrow();
  expect(canary.connections).toBe(1);
});

test.each([
  ["loopback", ["127.0.0.1"]],
  ["loopback in IPv6", ["::1"]],
  ["loopback mapped", ["::ffff:127.0.0.1"]],
  ["a metadata service", ["169.254.169.254"]],
  ["a private network", ["10.1.2.3"]],
  ["a public and a private address", ["1.1.1.1", "127.0.0.1"]],
  ["a public and a private address, IPv6", ["2606:4700:4700::1111", "fd00:ec2::254"]],
  ["something that is no address", ["localhost"]],
])("a name that resolves to %s is refused as a whole", async (_what, addresses) => {
  const dial = vi.spyOn(net, "connect");
  const client = makeProductionClient(() => addresses);

  const refusal = await post(client, `https://hooks.example.com:${canary.port}/`).catch(
    (error: unknown) => error,
  );

  expect(refusal).toBeInstanceOf(EgressRefused);
  // Who probes our network with names of their own learns nothing from the answer.
  for (const address of addresses) expect((refusal as Error).message).not.toContain(address);
  expect(dial).not.toHaveBeenCalled();
  expect(canary.connections).toBe(0);
});

test("the address that was checked is the one that is dialled, and every connection checks anew", async () => {
  const dial = vi.spyOn(net, "connect");
  // Of the public range, but given to nobody: dialling it disturbs no one and leads nowhere.
  const answers = [["3000::1"], ["127.0.0.1"], ["3000::2"]];
  const leadingNowhere = { code: expect.stringMatching(/^(?:connect|timeout)$/) };
  const resolve = vi.fn(() => answers.shift() ?? []);
  const client = makeProductionClient(resolve);
  const url = `https://rebinding.example.com:${canary.port}/`;

  await expect(post(client, url)).rejects.toMatchObject(leadingNowhere);
  await expect(post(client, url)).rejects.toBeInstanceOf(EgressRefused);
  await expect(post(client, url)).rejects.toMatchObject(leadingNowhere);

  expect(resolve).toHaveBeenCalledTimes(3);
  expect(dial.mock.calls.map(([options]) => dialledBy(options))).toEqual([
    ["3000::1"],
    ["3000::2"],
  ]);
  expect(canary.connections).toBe(0);
});

test("a connection that ends up at a forbidden peer is closed before a byte is sent", async () => {
  // As a network does that redirects connections on their way.
  const connect = net.connect;
  const dial = vi.spyOn(net, "connect");
  dial.mockImplementation(() => connect({ host: "127.0.0.1", port: canary.port }));
  const client = makeProductionClient(() => ["1.1.1.1"]);

  await expect(post(client, `https://hooks.example.com:${canary.port}/`)).rejects.toMatchObject({
    reason: "The connection led to an address that is not public.",
  });
  await expect.poll(() => canary.connections).toBe(1);
  await client.close();
  expect(canary.bytes).toBe(0);
});

test("a redirect is an answer like any other: it is not followed", async () => {
  const location = `http://127.0.0.1:${canary.port}/`;
  const port = await receive((_request, response) => response.writeHead(302, { location }).end());

  const response = await post(makeClient(), `http://127.0.0.1:${port}/`);

  expect(response).toMatchObject({ statusCode: 302, headers: { location } });
  expect(canary.connections).toBe(0);
});

test("proxies of the environment are not used, and cookies are not kept", async () => {
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"]) {
    vi.stubEnv(name, `http://127.0.0.1:${canary.port}`);
  }
  const cookies: unknown[] = [];
  const port = await receive((request, response) => {
    cookies.push(request.headers.cookie);
    response.writeHead(200, { "set-cookie": ["a=1", "b=2"] }).end();
  });
  const client = makeClient();

  const { headers } = await post(client, `http://127.0.0.1:${port}/`);
  await post(client, `http://127.0.0.1:${port}/`);

  expect(headers["set-cookie"]).toEqual(["a=1", "b=2"]);
  expect(cookies).toEqual([undefined, undefined]);
  expect(canary.connections).toBe(0);
});

test("what is sent arrives byte for byte, under the name of the URL, and the answer comes back", async () => {
  const received: unknown[] = [];
  const port = await receive((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => void (body += text));
    request.on("end", () => {
      const { host, "x-topic": topic } = request.headers;
      received.push([request.method, request.url, host, topic, body]);
      response.writeHead(201, { "x-seen": "yes" }).end("thänks");
    });
  });
  // Nobody listens on the first address of the name.
  const client = makeClient({ resolve: resolving(() => ["::1", "127.0.0.1"]) });
  const url = `http://receiver.test:${port}/hook?a=1#part`;
  const send = (request: Pick<EgressRequest, "method" | "headers" | "body">) =>
    client.send({ url, owner: "ann", ...request });

  const answers = [
    await send({ method: "POST", headers: { "x-topic": "t" }, body: '{"é":1}' }),
    await send({ method: "POST", headers: {}, body: Buffer.from("bytes") }),
    await send({ method: "GET", headers: {} }),
  ];

  expect(received).toEqual([
    ["POST", "/hook?a=1", `receiver.test:${port}`, "t", '{"é":1}'],
    ["POST", "/hook?a=1", `receiver.test:${port}`, undefined, "bytes"],
    ["GET", "/hook?a=1", `receiver.test:${port}`, undefined, ""],
  ]);
  for (const answer of answers) {
    expect(answer).toMatchObject({ statusCode: 201, isCut: false });
    expect(answer.headers["x-seen"]).toBe("yes");
    expect(answer.body.toString()).toBe("thänks");
  }
});

function makeClient(options: Partial<EgressClientOptions> = {}): EgressClient {
  const client = new EgressClient({
    policy: { environment: "staging" },
    timeoutMs: 5_000,
    responseBytesMax: 16_384,
    connectionsMax: 8,
    ...options,
  });
  onTestFinished(() => client.close(0));
  return client;
}

function makeProductionClient(resolve: () => string[]): EgressClient {
  const policy = { environment: "production", ports: new Set([canary.port]) } as const;
  return makeClient({ policy, resolve: resolving(resolve) });
}

function resolving(resolve: () => string[]): NonNullable<EgressClientOptions["resolve"]> {
  return async () => resolve().map((address) => ({ address, family: net.isIPv6(address) ? 6 : 4 }));
}

function post(client: EgressClient, url: string) {
  return client.send({ url, owner: "ann", method: "POST", headers: {}, body: "{}" });
}

/** What a call of net.connect would connect to, asked of the lookup it was given. */
function dialledBy(options: unknown): string[] {
  const addresses: string[] = [];
  const { lookup } = options as net.TcpNetConnectOpts;
  lookup?.("another.example.com", { all: true }, (_error, answers) => {
    for (const { address } of answers as { address: string }[]) addresses.push(address);
  });
  return addresses;
}

async function receive(respond: http.RequestListener): Promise<number> {
  return listen(http.createServer(respond), "127.0.0.1", 0);
}

async function listen(server: net.Server, host: string, port: number): Promise<number> {
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket) => sockets.add(socket)).listen(port, host);
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
