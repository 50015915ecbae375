import { type Command, CommanderError } from "commander";
import { NoDatabase } from "../database/errors.ts";
import { buildProgram } from "./program.ts";
import { audienceOf, counterpartOf, type ProgramParts } from "./vocabulary.ts";

/** What one half calls otherwise than the other: `transfer show`, `transfers get`. */
const alike: Readonly<Record<string, string>> = { show: "get", get: "show" };

/**
 * What to say to somebody who took the operator's command for the business's, or the other way round: they differ by one letter.
 * Undefined where the other half would not have understood it either.
 */
export async function pointAcross(
  parts: ProgramParts,
  args: readonly string[],
  error: unknown,
): Promise<string | undefined> {
  const [word = "", verb = "", ...rest] = args;
  const other = counterpartOf(word);
  if (other === undefined || !isFailure(error)) return undefined;
  const [here, there] = [await findNoun(parts, word), await findNoun(parts, other)];
  const mine = findVerb(here, verb);
  const theirs = findVerb(there, verb) ?? findVerb(there, alike[verb]);
  if (theirs === undefined || !wouldSuit(error, rest, mine, theirs)) return undefined;
  if (audienceOf(word) === "operator")
    return `\`cauri ${word}\` is for the operator, on the server itself. With the token of a business you want \`cauri ${other} ${theirs.name()}\`.`;
  const own = findVerb(here, alike[verb]);
  const instead = own === undefined ? "" : ` You may want \`cauri ${word} ${own.name()}\`.`;
  return `\`cauri ${word}\` is for a business, over HTTP with its token.${instead} The operator has \`cauri ${other} ${theirs.name()}\`, on the server itself.`;
}

/** The parser did not understand it, or there is no server here. */
function isFailure(error: unknown): error is CommanderError | NoDatabase {
  return error instanceof NoDatabase || (error instanceof CommanderError && error.exitCode !== 0);
}

async function findNoun(parts: ProgramParts, word: string): Promise<Command | undefined> {
  return findVerb(await buildProgram(parts, [word]), word);
}

function findVerb(command: Command | undefined, name: string | undefined): Command | undefined {
  return command?.commands.find((one) => one.name() === name);
}

/** Whether what was wrong here would not be wrong there. */
function wouldSuit(
  error: CommanderError | NoDatabase,
  rest: readonly string[],
  here: Command | undefined,
  there: Command,
): boolean {
  if (here === undefined || error instanceof NoDatabase) return true;
  const { code } = error;
  if (code === "commander.unknownOption")
    return rest.some((text) => !hasOption(here, text) && hasOption(there, text));
  const isAboutArguments =
    code === "commander.missingArgument" ||
    code === "commander.excessArguments" ||
    code === "commander.invalidArgument";
  return isAboutArguments && requiredOf(here) !== requiredOf(there);
}

function hasOption({ options }: Command, text: string): boolean {
  return options.some(({ long, short }) => text === long || text === short);
}

function requiredOf({ registeredArguments }: Command): number {
  return registeredArguments.filter(({ required }) => required).length;
}
