import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { packageRoot } from "../../src/kernel/root.ts";
import { chooseTestPort } from "../free-port.ts";
import type { Stage } from "./play-document.ts";

/** An empty folder of the test's own. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cauri-reader-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** How this machine reaches others, which is not the reader's business. */
const reachingOut =
  /^(?:npm_config_(?:registry|(?:https?_?)?proxy|noproxy|cafile)|(?:https?|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR))$/i;

/** What a reader's shell knows before anything is set in it: nothing of the settings of whoever runs the tests. */
function plainEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    LANG: "C.UTF-8",
    // npm's own: what is downloaded already is not asked for again.
    npm_config_cache: process.env["npm_config_cache"] ?? join(homedir(), ".npm"),
    npm_config_userconfig: process.env["npm_config_userconfig"] ?? join(homedir(), ".npmrc"),
    npm_config_prefer_offline: "true",
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => reachingOut.test(name))),
  };
}

const repository = "https://git.example/cauri.git";

/** A home without anything in it, from which this repository is cloned into `folder`, and ports that are free. */
export async function openReadersHome(): Promise<{ home: string; folder: string; stage: Stage }> {
  const home = await makeFolder();
  const folder = join(home, "cauri");
  const [port, receiverPort] = [await chooseTestPort(), await chooseTestPort()];
  const environment = {
    ...plainEnvironment(home),
    PORT: String(port),
    // A machine that runs other tests meanwhile is late with everything.
    EVENT_LOOP_DELAY_MAX_MS: "0",
    GIT_CONFIG_COUNT: "2",
    GIT_CONFIG_KEY_0: `url.${await findRepository()}.insteadOf`,
    GIT_CONFIG_VALUE_0: repository,
    GIT_CONFIG_KEY_1: "safe.directory",
    GIT_CONFIG_VALUE_1: "*",
  };
  const numbers = { 8080: String(port), 3000: String(receiverPort) };
  return { home, folder, stage: { folder, environment, numbers } };
}

/** This repository; of files that are in none, one that is made of them. */
async function findRepository(): Promise<string> {
  if (existsSync(join(packageRoot, ".git"))) return packageRoot;
  const copy = await makeFolder();
  const leftOut = new Set(["node_modules", "dist", ".cauri"]);
  await cp(packageRoot, copy, {
    recursive: true,
    filter: (path) => !leftOut.has(basename(path)),
  });
  const author = ["-c", "user.name=Tests", "-c", "user.email=tests@cauri.example"];
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    [...author, "commit", "-q", "-m", "all"],
  ])
    await promisify(execFile)("git", args, { cwd: copy });
  return copy;
}
