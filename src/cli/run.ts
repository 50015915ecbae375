import type { Command } from "commander";
import { toVisible, toVisibleJson, toVisibleLines } from "../kernel/visible.ts";
import type { Context, Outcome } from "./context.ts";

export interface Json {
  readonly json?: boolean;
}

export interface Yes {
  readonly yes?: boolean | undefined;
}

export function withJson(command: Command): Command {
  return command.option("--json", "print exactly one JSON value, and errors as JSON too");
}

export function withYes(command: Command): Command {
  return withJson(command).option("--yes", "do not ask");
}

export async function run(
  options: Json,
  work: (context: Context) => Promise<Outcome>,
): Promise<void> {
  // A business's commands have no database, and need not load what opens one.
  const { withContext } = await import("./context.ts");
  print(options, await withContext(work));
}

/** One of many, while the command goes on. */
export function printLine(line: string): void {
  writeOut(`${toVisible(line)}\n`);
}

export function print(options: Json, { value, text, exitCode }: Outcome): void {
  writeOut(`${options.json === true ? toVisibleJson(value) : toVisibleLines(text)}\n`);
  process.exitCode = exitCode ?? 0;
}

/** Everything on standard output goes through here: what commands answer, and the parser's help. */
export function writeOut(text: string): void {
  endWithReader();
  process.stdout.write(text);
}

/** `cauri … | head`: when whoever reads has seen enough, there is nothing left to say, and nothing went wrong. */
function endWithReader(): void {
  if (process.stdout.listenerCount("error") > 0) return;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}
