import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Block, kindOf, readBlocks } from "./blocks.ts";
import { differenceOf } from "./same-output.ts";
import { Terminal } from "./terminal.ts";

export interface Stage {
  /** Where the reader's terminals open, and programs are saved. */
  readonly folder: string;
  /** Where the first one opens, when that is elsewhere. */
  readonly firstFolder?: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Numbers of the document that are others here: ports that are free. */
  readonly numbers: Readonly<Record<string, string>>;
  /** Those of the reader's terminals that stay open when the document ends; whoever gives them closes them. */
  readonly terminals?: Map<string, Terminal>;
  /** A terminal in which everything was done before, and still runs. */
  readonly doneInTerminal?: string;
  /** Told of each block that has been executed. */
  readonly onExecuted?: (block: Block) => void;
}

interface Played {
  /** Commands and programs that were executed, and outputs that were compared. */
  readonly executed: number;
  readonly notExecuted: readonly string[];
}

/** Long, because a first start installs and compiles. */
const commandPatienceMs = 400_000;
/** What comes by itself, such as a webhook, comes soon. */
const outputPatienceMs = 30_000;

/** A machine without it executes neither its programs nor what shows their output. */
const hasPython = spawnSync("python3", ["--version"]).status === 0;

const runners: Readonly<Record<string, string>> = { js: "node", py: "python3" };

/**
 * Does what a reader of the document does: executes every block, in order, in the terminals that it names, and compares what
 * is printed with what the document shows.
 */
export async function playDocument(markdown: string, stage: Stage): Promise<Played> {
  const blocks = readBlocks(markdown);
  const play = new Play(stage);
  try {
    for (const block of blocks) {
      if (block.notExecuted !== undefined || block.terminal === stage.doneInTerminal) continue;
      try {
        await play.block(block);
      } catch (error) {
        throw new Error(`line ${block.line}: ${(error as Error).message}`, { cause: error });
      }
      stage.onExecuted?.(block);
    }
  } finally {
    await play.end();
  }
  const unused = play.unusedFiles();
  if (unused.length > 0) throw new Error(`nobody runs ${unused.join(", ")}`);
  const notExecuted = blocks.flatMap((block) => block.notExecuted ?? []);
  const done = blocks.filter(({ terminal }) => terminal === stage.doneInTerminal).length;
  return { executed: blocks.length - notExecuted.length - done, notExecuted };
}

class Play {
  readonly #stage: Stage;
  readonly #terminals: Map<string, Terminal>;
  /** Those that were saved under a name, until a later block uses it. */
  readonly #files = new Set<string>();
  /** Those whose command keeps running and has not been seen to print anything yet. */
  readonly #starting = new Set<Terminal>();
  #isWithout = false;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#terminals = stage.terminals ?? new Map();
  }

  async block(block: Block): Promise<void> {
    const terminal = this.#terminalOf(block);
    const text = this.#renumber(block.text);
    if (kindOf(block) !== "output") this.#isWithout = !hasPython && /\bpython3 /.test(text);
    if (this.#isWithout) console.info(`line ${block.line}: not executed, there is no python3 here`);
    for (const name of this.#files) if (text.includes(name)) this.#files.delete(name);
    if (this.#isWithout) return;
    switch (kindOf(block)) {
      case "command":
        if (block.keepsRunning) this.#starting.add(terminal);
        return terminal.execute(text, block.keepsRunning, commandPatienceMs);
      case "program":
        return this.#program(block, text, terminal);
      case "output":
        return this.#compare({ ...block, text }, terminal);
    }
  }

  unusedFiles(): string[] {
    return [...this.#files];
  }

  async end(): Promise<void> {
    if (this.#stage.terminals === undefined) await closeTerminals(this.#terminals);
  }

  /** A program whose first line names a file is saved as that; any other is run as it stands. */
  async #program({ language, line }: Block, text: string, terminal: Terminal): Promise<void> {
    const [, name] = /^(?:\/\/|#) ([\w-]+\.(?:mjs|py))\n/.exec(text) ?? [];
    const file = name ?? `.line-${line}.${language === "js" ? "mjs" : language}`;
    await writeFile(join(this.#stage.folder, file), text);
    if (name === undefined)
      return terminal.execute(`${runners[language]} ${file}\n`, false, commandPatienceMs);
    this.#files.add(name);
  }

  async #compare(block: Block, terminal: Terminal): Promise<void> {
    let difference: string | undefined;
    const patienceMs = this.#starting.delete(terminal) ? commandPatienceMs : outputPatienceMs;
    try {
      await terminal.until(() => {
        difference = differenceOf(block, terminal.output);
        return difference === undefined;
      }, patienceMs);
    } catch (cause) {
      throw new Error(difference ?? "nothing was printed", { cause });
    }
    terminal.output = "";
  }

  #terminalOf({ terminal: name }: Block): Terminal {
    const { folder, firstFolder = folder, environment } = this.#stage;
    const terminal =
      this.#terminals.get(name) ??
      new Terminal(this.#terminals.size === 0 ? firstFolder : folder, environment);
    this.#terminals.set(name, terminal);
    return terminal;
  }

  #renumber(text: string): string {
    return text.replace(/\b\d+\b/g, (number) => this.#stage.numbers[number] ?? number);
  }
}

/** Those that were opened last end first: a service goes on until its callers are gone. */
export async function closeTerminals(terminals: ReadonlyMap<string, Terminal>): Promise<void> {
  for (const terminal of [...terminals.values()].toReversed()) await terminal.close();
}
