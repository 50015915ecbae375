import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import type { Logger } from "pino";
import { type RunningParts, startParts } from "./app.ts";
import { bannerOf } from "./banner.ts";
import { changedSettings } from "./changed-settings.ts";
import { openVault } from "./companies/vault.ts";
import type { Config } from "./config.ts";
import { type ServiceLock, takeServiceLock } from "./database/embedded/service-lock.ts";
import { settleEnvironment } from "./database/environment.ts";
import { type OpenDatabase, openAndMigrate } from "./database/open-database.ts";
import { findOrMakeDemoCompany, writeDemoSettings } from "./demo-company.ts";
import { PortInUse } from "./http/errors.ts";
import { commit } from "./kernel/commit.ts";
import { createLogger } from "./kernel/logger.ts";
import type { SecretBox } from "./kernel/secret-box.ts";
import { tidyMemoryOften } from "./kernel/tidy-memory.ts";
import { version } from "./kernel/version.ts";
import { countProcesses } from "./processes/count-processes.ts";
import { SettingsReload } from "./processes/reload-settings.ts";
import { startWatchdog, type Watchdog } from "./processes/watchdog.ts";
import { serveMany } from "./serve-many.ts";

const stopTimeoutMs = 10_000;
/** A main thread that cannot end itself by then is ended by its watchdog. */
const stopLimitMs = stopTimeoutMs + 500;
/** Ctrl-C under npm arrives twice, from the terminal and from npm: nobody presses it again so soon. */
const signalEchoMs = 500;
/** Connections that come in a crowd; one that finds no place tries again after seconds. The system may allow fewer. */
const connectionsWaitingMax = 4_096;

/** Runs the service until it is told to stop; resolves when everything is closed. */
export async function serve(config: Config): Promise<void> {
  tidyMemoryOften();
  // It never ends the service, also not while that begins.
  process.on("SIGHUP", () => {});
  const processes = countProcesses(config, availableParallelism());
  const isShared = processes > 1;
  const logger = createLogger({ level: config.logLevel, fileDescriptor: 1, isShared });
  // Before the database is asked for anything: a start that fails says as much.
  const settings = changedSettings(process.env);
  logger.info(
    { version, commit, node: process.versions.node, processes, settings },
    "Cauri starts",
  );
  const open = await openAndMigrate(config, (message, isGrave) =>
    logger[isGrave === true ? "error" : "info"](message),
  );
  try {
    await run(config, logger, open, processes);
  } finally {
    await open.close();
    logger.flush();
  }
}

async function run(
  config: Config,
  logger: Logger,
  open: OpenDatabase,
  processes: number,
): Promise<void> {
  let lock: ServiceLock | undefined;
  let serving: Serving | undefined;
  let watchdog: Watchdog | undefined;
  try {
    if (open.embedded !== undefined && config.roles.has("api"))
      lock = await takeServiceLock(open.url, config.dataDir);
    open.embedded?.supervise();
    await settleEnvironment(open.database, config.environment);
    const box = await openVault(open.database, config);
    const demo = await findOrMakeDemoCompany(config, open.database, box);
    const stopping = untilTold(logger);
    serving =
      processes > 1
        ? await serveMany(config, logger, open, processes)
        : await serveAlone(config, logger, open, box);
    watchdog = startWatchdog({ logger, blockedMaxMs: config.eventLoopBlockedMaxMs });
    const place = await Promise.race([serving.started, stopping]);
    if (place === undefined) return;
    const { address, port, family } = place;
    const url = `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
    await lock?.announce(url);
    if (demo !== undefined && config.environment === "staging") await writeDemoSettings(demo, url);
    process.stdout.write(bannerOf(config, url, demo));
    const { restart } = serving;
    const reload = new SettingsReload(config, logger, process.env);
    process.on("SIGHUP", () => (restart === undefined ? reload.run() : void restart()));
    await Promise.race([stopping, ...[lock?.lost, serving.lost].filter(isThere)]);
  } finally {
    setTimeout(() => giveUpStopping(logger), stopTimeoutMs).unref();
    watchdog?.stopWithin(stopLimitMs);
    if ((await serving?.stop()) === false) process.exitCode = 1;
    await lock?.release();
  }
}

interface Serving {
  /** Where requests are answered now. */
  readonly started: Promise<AddressInfo>;
  readonly lost?: Promise<never>;
  /** Undefined: there is nobody to serve meanwhile. */
  readonly restart?: () => Promise<void>;
  /** False: something had to be cut short. */
  stop(): Promise<boolean>;
}

async function serveAlone(
  config: Config,
  logger: Logger,
  open: OpenDatabase,
  box: SecretBox,
): Promise<Serving> {
  const parts = await startParts(config, logger, open.database, open.url, box);
  return {
    started: listenAt(config, parts, 0),
    async stop() {
      await parts.app.close();
      await parts.stop();
      return true;
    },
  };
}

/** At the address of all processes, and at the port of this one alone, if there is one. */
export async function listenAt(
  { host, port, processPorts }: Pick<Config, "host" | "port" | "processPorts">,
  { app }: RunningParts,
  place: number,
): Promise<AddressInfo> {
  const backlog = connectionsWaitingMax;
  await orPortInUse(host, port, app.listen({ host, port, backlog }));
  if (processPorts !== undefined) {
    const own = processPorts + place;
    await orPortInUse(host, own, app.listenAlso({ host, port: own, backlog }));
  }
  return app.server.address() as AddressInfo;
}

async function orPortInUse(host: string, port: number, listening: Promise<unknown>): Promise<void> {
  try {
    await listening;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw new PortInUse(host, port);
  }
}

function giveUpStopping(logger: Logger): never {
  logger.fatal("stopping took too long; what was in hand is safe in the database");
  logger.flush();
  process.exit(1);
}

function isThere<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}

/** The first SIGTERM or SIGINT asks for an orderly stop, a second one ends the process at once. */
function untilTold(logger: Logger): Promise<undefined> {
  return new Promise((resolve) => {
    let toldAtMs: number | undefined;
    const tell = (signal: NodeJS.Signals) => {
      const nowMs = performance.now();
      if (toldAtMs !== undefined && nowMs - toldAtMs > signalEchoMs) process.exit(1);
      if (toldAtMs !== undefined) return;
      toldAtMs = nowMs;
      logger.info({ signal }, "stopping: finishing the requests in hand");
      resolve(undefined);
    };
    process.on("SIGTERM", tell);
    process.on("SIGINT", tell);
  });
}
