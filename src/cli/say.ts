import { toVisibleLines } from "../kernel/visible.ts";

/** On standard error, because standard output is for the answer of the command. */
export function say(text: string): void {
  process.stderr.write(`${toVisibleLines(text)}\n`);
}
