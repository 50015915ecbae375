import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SecureVersion } from "node:tls";
import { afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { EgressClient } from "./client.ts";

/** A certificate for receiver.test and for nobody else, which is its own authority. */
let certificate: { key: string; cert: string };

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "egress-tls-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  try {
    const options = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2
      -subj /CN=receiver.test -addext subjectAltName=DNS:receiver.test -keyout ${key} -out ${cert}`;
    execFileSync("openssl", options.split(/\s+/), { stdio: "ignore" });
    certificate = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
});

afterEach(() => {
  vi.unstubAllEnvs();
});

test("a receiver with a trusted certificate for its name is sent to, on connections that are kept", async () => {
  const receiver = await receive();
  const client = makeClient(certificate.cert);

  for (let count = 1; count <= 3; count += 1) {
    const answer = await post(client, `https://receiver.test:${receiver.port}/`);
    expect(answer).toMatchObject({ statusCode: 200 });
  }
  expect([receiver.requests, receiver.connections]).toEqual([3, 1]);
});

test.each(["TLSv1.2", "TLSv1.3"] as const)(
  "%s: a certificate for another name is refused, the second time too",
  async (version) => {
    const receiver = await receive(version);
    const client = makeClient(certificate.cert);

    for (let count = 1; count <= 3; count += 1) {
      await expect(post(client, `https://another.test:${receiver.port}/`)).rejects.toMatchObject({
        code: "tls",
        cause: { code: "ERR_TLS_CERT_ALTNAME_INVALID" },
      });
    }
    expect(receiver.requests).toBe(0);
  },
);

test("the certificate must be for the host of the URL, even when a header names another host", async () => {
  const receiver = await receive();
  const client = makeClient(certificate.cert);

  const forged = client.send({
    url: `https://another.test:${receiver.port}/`,
    owner: "ann",
    method: "POST",
    headers: { host: "receiver.test" },
  });

  await expect(forged).rejects.toMatchObject({ code: "tls" });
  expect(receiver.requests).toBe(0);
});

test("a certificate nobody vouches for is refused, whatever the environment says", async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  const receiver = await receive();

  const untrusted = post(makeClient(), `https://receiver.test:${receiver.port}/`);

  await expect(untrusted).rejects.toMatchObject({ code: "tls" });
  expect(receiver.requests).toBe(0);
});

test("a receiver that accepts connections but never speaks TLS is over in time", async () => {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket.on("error", () => {}).on("close", () => sockets.delete(socket)));
    socket.resume();
  });
  const port = await listen(server);

  const silent = post(makeClient(undefined, 500), `https://receiver.test:${port}/`);

  await expect(silent).rejects.toMatchObject({ code: "timeout" });
  await expect.poll(() => sockets.size).toBe(0);
});

function makeClient(ca?: string, timeoutMs = 600_000): EgressClient {
  const client = new EgressClient({
    policy: { environment: "staging" },
    timeoutMs,
    responseBytesMax: 16_384,
    connectionsMax: 8,
    resolve: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
    ...(ca === undefined ? {} : { tls: { ca } }),
  });
  onTestFinished(() => client.close(0));
  return client;
}

function post(client: EgressClient, url: string) {
  return client.send({ url, owner: "ann", method: "POST", headers: {}, body: "{}" });
}

async function receive(maxVersion: SecureVersion = "TLSv1.3") {
  const receiver = { port: 0, requests: 0, connections: 0 };
  const server = https.createServer({ ...certificate, maxVersion }, (request, response) => {
    receiver.requests += 1;
    request.resume().on("end", () => response.end("ok"));
  });
  server.on("connection", () => void (receiver.connections += 1));
  receiver.port = await listen(server);
  onTestFinished(() => server.closeAllConnections());
  return receiver;
}

async function listen(server: net.Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
