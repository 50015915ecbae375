import { once } from "node:events";
import type { Server } from "node:http";
import { createServer, type Server as NetServer } from "node:net";

export interface Address {
  readonly host: string;
  readonly port: number;
  readonly backlog: number;
}

/** Another port of the same server: whoever connects there is served like everybody else. */
export async function listenAlso(server: Server, address: Address): Promise<NetServer> {
  // As node:http listens itself.
  const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    server.emit("connection", socket),
  );
  other.listen(address);
  await once(other, "listening");
  return other;
}
