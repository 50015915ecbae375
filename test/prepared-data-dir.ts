import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { runCommand } from "../torture/program.ts";

let made: Promise<string> | undefined;

/** A data folder that nothing runs on, set up and migrated once for the whole run; removed with it. To be copied. */
export function preparedDataDir(): Promise<string> {
  made ??= prepare(inject("preparedFolder"));
  return made;
}

/** Several processes may begin at once: the first that is ready gives it its name. */
async function prepare(parent: string): Promise<string> {
  const ready = join(parent, "ready");
  if (existsSync(ready)) return ready;
  const draft = join(await mkdtemp(join(parent, "draft-")), ".cauri");
  const { code, stderr } = await runCommand(draft, ["migrate"]);
  if (code !== 0) throw new Error(`the data folder could not be prepared: ${stderr}`);
  // Each copy finds its own port and writes its own log.
  await rm(join(draft, "postgres.port"));
  await rm(join(draft, "postgres.log"));
  try {
    await rename(draft, ready);
  } catch (error) {
    if (!existsSync(ready)) throw error;
  }
  return ready;
}
