import type pg from "pg";
import { safeIntegers } from "./safe-integers.ts";
import { timeLimits } from "./time-limits.ts";

/** Of an idle connection; after this long the system asks whether the other end is still there. */
const keepAliveAfterMs = 10_000;

/** What every connection of a pool is opened with, whichever server it goes to. */
export function sessionSettings(statementTimeoutMs: number | undefined): pg.ClientConfig {
  return {
    application_name: `cauri:${process.pid}`,
    // What happens without them was measured: docs/decisions/0119-settings-of-the-planner.md.
    options: "-c enable_seqscan=off -c jit=off",
    types: safeIntegers,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    ...timeLimits(statementTimeoutMs),
  };
}
