import { pino } from "pino";
import { buildApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { Database } from "./database/database.ts";
import { Signals } from "./database/signals.ts";
import { systemClock } from "./kernel/clock.ts";
import { Metrics } from "./kernel/metrics.ts";
import { secretBox } from "./kernel/secret-box.ts";
import { paymentsOf } from "./open-desk.ts";
import { WorkHints } from "./queues/work-hints.ts";
import { SetMetrics } from "./set-metrics.ts";

/** docs/openapi.json: the document of a default installation. Made without touching a database. */
export async function describeApiDocument(): Promise<string> {
  const config = readConfig({ LOG_LEVEL: "silent" });
  const database = new Database({ url: "postgres://unused.invalid/none", poolSize: 1 });
  const signals = new Signals("", database);
  const metrics = new Metrics();
  const parts = {
    config,
    logger: pino({ level: "silent" }),
    database,
    clock: systemClock,
    signals,
    hints: new WorkHints(signals),
    metrics,
    tracing: undefined,
    sets: new SetMetrics(metrics),
  };
  const app = await buildApp(parts, paymentsOf(parts), secretBox(Buffer.alloc(32)));
  await app.ready();
  const document = JSON.stringify(app.swagger(), null, 2);
  await app.close();
  await database.close();
  return `${document}\n`;
}
