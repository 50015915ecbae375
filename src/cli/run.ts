import type { Command } from "commander";
import { toVisibleJson, toVisibleLines } from "../kernel/visible.ts";
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

export function print(options: Json, { value, text, exitCode }: Outcome): void {
  process.stdout.write(`${options.json === true ? toVisibleJson(value) : toVisibleLines(text)}\n`);
  process.exitCode = exitCode ?? 0;
}
