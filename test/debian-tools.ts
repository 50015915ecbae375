import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/** A program that tests run, how to see whether it will do, and Debian's packages of it. */
export interface Tool {
  readonly command: string;
  readonly probe: readonly string[];
  readonly packages: readonly string[];
}

/** On Debian, as root, what is missing is installed. Elsewhere: the reason why its tests are skipped. */
export function whyToolMissing(tool: Tool): string | undefined {
  const { command, packages } = tool;
  if (isThere(tool)) return undefined;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    process.stderr.write(`Installing ${packages.join(" and ")} for the tests …\n`);
    // Tests of several files may find it missing at once: they wait for each other.
    install(["update", "-q"]);
    install(["install", "-y", "-q", "--no-install-recommends", ...packages]);
  }
  return isThere(tool)
    ? undefined
    : `${command} is not installed here (Debian: apt-get install ${packages.join(" ")}): what needs it was not run`;
}

function isThere({ command, probe }: Tool): boolean {
  try {
    execFileSync(command, probe, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** What matters is whether it is there afterwards. */
function install(args: readonly string[]): void {
  try {
    execFileSync("apt-get", ["-o", "DPkg::Lock::Timeout=300", ...args], {
      stdio: "ignore",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  }
}
