import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { type RunningParts, startParts } from "./app.ts";
import { bannerOf } from "./banner.ts";
import { openVault } from "./companies/vault.ts";
import type { Config } from "./config.ts";
import { type ServiceLock, takeServiceLock } from "./database/embedded/service-lock.ts";
import { settleEnvironment } from "./database/environment.ts";
import { type OpenDatabase, openAndMigrate } from "./database/open-database.ts";
import { type DemoCompany, findOrMakeDemoCompany } from "./demo-company.ts";
import { PortInUse } from "./http/errors.ts";
import { createLogger } from "./kernel/logger.ts";
import { tidyMemoryOften } from "./kernel/tidy-memory.ts";

const stopTimeoutMs = 10_000;
/** Connections that come in a crowd; one that finds no place tries again after seconds. The system may allow fewer. */
const connectionsWaitingMax = 4_096;

/** Runs the service until it is told to stop; resolves when everything is closed. */
export async function serve(config: Config): Promise<void> {
  tidyMemoryOften();
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
  process.stdout.write(bannerOf(config, url, demo));
}

/** The first SIGTERM or SIGINT asks for an orderly stop, the second ends the process at once. */
function untilTold(logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    let isTold = false;
    const tell = (signal: NodeJS.Signals) => {
      if (isTold) process.exit(1);
      isTold = true;
      logger.info({ signal }, "stopping: finishing the requests in hand");
      resolve();
    };
    process.on("SIGTERM", tell);
    process.on("SIGINT", tell);
  });
}
