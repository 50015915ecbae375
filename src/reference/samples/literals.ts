/** How a language writes a value of JSON. */
interface Notation {
  readonly text: (value: string) => string;
  readonly words: { readonly true: string; readonly false: string; readonly null: string };
  readonly brackets: { readonly list: string; readonly object: string };
  readonly member: (name: string, value: string) => string;
  readonly indent: string;
}

const plain = { true: "true", false: "false", null: "null" };

/** JSON is a notation of its own, and nearly that of the others. */
const json: Notation = {
  text: (value) => JSON.stringify(value),
  words: plain,
  brackets: { list: "[]", object: "{}" },
  member: (name, value) => `${JSON.stringify(name)}: ${value}`,
  indent: "  ",
};

export const typescriptNotation: Notation = {
  ...json,
  member: (name, value) => `${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}: ${value}`,
};

export const pythonNotation: Notation = {
  ...json,
  words: { true: "True", false: "False", null: "None" },
  indent: "    ",
};

/** Between single quotes PHP reads a dollar sign as itself. */
export const phpNotation: Notation = {
  text: phpText,
  words: plain,
  brackets: { list: "[]", object: "[]" },
  member: (name, value) => `${phpText(name)} => ${value}`,
  indent: "    ",
};

function phpText(value: string): string {
  return `'${value.replaceAll(/[\\']/g, (sign) => `\\${sign}`)}'`;
}

/** A value as it is written in a program, over several lines when it has parts; `margin` stands before each but the first. */
export function toLiteral(notation: Notation, value: unknown, margin = ""): string {
  if (typeof value === "string") return notation.text(value);
  if (value === null) return notation.words.null;
  if (typeof value === "boolean") return notation.words[value ? "true" : "false"];
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = margin + notation.indent;
  const parts = Array.isArray(value)
    ? value.map((item) => toLiteral(notation, item, inner))
    : Object.entries(value).map(([name, part]) =>
        notation.member(name, toLiteral(notation, part, inner)),
      );
  const [open, close] = notation.brackets[Array.isArray(value) ? "list" : "object"];
  if (parts.length === 0) return `${open}${close}`;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${margin}${close}`;
}
