import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFailed, onTestFinished } from "vitest";

/** What becomes of a request on its way: those that are passed on reach the service, whatever is answered. */
export type Fate =
  | "pass"
  | "pass on, and lose the answer"
  | "pass on, and say nothing"
  | "pass on, and answer with a page"
  | "say nothing"
  | "redirect";

export interface Way {
  readonly url: string;
  /** Of each request by its method and path; all pass at first. */
  decide: (method: string, path: string) => Fate;
  /** Changes what is passed back: its headers, and its body. */
  headers: Record<string, string>;
  rewrite: (body: string) => string;
}

/** Stands between a client and the service, and is not to be trusted. */
export async function startUnreliableWay(target: string): Promise<Way> {
  const lost: unknown[] = [];
  const server = createServer((request, response) => {
    void carry(way, target, request, response).catch((error: unknown) => {
      lost.push(error);
      response.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  // What a client took for a service that is away may have been this way's own trouble.
  onTestFailed(() => {
    if (lost.length > 0) console.error("requests that were not passed on:", lost);
  });
  const { port } = server.address() as AddressInfo;
  const way: Way = {
    url: `http://127.0.0.1:${port}`,
    decide: () => "pass",
    headers: {},
    rewrite: (body) => body,
  };
  return way;
}

async function carry(
  way: Way,
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = "GET", url = "/", headers } = request;
  const fate = way.decide(method, new URL(url, target).pathname);
  if (fate === "say nothing") return;
  if (fate === "redirect") return void response.writeHead(307, { location: target + url }).end();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { host: _host, connection: _connection, ...others } = headers;
  const answer = await fetch(target + url, {
    method,
    headers: others as Record<string, string>,
    ...(method === "GET" ? {} : { body: Buffer.concat(chunks) }),
  });
  const body = way.rewrite(await answer.text());
  if (fate === "pass on, and say nothing") return;
  if (fate === "pass on, and lose the answer") return void response.destroy();
  if (fate === "pass on, and answer with a page")
    return void response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad day</h1>");
  const kept = ["content-type", "date", "retry-after", "x-correlation-id"];
  const back = kept.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  response.writeHead(answer.status, { ...Object.fromEntries(back), ...way.headers }).end(body);
}
