import { once } from "node:events";
import { createServer } from "node:net";

/** Between the ports that a service's own PostgreSQL takes and those that systems hand out for outgoing connections. */
const lowestPort = 30_000;
const portsEnd = 32_700;
const workersMax = 9;

const slice = Math.floor((portsEnd - lowestPort) / workersMax);
const worker = Number(process.env["VITEST_POOL_ID"] ?? 0) % workersMax;
let next = Math.floor(Math.random() * slice);

/**
 * A port that nobody else is about to take: each worker of the tests has its own, in turn. It is needed where a port has to
 * be known before anybody listens there; everybody else asks the system for one. With a count, it is the first of so many
 * in a row.
 */
export async function chooseTestPort(count = 1): Promise<number> {
  for (let tries = 0; tries < slice; tries += 1) {
    const place = next % slice;
    next += count;
    const first = lowestPort + worker * slice + place;
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const free = await Promise.all(ports.map(isFree));
    if (place + count <= slice && free.every(Boolean)) return first;
  }
  throw new Error("no port is free");
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen({ port, host: "127.0.0.1", exclusive: true });
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
