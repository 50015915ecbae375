import { fork } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../src/kernel/root.ts";
import type { Book } from "./postgres.ts";
import type { ServerMessage } from "./server.ts";

/** The argument by which bench/main knows that it is to be the server under test. */
export const serverArgument = "serve-under-test";

export interface Counts {
  /** Statements sent to the database. */
  readonly statements: number;
  /** Calls of submit_transfers. */
  readonly sets: number;
}

export interface Service {
  readonly url: string;
  /** CPU time of the server process so far. */
  cpuMs(): Promise<number>;
  counts(): Promise<Counts>;
  stop(): Promise<void>;
}

const answerLimitMs = 30_000;

/**
 * Starts the service in a process of its own, with its defaults whatever the environment of the bench
 * says. Its log lines are made and thrown away: the disk belongs to the database.
 */
export async function startService(
  book: Book,
  roles: string,
  stopped: AbortSignal,
): Promise<Service> {
  const child = fork(join(packageRoot, "dist/bench/main.js"), [serverArgument], {
    env: { DATABASE_URL: book.url, ROLES: roles, PORT: "0" },
    stdio: ["ignore", openSync(devNull, "w"), "inherit", "ipc"],
    signal: stopped,
    execArgv:
      book.profileFolder === undefined
        ? []
        : ["--cpu-prof", `--cpu-prof-dir=${book.profileFolder}`],
  });
  // When the bench is stopped the child is killed, and says so as an error.
  child.on("error", () => {});
  const exit = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const endedEarly = exit.then(() => Promise.reject(new Error("the server under test went away")));
  endedEarly.catch(() => {});
  const answer = async <Kind extends ServerMessage["kind"]>(kind: Kind) => {
    const limit = AbortSignal.timeout(answerLimitMs);
    const message = once(child, "message", { signal: limit });
    const [said] = (await Promise.race([message, endedEarly])) as ServerMessage[];
    if (said?.kind !== kind) throw new Error(`expected ${kind}, heard ${JSON.stringify(said)}`);
    return said as Extract<ServerMessage, { kind: Kind }>;
  };

  const { url } = await answer("listening");
  return {
    url,
    cpuMs: async () => {
      child.send("usage");
      return (await answer("usage")).cpuMs;
    },
    counts: () => readCounts(url),
    stop: async () => {
      if (child.connected) child.disconnect();
      await exit;
    },
  };
}

async function readCounts(url: string): Promise<Counts> {
  const response = await fetch(`${url}/metrics`);
  const text = await response.text();
  const read = (name: string) => Number(new RegExp(`^${name} (.+)$`, "m").exec(text)?.[1] ?? 0);
  return {
    statements: read("cauri_database_statements(?:_total)?"),
    sets: read("cauri_submission_set_size_count"),
  };
}
