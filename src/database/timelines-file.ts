import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writePrivateFile } from "../kernel/private-file.ts";
import { UnreadableTimelines } from "./errors.ts";
import { Timelines } from "./timelines.ts";

/** Of databases that this folder was used with one after the other. */
const systemsMax = 20;

const pathIn = (dataDir: string) => join(dataDir, "timelines.json");

/** What was seen by earlier processes of this folder; what this one sees is remembered in memory alone. */
export async function readTimelines(dataDir: string): Promise<Timelines> {
  return new Timelines(await readKnown(dataDir));
}

/** The same, and what this one sees is written down for the next. */
export async function keepTimelines(
  dataDir: string,
  log: (message: string) => void,
): Promise<Timelines> {
  let writing = Promise.resolve();
  return new Timelines(await readKnown(dataDir), (newest) => {
    const text = `${JSON.stringify(Object.fromEntries([...newest].slice(-systemsMax)))}\n`;
    writing = writing
      .then(() => writePrivateFile(pathIn(dataDir), text))
      .catch((error: Error) =>
        log(
          `The timeline of the database could not be written to ${pathIn(dataDir)} (${error.message}): after a restart, a database that went back in time would not be noticed.`,
        ),
      );
  });
}

async function readKnown(dataDir: string): Promise<[string, number][]> {
  const path = pathIn(dataDir);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw new UnreadableTimelines(path, { cause: error });
  }
  try {
    const known = Object.entries(JSON.parse(text) as object);
    if (known.every((entry): entry is [string, number] => Number.isSafeInteger(entry[1])))
      return known;
  } catch {}
  throw new UnreadableTimelines(path);
}
