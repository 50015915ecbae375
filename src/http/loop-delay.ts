import { monitorEventLoopDelay } from "node:perf_hooks";
import type { FastifyInstance } from "fastify";

const resolutionMs = 10;
const sampleEveryMs = 1_000;

/** Tells whether the event loop was behind during the last second: then every answer would be late. 0 as the maximum: never. */
export function watchLoopDelay(app: FastifyInstance, maxMs: number): () => boolean {
  if (maxMs === 0) return () => false;
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  let isBehind = false;
  const timer = setInterval(() => {
    // NaN: blocked for the whole second.
    isBehind = !(delays.mean / 1e6 - resolutionMs <= maxMs);
    delays.reset();
  }, sampleEveryMs);
  timer.unref();
  app.addHook("onClose", async () => {
    clearInterval(timer);
    delays.disable();
  });
  return () => isBehind;
}
