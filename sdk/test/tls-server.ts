import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { onTestFinished } from "vitest";

/** On loopback, until the end of the test. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

export interface TlsServer {
  readonly port: number;
  /** Of its certificate, which is for localhost and which nobody vouches for. */
  readonly certificate: string;
}

export async function listenWithTls(onData: (socket: tls.TLSSocket) => void): Promise<TlsServer> {
  const folder = mkdtempSync(join(tmpdir(), "cauri-tls-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const asked = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject];
  execFileSync("openssl", [...asked, "-keyout", key, "-out", cert], { stdio: "ignore" });
  const server = tls.createServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    (socket) => {
      socket.on("error", () => {});
      socket.on("data", () => onData(socket));
    },
  );
  server.on("tlsClientError", () => {});
  return { port: await listen(server), certificate: cert };
}

/** Somebody on the way, who writes plain words into the connection when the request has arrived. */
export async function listenBetween(): Promise<TlsServer & { readonly heard: () => number }> {
  let way: Socket | undefined;
  let heard = 0;
  const { port, certificate } = await listenWithTls(() => {
    heard += 1;
    way?.end("HTTP/1.1 400 Bad Request\r\n\r\n".repeat(2_000));
  });
  const between = await listen(
    createServer((socket) => {
      way = socket;
      const onward = connect(port, "127.0.0.1");
      for (const one of [socket, onward]) one.on("error", () => {});
      socket.on("data", (chunk) => onward.write(chunk));
      onward.on("data", (chunk) => socket.writable && socket.write(chunk));
    }),
  );
  return { port: between, certificate, heard: () => heard };
}
