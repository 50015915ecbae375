import type { IncomingMessage } from "node:http";

/** How long a caller may go on sending after its answer, so that it gets to read it. */
const lingerMs = 1_000;

/**
 * An answer that needs no body is given before the body has come. Node.js would then take the rest from the wire and
 * throw it away for as long as it comes; here the connection is closed if the end is not there soon. One that was sent
 * whole can be used again.
 */
export function cutUnread(answered: IncomingMessage): void {
  if (answered.complete) return;
  const cut = setTimeout(() => {
    if (!answered.complete) answered.destroy();
  }, lingerMs);
  cut.unref();
}
