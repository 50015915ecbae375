import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A message as the gateway was handed it; `to` without its plus. */
export interface Sms {
  readonly to: string;
  readonly text: string;
}

/** The operator's SMS gateway, which belongs to somebody else: it takes everything and sends nothing. */
export async function openGateway(): Promise<{
  readonly url: string;
  readonly received: readonly Sms[];
  close(): Promise<void>;
}> {
  const received: Sms[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const { to, text } = (await json(request)) as Sms;
    received.push({ to: to.replace("+", ""), text });
    response.writeHead(202).end();
  };
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/messages`,
    received,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
