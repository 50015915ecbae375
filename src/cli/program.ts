import { Command, Help, type Option } from "commander";
import { writeOut } from "./run.ts";
import { type Audience, counterpartOf, type ProgramParts, vocabulary } from "./vocabulary.ts";

/** Whom a command is for, as the help has it. */
const groups: Readonly<Record<Audience, string>> = {
  operator: "For the operator, on the server itself (docs/operating.md):",
  business: "For a business, over HTTP with its token (docs/command-line.md):",
  everybody: "For everybody:",
};

/** The program, as far as its first word needs it: all of it for help, and for a word that nobody knows. */
export async function buildProgram(parts: ProgramParts, args: readonly string[]): Promise<Command> {
  const program = new Command("cauri")
    .description(
      "A payout and collection server for XOF. Settings come from the environment; see docs/operating.md.",
    )
    .version(parts.version)
    .showHelpAfterError("(add --help for the options)")
    .configureHelp({ optionDescription: describeOption })
    .hook("preAction", (_program, command) => refuseSwallowedOptions(command))
    .exitOverride();
  program.configureOutput({ writeOut, ...(parts.isSilent ? { writeErr: () => {} } : {}) });

  const known = vocabulary.filter(({ words }) => words.includes(args[0] ?? ""));
  for (const { add, audience } of known.length > 0 ? known : vocabulary) {
    const before = program.commands.length;
    await add(program, parts);
    for (const command of program.commands.slice(before)) sayWhomFor(command, audience);
  }
  return program;
}

function sayWhomFor(command: Command, audience: Audience): void {
  const group = groups[audience];
  command.helpGroup(group);
  if (audience === "everybody") return;
  const other = counterpartOf(command.name());
  const theirs = audience === "operator" ? "A business uses" : "The operator uses";
  const across = other === undefined ? "" : ` ${theirs} \`cauri ${other}\`.`;
  command.addHelpText("afterAll", `\n${group.slice(0, -1)}.${across}`);
}

function describeOption(option: Option): string {
  const said = new Help().optionDescription(option);
  return option.mandatory ? `${said} (required)` : said;
}

/** `--reference --yes`: the parser takes the second for the value of the first, and money would move under that name. */
function refuseSwallowedOptions(command: Command): void {
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (command.options.some(({ long }) => long !== undefined && long === value))
      command.error(`error: option '${option.flags}' argument missing before ${String(value)}`);
  }
}
