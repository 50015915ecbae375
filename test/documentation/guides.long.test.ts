import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { endProcess, postmasterPid } from "../../torture/program.ts";
import { type Block, readBlocks } from "./blocks.ts";
import { guidesInOrder, readDocument } from "./guides.ts";
import { closeTerminals, playDocument, type Stage } from "./play-document.ts";
import { openReadersHome } from "./readers-folder.ts";
import { Terminal } from "./terminal.ts";

const commandsMax = 5;

/** What of the README is another when it is followed again: the demo company has paid once more, and the service still runs. */
const secondTime = { numbers: { 9995000: "9990000" }, doneInTerminal: "1" };

/**
 * Plays somebody who has never seen this: a fresh clone of what is committed, the README word for word, and then every guide, on the
 * service that the README has started. And all of it once more, on the same service and the same database.
 */
test("a new user: from git clone to a verified webhook by the README's commands, then every guide, all of it twice, and everything is true", {
  timeout: 1_800_000,
}, async () => {
  const { home, folder, stage } = await openReadersHome();
  const dataDir = join(folder, ".cauri");
  const terminals = new Map<string, Terminal>();
  onTestFinished(async () => {
    await closeTerminals(terminals);
    const pid = await postmasterPid(dataDir);
    if (pid !== undefined) await endProcess(pid, "SIGQUIT");
  });
  const arrival = watchForWebhook();
  const readme: Stage = { ...stage, firstFolder: home, terminals, onExecuted: arrival.onExecuted };

  const play = async (path: string, on: Stage) => {
    const text = readDocument(path);
    const { executed, notExecuted } = await playDocument(text, on).catch((error: unknown) => {
      throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
    });
    console.info(`${path}: ${executed} blocks executed, ${notExecuted.length} not`, ...notExecuted);
    return { executed, notExecuted, blocks: readBlocks(text).length };
  };
  const first = await play("README.md", readme);
  expect(first.executed + first.notExecuted.length).toBe(first.blocks);
  expect(arrival.isVerified).toBe(true);
  expect(arrival.commands).toBeLessThanOrEqual(commandsMax);
  for (const path of guidesInOrder) expect((await play(path, stage)).executed).toBeGreaterThan(0);

  const { numbers } = stage;
  const again = { ...readme, ...secondTime, numbers: { ...numbers, ...secondTime.numbers } };
  expect((await play("README.md", again)).executed).toBeGreaterThan(0);
  for (const path of guidesInOrder) await play(path, stage);

  const auditor = new Terminal(folder, stage.environment);
  await auditor.execute("npm run -s cauri -- audit --full | tail -1\n", false, 60_000);
  expect(auditor.output).toBe("The books are in order.\n");
  await auditor.close();
  // Ctrl-C ends the service, and with it its PostgreSQL.
  await closeTerminals(terminals);
  expect(await postmasterPid(dataDir)).toBeUndefined();
});

/** After how many commands and seconds the first webhook was verified. */
function watchForWebhook() {
  const startedMs = performance.now();
  const arrival = {
    commands: 0,
    isVerified: false,
    onExecuted: ({ language, text }: Block) => {
      if (arrival.isVerified) return;
      if (language === "sh") arrival.commands += countCommands(text);
      if (!text.includes("verified transactions/completed")) return;
      arrival.isVerified = true;
      const seconds = Math.round((performance.now() - startedMs) / 1_000);
      console.info(
        `from git clone to a verified webhook: ${arrival.commands} commands, ${seconds} seconds`,
      );
    },
  };
  return arrival;
}

/** Each line, and each part of one that stands between "&&" or ";". */
function countCommands(text: string): number {
  const lines = text.trim().replaceAll("\\\n", " ").split("\n");
  return lines.flatMap((line) => line.split(/&&|;/)).length;
}
