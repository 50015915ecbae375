import { readFile } from "node:fs/promises";
import { checkHistory } from "./check/check-history.ts";
import { readHistory } from "./recorder.ts";

/** `node dist/torture/history/check-file.js FILE`: checks a recorded history again. */
const [path] = process.argv.slice(2);
if (path === undefined) throw new Error("name the file of a history");
const { counts, findings } = checkHistory(readHistory(await readFile(path, "utf8")));
process.stdout.write(`${JSON.stringify({ counts, findings }, null, 2)}\n`);
process.exitCode = findings.length === 0 ? 0 : 1;
