import type { Server } from "node:http";
import { Server as NetServer, type Socket } from "node:net";

const sweepEveryMs = 20;
/** How long a client that has connected but asked nothing yet may still ask. */
const silentMaxMs = 500;
/** How long a request in hand may take; below the time in which the whole service has stopped. */
const inHandMaxMs = 8_000;

/**
 * Lets a closing server end: Node closes the connections that are idle at the moment of `close`, but neither
 * those whose answer is still on its way and which their client then keeps alive, nor those that never asked, nor any that
 * came by its other ports. Returns what to call when closing begins; it resolves when the other ports have no connection left.
 */
export function drainOnClose(
  server: Server,
  otherPorts: readonly NetServer[],
): () => Promise<void> {
  const silent = new Set<Socket>();
  server.on("connection", (socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  server.on("request", ({ socket }) => silent.delete(socket));

  return () => {
    const sweep = setInterval(() => server.closeIdleConnections(), sweepEveryMs);
    const hangUpOnSilent = setTimeout(() => {
      for (const socket of silent) socket.destroy();
    }, silentMaxMs);
    const hangUpOnAll = setTimeout(() => server.closeAllConnections(), inHandMaxMs);
    const isClosed = new Promise<void>((resolve) => {
      server.once("close", resolve);
    });
    const areOthersClosed = closeAll(otherPorts);
    void Promise.all([isClosed, areOthersClosed]).finally(() => {
      clearInterval(sweep);
      clearTimeout(hangUpOnSilent);
      clearTimeout(hangUpOnAll);
    });
    return areOthersClosed;
  };
}

/**
 * Lets a server be replaced without a request lost: it takes no new connections, and goes on answering on those it has.
 * Closing an idle one could cross a request that is on its way, so each is ended by an answer that says so, or by its own time
 * limit. Resolves when all are gone or the time is over.
 */
export async function stopAccepting(servers: readonly NetServer[], limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const isOver = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([closeAll(servers), isOver]);
  clearTimeout(timer);
}

/** Resolves when the last of their connections has ended. One that is closed already is no matter. */
async function closeAll(servers: readonly NetServer[]): Promise<void> {
  const closings = servers.map(
    (server) =>
      new Promise<void>((resolve) => {
        // The one of node:http would hang up on whoever is idle.
        NetServer.prototype.close.call(server, () => resolve());
      }),
  );
  await Promise.all(closings);
}
