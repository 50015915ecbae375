import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { packageRoot } from "../../src/kernel/root.ts";
import { Program } from "../../torture/program.ts";
import type { TestDatabase } from "../fixtures.ts";
import { chooseTestPort } from "../free-port.ts";
import type { Stage } from "./play-document.ts";

/** An empty folder of the test's own. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cauri-reader-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** How this machine reaches others, which is not the reader's business. */
const reachingOut =
  /^(?:npm_config_(?:registry|(?:https?_?)?proxy|noproxy|cafile)|(?:https?|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR))$/i;

/** What a reader's shell knows before anything is set in it: nothing of the settings of whoever runs the tests. */
export function plainEnvironment(home: string): Record<string, string> {
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

/**
 * A checkout in which `npm start` was run, as the guides presuppose it: this one's files in a folder of its own, and a service
 * with a database of its own.
 */
export async function openReadersFolder(db: TestDatabase): Promise<Stage> {
  const folder = await makeFolder();
  for (const name of ["package.json", "scripts", "dist", "node_modules", "sdk"])
    await symlink(join(packageRoot, name), join(folder, name));
  await mkdir(join(folder, ".cauri"), { mode: 0o700 });

  const [port, receiverPort] = [await chooseTestPort(), await chooseTestPort()];
  const settings = { DATABASE_URL: db.url, PORT: String(port), EVENT_LOOP_DELAY_MAX_MS: "0" };
  const service = new Program(".cauri", { ...settings, LOG_LEVEL: "warn" }, folder);
  onTestFinished(async () => void (await service.end("SIGTERM")));
  await service.ready();
  return {
    folder,
    environment: { ...plainEnvironment(folder), DATABASE_URL: db.url },
    numbers: { 8080: String(port), 3000: String(receiverPort) },
  };
}
