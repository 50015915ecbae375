import process from "node:process";
import { startParts } from "./app.ts";
import { describeFailure } from "./cli/describe-failure.ts";
import { openVault } from "./companies/vault.ts";
import { type Config, readConfig } from "./config.ts";
import { openExisting } from "./database/open-database.ts";
import { Timelines } from "./database/timelines.ts";
import { createLogger } from "./kernel/logger.ts";
import { tidyMemoryOften } from "./kernel/tidy-memory.ts";
import { version } from "./kernel/version.ts";
import { Channel } from "./processes/channel.ts";
import { divideLimits } from "./processes/divide-limits.ts";
import { AnotherRelease } from "./processes/errors.ts";
import { togetherThrough } from "./processes/together.ts";
import { startWatchdog } from "./processes/watchdog.ts";
import { listenAt } from "./serve.ts";
import { type Assignment, hasBackground } from "./serve-many.ts";

/** A little less than whoever started this process gives it, so that it can say so itself. */
const stopTimeoutMs = 8_800;
/** A main thread that cannot end itself by then is ended by its watchdog; whoever started it does so a little later. */
const stopLimitMs = stopTimeoutMs + 100;
/** One that is to take another's place waits for the database: the service was up already. */
const replacementWaitMs = 3_600_000;

type Leaving = "stop" | "retire";

async function serveOneOfMany(
  config: Config,
  assignment: Assignment,
  channel: Channel,
  leaving: Promise<Leaving>,
): Promise<void> {
  if (assignment.version !== version) throw new AnotherRelease(assignment.version, version);
  const logger = createLogger({ level: config.logLevel, fileDescriptor: 1, isShared: true });
  const timelines = new Timelines(
    assignment.timelines,
    (newest) => void channel.tell("timelines", [...newest]),
  );
  channel.on("timelines", (known) => timelines.learn(known as [string, number][]));
  const own = ownConfig(config, assignment);
  const open = await openExisting({ ...own, timelines }, (message, isGrave) =>
    logger[isGrave === true ? "error" : "info"](message),
  );
  const box = await openVault(open.database, own);
  const together = togetherThrough(channel, assignment.kind === "api" && hasBackground(config));
  const parts = await startParts(own, logger, open.database, open.url, box, together);
  const watchdog = startWatchdog({ logger, blockedMaxMs: own.eventLoopBlockedMaxMs });
  const address = assignment.kind === "api" ? await listenAt(own, parts, assignment.place) : null;
  await channel.tell("ready", address);

  if ((await leaving) === "retire" && assignment.kind === "api") await parts.app.retire();
  setTimeout(() => {
    logger.fatal("stopping took too long; what was in hand is safe in the database");
    logger.flush();
    process.exit(1);
  }, stopTimeoutMs).unref();
  watchdog.stopWithin(stopLimitMs);
  await parts.app.close();
  await parts.stop();
  await channel.tell("metrics", parts.readMetrics());
  await open.close();
  logger.flush();
  process.exit(0);
}

function ownConfig(config: Config, assignment: Assignment): Config {
  const { kind, place, processes, port, databaseUrl, isReplacement } = assignment;
  const placed = {
    ...config,
    port,
    databaseUrl,
    databaseWaitMs: isReplacement ? replacementWaitMs : config.databaseWaitMs,
  };
  if (kind === "api")
    return {
      ...placed,
      ...divideLimits(config, processes, place),
      roles: new Set(["api"] as const),
    };
  return {
    ...placed,
    roles: new Set([...config.roles].filter((role) => role !== "api")),
  };
}

const channel = new Channel(process);
const leaving = new Promise<Leaving>((resolve) => {
  channel.on("stop", () => resolve("stop"));
  channel.on("retire", () => resolve("retire"));
  process.once("SIGTERM", () => resolve("stop"));
});
// A terminal sends them to all processes: whoever started this one decides what they mean.
process.on("SIGINT", () => {});
process.on("SIGHUP", () => {});
tidyMemoryOften();
channel.on("begin", (assignment) => {
  Promise.resolve()
    .then(() => readConfig(process.env))
    .then((config) => serveOneOfMany(config, assignment as Assignment, channel, leaving))
    .catch(async (error: unknown) => {
      await channel.tell("failed", describeFailure(error));
      process.exit(1);
    });
});
await channel.tell("listening");
