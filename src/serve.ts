import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import type { Logger } from "pino";
import { type RunningParts, startParts } from "./app.ts";
import { bannerOf } from "./banner.ts";
import { openVault } from "./companies/vault.ts";
import type { Config } from "./config.ts";
import { type ServiceLock, takeServiceLock } from "./database/embedded/service-lock.ts";
import { settleEnvironment } from "./database/environment.ts";
import { type OpenDatabase, openAndMigrate } from "./database/open-database.ts";
import { type DemoCompany, findOrMakeDemoCompany, writeDemoSettings } from "./demo-company.ts";
import { PortInUse } from "./http/errors.ts";
import { createLogger } from "./kernel/logger.ts";

const stopTimeoutMs = 10_000;
/** Ctrl-C under npm arrives twice, from the terminal and from npm: nobody presses it again so soon. */
const signalEchoMs = 500;
/** Connections that come in a crowd; one that finds no place tries again after seconds. The system may allow fewer. */
const connectionsWaitingMax = 4_096;

/**
 * By how much of what is in use the memory grows before it is cleaned up as a whole. Left alone it grows to four times as much
 * while an export is written: docs/decisions/0150-memory-of-exports.md.
 */
const heapGrowingPercent = 50;

/** Runs the service until it is told to stop; resolves when everything is closed. */
export async function serve(config: Config): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);
  const logger = createLogger({ level: config.logLevel, fileDescriptor: 1 });
  const open = await openAndMigrate(config, (message, isGrave) =>
    logger[isGrave === true ? "error" : "info"](message),
  );
  try {
    await run(config, logger, open);
  } finally {
    await open.close();
    logger.flush();
  }
}

async function run(config: Config, logger: Logger, open: OpenDatabase): Promise<void> {
  let lock: ServiceLock | undefined;
  let parts: RunningParts | undefined;
  try {
    if (open.embedded !== undefined && config.roles.has("api"))
      lock = await takeServiceLock(open.url, config.dataDir);
    open.embedded?.supervise();
    await settleEnvironment(open.database, config.environment);
    const box = await openVault(open.database, config);
    const demo = await findOrMakeDemoCompany(config, open.database, box);
    parts = await startParts(config, logger, open.database, open.url, box);
    const stopping = untilTold(logger);
    await listen(config, parts, lock, demo);
    await (lock === undefined ? stopping : Promise.race([stopping, lock.lost]));
  } finally {
    setTimeout(() => {
      logger.fatal("stopping took too long; what was in hand is safe in the database");
      logger.flush();
      process.exit(1);
    }, stopTimeoutMs).unref();
    await parts?.app.close();
    await parts?.stop();
    await lock?.release();
  }
}

async function listen(
  config: Config,
  parts: RunningParts,
  lock: ServiceLock | undefined,
  demo: DemoCompany | undefined,
): Promise<void> {
  try {
    await parts.app.listen({
      host: config.host,
      port: config.port,
      backlog: connectionsWaitingMax,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw new PortInUse(config.host, config.port);
  }
  const { address, port, family } = parts.app.server.address() as AddressInfo;
  const url = `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
  await lock?.announce(url);
  if (demo !== undefined && config.environment === "staging") await writeDemoSettings(demo, url);
  process.stdout.write(bannerOf(config, url, demo));
}

/** The first SIGTERM or SIGINT asks for an orderly stop, a second one ends the process at once. */
function untilTold(logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    let toldAtMs: number | undefined;
    const tell = (signal: NodeJS.Signals) => {
      const nowMs = performance.now();
      if (toldAtMs !== undefined && nowMs - toldAtMs > signalEchoMs) process.exit(1);
      if (toldAtMs !== undefined) return;
      toldAtMs = nowMs;
      logger.info({ signal }, "stopping: finishing the requests in hand");
      resolve();
    };
    process.on("SIGTERM", tell);
    process.on("SIGINT", tell);
  });
}
