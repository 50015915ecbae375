import type { ClientConfig } from "pg";
import type { Pace } from "./pace.ts";
import { connectToPrimary } from "./primary-client.ts";
import { Servers } from "./servers.ts";
import type { Timelines } from "./timelines.ts";

const everyMs = 1_000;
/** A commit takes milliseconds. What waits for somebody's lock may take longer: then it is asked in vain. */
const waitingAfterMs = 1_000;

interface Elsewhere extends ClientConfig {
  readonly servers: Servers;
  readonly timelines: Timelines;
}

/**
 * While a write does not come back, asks the other servers where they stand. A primary that stood still during a failover wakes up on the old
 * timeline and waits for a standby that follows another primary by then: its connections stay open, so nothing else would make the
 * service look. A newer timeline that is seen cuts them: see `Timelines`. Returns what ends it.
 */
export function lookElsewhere(config: Elsewhere, pace: Pace): () => void {
  if (config.servers.count === 1) return () => {};
  let isLooking = false;
  const look = async () => {
    if (isLooking || pace.longestMs < waitingAfterMs) return;
    isLooking = true;
    await Promise.all(config.servers.others.map((url) => ask(url, config)));
    isLooking = false;
  };
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Connecting is asking: what the server says of its timeline is remembered. Why it cannot be used decides nothing here. */
async function ask(url: string, { servers, ...config }: Elsewhere): Promise<void> {
  await connectToPrimary({
    ...config,
    servers: new Servers(url),
    durability: undefined,
    connectionTimeoutMillis: servers.connectTimeoutMs,
  }).then(
    (client) => client.end(),
    () => undefined,
  );
}
