import type { Command } from "commander";
import { toVisibleJson, toVisibleLines } from "../kernel/visible.ts";
import { type Context, type Outcome, withContext } from "./context.ts";

export interface Json {
  readonly json?: boolean;
}

export function withJson(command: Command): Command {
  return command.option("--json", "print exactly one JSON value");
}

export function withYes(command: Command): Command {
  return withJson(command).option("--yes", "do not ask");
}

export async function run(
  options: Json,
  work: (context: Context) => Promise<Outcome>,
): Promise<void> {
  print(options, await withContext(work));
}

export function print(options: Json, { value, text, exitCode }: Outcome): void {
  process.stdout.write(`${options.json === true ? toVisibleJson(value) : toVisibleLines(text)}\n`);
  process.exitCode = exitCode ?? 0;
}
