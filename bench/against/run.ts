import { execFile } from "node:child_process";
import { promisify } from "node:util";

export interface RunOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly stopped?: AbortSignal;
}

/** More than any program says that is run here. */
const outputBytesMax = 16 * 1024 * 1024;

/** Runs a program to its end and returns what it printed; one that fails is an error with its complaint. */
export async function run(
  program: string,
  args: readonly string[],
  { cwd, env, stopped }: RunOptions,
): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, {
    cwd,
    maxBuffer: outputBytesMax,
    ...(env === undefined ? {} : { env }),
    ...(stopped === undefined ? {} : { signal: stopped }),
  });
  return stdout;
}
