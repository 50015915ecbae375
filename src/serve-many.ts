import cluster from "node:cluster";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Config } from "./config.ts";
import type { OpenDatabase } from "./database/open-database.ts";
import { RateWindows } from "./http/rate-windows.ts";
import { retiringMaxMs } from "./http/server.ts";
import { packageRoot } from "./kernel/root.ts";
import { version } from "./kernel/version.ts";
import type { Child } from "./processes/child.ts";
import { NodeMetrics } from "./processes/node-metrics.ts";
import { type Job, Supervisor } from "./processes/supervisor.ts";

/** What a process is told first: what it does, and what only the one that started it knows. */
export interface Assignment {
  readonly kind: "api" | "background";
  /** From 0, among those that answer requests. */
  readonly place: number;
  readonly processes: number;
  readonly port: number;
  readonly databaseUrl: string;
  readonly timelines: readonly (readonly [string, number])[];
  readonly version: string;
  readonly isReplacement: boolean;
}

export interface ManyProcesses {
  /** Where they listen, when all of them are ready. */
  readonly started: Promise<AddressInfo>;
  /** Rejects when they cannot go on. */
  readonly lost: Promise<never>;
  readonly restart: () => Promise<void>;
  /** Whether all of them stopped in time. */
  stop(): Promise<boolean>;
}

/** Those that stop have this long, and whoever started them the rest of ten seconds. */
const stopLimitMs = 9_000;
/** Beyond the time in which its callers leave: a stop like any other. */
const retireLimitMs = retiringMaxMs + stopLimitMs + 1_000;
const backgroundJob = "background process";

/**
 * Starts the processes that answer requests, and one for what runs beside them: as many of those would look for the same work.
 * Everything that there is once for a node, the embedded PostgreSQL and the files of the data folder, belongs to this one.
 */
export async function serveMany(
  config: Config,
  logger: Logger,
  open: OpenDatabase,
  processes: number,
): Promise<ManyProcesses> {
  cluster.setupPrimary({ exec: join(packageRoot, "dist/src/serve-process.js") });
  const { timelines } = open.database;
  const port = config.port === 0 ? await findFreePort(config.host) : config.port;
  const assignmentFor = (kind: Assignment["kind"], place: number): Job["assignment"] => {
    return (isReplacement): Assignment => ({
      kind,
      place,
      processes,
      port,
      databaseUrl: open.url,
      timelines: timelines.known,
      version,
      isReplacement,
    });
  };
  const jobs = Array.from({ length: processes }, (_, place) => ({
    name: `process ${place + 1} of ${processes}`,
    assignment: assignmentFor("api", place),
  }));
  if (hasBackground(config))
    jobs.push({ name: backgroundJob, assignment: assignmentFor("background", 0) });

  const windows = new RateWindows();
  const metrics = new NodeMetrics(() => supervisor);
  let background: Child | undefined;
  const onStarted = (child: Child, job: Job) => {
    metrics.watch(child);
    if (job.name === backgroundJob) background = child;
    child.channel.on("hint", (hint) => void background?.channel.tell("hint", hint));
    child.channel.on("timelines", (known) => timelines.learn(known as [string, number][]));
    child.channel.on("count", (asked) => {
      const { key, timeWindowMs } = asked as { key: string; timeWindowMs: number };
      return windows.count(key, timeWindowMs);
    });
  };
  const supervisor = new Supervisor({ jobs, logger, onStarted, retireLimitMs, stopLimitMs });
  timelines.onNewer(() => {
    for (const child of supervisor.children) void child.channel.tell("timelines", timelines.known);
  });
  return {
    started: supervisor.start().then(([address]) => address as AddressInfo),
    lost: supervisor.lost,
    restart: () => supervisor.restart(),
    stop: () => supervisor.stop(),
  };
}

export function hasBackground({ roles }: Pick<Config, "roles">): boolean {
  return roles.has("worker") || roles.has("webhooks");
}

/** All processes have to ask for the same one, also when none is left that listens. */
async function findFreePort(host: string): Promise<number> {
  const server = createServer().listen({ host, port: 0 });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
