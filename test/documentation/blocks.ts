/** A fenced block of a document, and what the comment right above it says of it. */
export interface Block {
  /** Where its fence is, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** Which of the reader's terminals it belongs to. */
  readonly terminal: string;
  /** Its last command goes on until the reader ends it. */
  readonly keepsRunning: boolean;
  /** Why no test executes it. */
  readonly notExecuted: string | undefined;
}

type Kind = "command" | "program" | "output";

const kinds: Readonly<Record<string, Kind>> = {
  sh: "command",
  js: "program",
  py: "program",
  json: "output",
  text: "output",
};

export function kindOf({ language, line }: Block): Kind {
  const kind = kinds[language];
  if (kind === undefined)
    throw new Error(
      `line ${line}: "${language}" is none of ${Object.keys(kinds).join(", ")}; mark it, or give it one of those`,
    );
  return kind;
}

/**
 * The blocks of a Markdown document, in order. Above one may stand `<!-- not executed: why -->`, `<!-- terminal 2 -->` or
 * `<!-- terminal 2, keeps running -->`.
 */
export function readBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split("\n");
  let comment = "";
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const [, language] = /^```(.*)$/.exec(line) ?? [];
    if (language !== undefined) {
      const end = lines.indexOf("```", index + 1);
      if (end === -1) throw new Error(`line ${index + 1}: the block does not end`);
      const text = `${lines.slice(index + 1, end).join("\n")}\n`;
      blocks.push({ line: index + 1, language, text, ...readComment(comment, index) });
      index = end;
    }
    if (line.trim() !== "") comment = /^<!-- (.*) -->$/.exec(line)?.[1] ?? "";
  }
  return blocks;
}

function readComment(comment: string, index: number) {
  const [, reason] = /^not executed: (.+)$/.exec(comment) ?? [];
  const [, terminal = "1", running] = /^terminal (\w+)(, keeps running)?$/.exec(comment) ?? [];
  if (comment !== "" && reason === undefined && !comment.startsWith(`terminal ${terminal}`))
    throw new Error(`line ${index + 1}: what does "${comment}" mean?`);
  return { terminal, keepsRunning: running !== undefined, notExecuted: reason };
}
