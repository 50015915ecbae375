import { existsSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/kernel/root.ts";
import { applyLoad } from "../load.ts";
import { customersMax, transferPieces } from "../requests.ts";
import { run } from "./run.ts";

interface Load {
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  /** Whole ones. */
  readonly seconds: number;
  /** Loads of one database have series of their own, from 1 on: it makes their references differ. */
  readonly series: number;
}

export interface LoadResult {
  readonly answers: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Keeps every connection busy with one transfer at a time. Any answer but 201 fails the turn. */
export interface LoadGenerator {
  readonly name: string;
  apply(load: Load, stopped: AbortSignal): Promise<LoadResult>;
}

const threads = 2;

/**
 * wrk takes far less CPU than autocannon, whose own hides on a small machine what the service takes. On
 * Debian and its kin, as root, it is installed once.
 */
export async function findLoadGenerator(say: (message: string) => void): Promise<LoadGenerator> {
  if (!(await hasWrk()) && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    say("Installing wrk (apt-get) …");
    await install();
  }
  if (await hasWrk()) return { name: "wrk", apply: applyWrk };
  say(
    "wrk is not installed: autocannon makes the load, whose own cost hides part of the difference.",
  );
  return {
    name: "autocannon",
    apply: ({ url, token, connections, seconds }) =>
      applyLoad({ url: `${url}/v1/transactions`, token, connections, seconds, rows: 1 }),
  };
}

async function hasWrk(): Promise<boolean> {
  // Asked for its version it also prints how it is used, and ends with 1.
  const outcome = await run("wrk", ["--version"], { cwd: packageRoot }).catch(
    (error: Error) => error,
  );
  return !(outcome instanceof Error && (outcome as NodeJS.ErrnoException).code === "ENOENT");
}

/** What matters is whether there is a wrk afterwards. */
async function install(): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [["update"], ["install", "-y", "wrk"]])
    await run("apt-get", ["-q", ...args], { cwd: packageRoot, env }).catch(() => {});
}

async function applyWrk(load: Load, stopped: AbortSignal): Promise<LoadResult> {
  const { url, token, connections, seconds, series } = load;
  const target = new URL("/v1/transactions", url);
  const args = [
    [`--threads=${threads}`, `--connections=${connections}`, `--duration=${seconds}s`],
    ["--timeout=20s", `--script=${join(packageRoot, "bench/against/transfers.lua")}`, target.href],
    ["--", ...transferPieces(target, token), String(series), String(customersMax)],
  ].flat();
  const output = await run("wrk", args, { cwd: packageRoot, stopped });
  const line = output.trimEnd().split("\n").at(-1) ?? "";
  const { refused, broken, late, ...result } = JSON.parse(line) as LoadResult & {
    readonly refused: number;
    readonly broken: number;
    readonly late: number;
  };
  // A server that refuses is fast, so one refusal makes the whole measurement worthless.
  if (refused + broken + late > 0 || result.answers === 0)
    throw new Error(
      `of ${result.answers} answers of ${url} ${refused} were refusals; ${broken} connections broke, ${late} answers were late`,
    );
  return result;
}
