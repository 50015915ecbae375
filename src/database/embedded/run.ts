import { execFile } from "node:child_process";

/** A program to run, as the current user unless `uid` and `gid` name another. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

export interface Outcome {
  readonly succeeded: boolean;
  readonly output: string;
  /** What the program said on standard error, or why it could not be started. */
  readonly complaint: string;
}

/**
 * The whole environment of the server's programs. Ours is not passed on: a server that outlives this
 * process should hold none of its secrets, LD_LIBRARY_PATH would win over the libraries shipped with
 * the binaries, and locale and time zone would make a cluster differ from machine to machine.
 */
export function serverEnvironment(): Record<string, string> {
  const ours = process.env["PATH"] ?? "";
  return { PATH: `${ours}:/usr/sbin:/usr/bin:/sbin:/bin`, LC_ALL: "C", TZ: "UTC" };
}

export function runToEnd(command: Command, limitMs: number): Promise<Outcome> {
  const { program, args, ...identity } = command;
  return new Promise((resolve) => {
    const options = { ...identity, env: serverEnvironment(), cwd: "/", timeout: limitMs };
    try {
      execFile(program, args, options, (error, output, complaint) => {
        const succeeded = error === null;
        const timedOut = error?.killed === true ? `It took longer than ${limitMs} ms.` : undefined;
        const reason = complaint.trim() || timedOut || error?.message || "";
        resolve({ succeeded, output: output.trim(), complaint: reason });
      });
    } catch (error) {
      // Some refusals of the operating system, such as EPERM for `uid`, are thrown, not reported.
      resolve({ succeeded: false, output: "", complaint: String(error) });
    }
  });
}
