import { Argument, type Command } from "commander";
import { withExample } from "../business-options.ts";
import { tableCommands } from "../completion/command-table.ts";
import { type Shell, shells, toScript } from "../completion/to-script.ts";
import { buildProgram } from "../program.ts";
import { type Json, print, withJson } from "../run.ts";
import type { ProgramParts } from "../vocabulary.ts";

export function addCompletionCommand(program: Command, parts: ProgramParts): void {
  withExample(
    withJson(program.command("completion")),
    'eval "$(cauri completion bash)"    (in ~/.bashrc)',
    'eval "$(cauri completion zsh)"     (in ~/.zshrc, after compinit)',
    "cauri completion fish > ~/.config/fish/completions/cauri.fish",
  )
    .description("Print a program for your shell that completes commands and options")
    .addArgument(new Argument("<shell>", "yours").choices(shells))
    .action(async (shell: Shell, options: Json) => {
      const script = toScript(shell, tableCommands(await buildProgram(parts, [])));
      print(options, { value: { shell, script }, text: script });
    });
}
