import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { packageRoot } from "../../src/kernel/root.ts";

/** One mistake that somebody could make, and the tests that have to notice it. */
export interface Mutant {
  /** The name of its list: approvals, staff, … */
  readonly area: string;
  readonly name: string;
  /** What would be wrong, in one sentence. */
  readonly means: string;
  readonly file: string;
  /** What stands there once and only once, and what the mistake puts in its place. */
  readonly search: string;
  readonly replacement: string;
  readonly tests: readonly string[];
  /** Only the tests whose name contains this; undefined: all of the files. */
  readonly named: string | undefined;
  /** Why it makes no difference that a test could see; undefined: it makes one. */
  readonly equivalent: string | undefined;
}

const listsFolder = join(packageRoot, "test/mutants");

/** Every list of the folder, in the order of their names. */
export function readMutants(): Mutant[] {
  return readdirSync(listsFolder)
    .filter((name) => name.endsWith(".txt"))
    .toSorted()
    .flatMap((name) =>
      parseMutants(basename(name, ".txt"), readFileSync(join(listsFolder, name), "utf8")),
    );
}

/** A mutant is a block of lines; an empty line ends it. Lines that begin with # are for readers. */
function parseMutants(area: string, text: string): Mutant[] {
  const lines = text.split("\n").filter((line) => !line.startsWith("#"));
  const blocks = lines.join("\n").split(/\n\n+/);
  return blocks.filter((block) => block.trim() !== "").map((block) => parseMutant(area, block));
}

function parseMutant(area: string, block: string): Mutant {
  const lines = block.split("\n").filter((line) => line !== "");
  const field = (name: string) =>
    lines
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
      .trim();
  const needed = (name: string) => {
    const found = field(name);
    if (found === undefined) throw new Error(`${area}: no "${name}:" in\n${block}`);
    return found;
  };
  // As in a diff: what goes, what comes, and what stays around it.
  const keep = (marks: string) =>
    lines
      .filter((line) => marks.includes(line.charAt(0)))
      .map((line) => line.slice(1))
      .join("\n");
  return {
    area,
    name: needed("mutant"),
    means: needed("means"),
    file: needed("file"),
    search: keep("- "),
    replacement: keep("+ "),
    tests: needed("tests").split(/\s+/),
    named: field("named"),
    equivalent: field("equivalent"),
  };
}

/** The file with the mistake in it. Throws when it no longer has what the mistake is made of, or has it twice. */
export function plant({ name, file, search, replacement }: Mutant, source: string): string {
  const [before = "", after, ...others] = source.split(search);
  if (search === "" || after === undefined)
    throw new Error(`${name}: ${file} does not have\n${search}`);
  if (others.length > 0) throw new Error(`${name}: ${file} has more than once\n${search}`);
  if (search === replacement) throw new Error(`${name} changes nothing`);
  return before + replacement + after;
}
