import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { packageRoot } from "../../src/kernel/root.ts";
import { endProcess, postmasterPid } from "../../torture/program.ts";
import { type Block, readBlocks } from "../documentation/blocks.ts";
import { playDocument } from "../documentation/play-document.ts";
import { makeFolder, plainEnvironment } from "../documentation/readers-folder.ts";
import { chooseTestPort } from "../free-port.ts";

const repository = "https://git.example/cauri.git";
const commandsMax = 5;

/**
 * Plays somebody who has never seen this: a fresh clone of what is committed, and the README word for word. Two things are
 * said by the environment and not by the commands: where the repository is to be had, and a port that is free.
 */
test("a new user: the README's commands lead from git clone to a verified webhook, and everything in it is true", {
  timeout: 600_000,
}, async () => {
  const home = await makeFolder();
  const folder = join(home, "cauri");
  const dataDir = join(folder, ".cauri");
  const readme = await readFile(join(packageRoot, "README.md"), "utf8");
  const port = String(await chooseTestPort());
  onTestFinished(async () => {
    const pid = await postmasterPid(dataDir);
    if (pid !== undefined) await endProcess(pid, "SIGQUIT");
  });
  let commands = 0;
  let isVerified = false;
  const startedMs = performance.now();
  const onExecuted = (block: Block) => {
    if (!isVerified && block.language === "sh") commands += countCommands(block.text);
    if (isVerified || !block.text.includes("verified transactions/completed")) return;
    isVerified = true;
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    console.info(`from git clone to a verified webhook: ${commands} commands, ${seconds} seconds`);
  };

  const { executed, notExecuted } = await playDocument(readme, {
    firstFolder: home,
    folder,
    environment: {
      ...plainEnvironment(home),
      PORT: port,
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: `url.${await findRepository()}.insteadOf`,
      GIT_CONFIG_VALUE_0: repository,
      GIT_CONFIG_KEY_1: "safe.directory",
      GIT_CONFIG_VALUE_1: "*",
    },
    numbers: { 8080: port },
    onExecuted,
  });

  console.info(`README.md: ${executed} blocks executed, ${notExecuted.length} not`, ...notExecuted);
  expect(isVerified).toBe(true);
  expect(commands).toBeLessThanOrEqual(commandsMax);
  expect(executed + notExecuted.length).toBe(readBlocks(readme).length);
  // Ctrl-C has ended the service, and with it its PostgreSQL.
  expect(await postmasterPid(dataDir)).toBeUndefined();
});

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

/** Each line, and each part of one that stands between "&&" or ";". */
function countCommands(text: string): number {
  const lines = text.trim().replaceAll("\\\n", " ").split("\n");
  return lines.flatMap((line) => line.split(/&&|;/)).length;
}
