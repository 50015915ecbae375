import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const macPaths = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The system's browser; undefined when there is none. */
function findChromium(): string | undefined {
  const named = process.env["CHROMIUM_PATH"];
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const candidates = [
    ...(named === undefined ? [] : [named]),
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...macPaths,
  ];
  return candidates.find(isExecutable);
}

/**
 * Makes sure that there is a browser. On Debian and its kin, as root, it is installed once; elsewhere the
 * person at the keyboard knows better how, and is told what is missing.
 */
export function ensureChromium(): string {
  const found = findChromium();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    process.stderr.write("Installing chromium for the tests of the pages (apt-get) …\n");
    // A source that cannot be reached just now need not be the one that has it.
    tryTo(() => install(["update", "-q"]));
    // With what it recommends: the fonts are among that, and a page without letters has no size.
    tryTo(() => install(["install", "-y", "-q", "chromium"]));
  }
  const installed = findChromium();
  if (installed === undefined) {
    throw new Error(
      "The pages are tested in a real browser, and none was found. Install Chromium or Google Chrome " +
        "(Debian: apt-get install chromium), or name one: CHROMIUM_PATH=/path/to/chromium",
    );
  }
  return installed;
}

/** What matters is whether there is a browser afterwards. */
function tryTo(act: () => void): void {
  try {
    act();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  }
}

function install(args: readonly string[]): void {
  execFileSync("apt-get", args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}

/** Nothing that a browser does of its own accord: no updates, no reports, no other network. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: ensureChromium(), args: flags });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
