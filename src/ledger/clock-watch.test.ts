import { pino } from "pino";
import { expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { Metrics } from "../kernel/metrics.ts";
import { ClockWatch } from "./clock-watch.ts";

test("a comparison of the clock that fails is logged: silence means that the clock is well", async () => {
  const lines: string[] = [];
  const logger = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  const away = { query: () => Promise.reject(new Error("away")) } as unknown as Database;
  const watch = new ClockWatch(away, logger, new Metrics());

  watch.onSync(0);

  await expect.poll(() => lines.join("")).toContain("could not be compared");
});
