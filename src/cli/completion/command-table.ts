import type { Command } from "commander";

/** Words that can follow, and after what. */
export interface Case {
  readonly after: string;
  readonly words: readonly string[];
}

/** What can be typed where. A path is `/transfers/send`, and empty before the first word. */
export interface CommandTable {
  /** The paths of all commands. */
  readonly paths: readonly string[];
  /** After a path and an option that takes a value (`/trigger --status`): the values, or none where any word will do. */
  readonly values: readonly Case[];
  /** After a path: its options. */
  readonly options: readonly Case[];
  /** After a path and how many arguments were given (`/trigger 0`): commands below it, or values of the argument. */
  readonly words: readonly Case[];
}

/** From the tree itself, so that no command and no option can be forgotten. */
export function tableCommands(program: Command): CommandTable {
  const places = placesBelow(program, "");
  return {
    paths: places.flatMap(({ path }) => (path === "" ? [] : [path])),
    values: places.flatMap(({ path, command }) =>
      optionsOf(command)
        .filter(({ required, optional }) => required || optional)
        .flatMap(({ long, short, argChoices: words = [] }) =>
          [long, short].flatMap((name) =>
            name === undefined ? [] : [{ after: `${path} ${name}`, words }],
          ),
        ),
    ),
    options: places.map(({ path, command }) => ({
      after: path,
      words: optionsOf(command).flatMap(({ long, short }) =>
        [long, short].filter((name) => name !== undefined),
      ),
    })),
    words: places.flatMap(({ path, command }) => [
      ...(command.commands.length === 0
        ? []
        : [{ after: `${path} 0`, words: command.commands.map((one) => one.name()) }]),
      ...command.registeredArguments.flatMap(({ argChoices: words }, index) =>
        words === undefined ? [] : [{ after: `${path} ${index}`, words }],
      ),
    ]),
  };
}

interface Located {
  readonly path: string;
  readonly command: Command;
}

function placesBelow(command: Command, path: string): Located[] {
  const below = command.commands.flatMap((one) => placesBelow(one, `${path}/${one.name()}`));
  return [{ path, command }, ...below];
}

/** Those that --help shows, itself included. */
function optionsOf(command: Command) {
  return command.createHelp().visibleOptions(command);
}
