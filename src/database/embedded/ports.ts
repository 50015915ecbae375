import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { EmbeddedUnavailable } from "./errors.ts";

/**
 * Below the ports that Linux (from 32768) and macOS (from 49152) hand out for outgoing connections.
 * Among those, a client that retries a stopped server on loopback can end up connected to itself,
 * and then holds the very port that the server needs to come back.
 */
const LOWEST_PORT = 20_000;
const PORTS_END = 30_000;

/** With even half of the ports taken, this many misses in a row do not happen. */
const ATTEMPTS = 50;

export async function chooseFreePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(LOWEST_PORT, PORTS_END);
    if (await isFree(port)) return port;
  }
  throw new EmbeddedUnavailable(
    `No free port was found on 127.0.0.1 between ${LOWEST_PORT} and ${PORTS_END}. Free some.`,
  );
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ port, host: "127.0.0.1", exclusive: true });
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
