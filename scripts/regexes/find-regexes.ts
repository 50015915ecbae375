import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** A regular expression of the sources. */
interface FoundRegex {
  readonly file: string;
  readonly line: number;
  readonly pattern: string;
  readonly flags: string;
}

/**
 * What cannot be looked at here: an expression that is put together while the program runs, or `normalize`, which takes
 * the square of the accents that stand in a row.
 */
interface UnreadRegex {
  readonly file: string;
  readonly line: number;
  readonly code: string;
}

export interface Regexes {
  readonly found: readonly FoundRegex[];
  readonly unread: readonly UnreadRegex[];
}

/** Methods of a text that make an expression of a text they are given. */
const makesRegex = new Set(["match", "matchAll", "search"]);
/** Schemas are compiled with the flag u. */
const schemaFlags = "u";

/** Every regular expression in the sources of the service and the SDK: literals, `RegExp`, and the patterns of schemas. */
export function findRegexes(root: string): Regexes {
  const sources = ["src", "sdk/src"].flatMap((folder) => sourcesIn(root, folder));
  const constants = new Map<string, string>();
  for (const source of sources) collectConstants(source, constants);
  const found: FoundRegex[] = [];
  const unread: UnreadRegex[] = [];
  for (const source of sources) {
    const place = (node: ts.Node) => ({
      file: source.fileName,
      line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1,
    });
    const addText = (node: ts.Node, value: ts.Expression, flags: string) => {
      const pattern = textOf(value, constants);
      if (pattern === undefined) unread.push({ ...place(node), code: node.getText(source) });
      else found.push({ ...place(node), pattern, flags });
    };
    visit(source, (node) => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf("/");
        const [pattern, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
        found.push({ ...place(node), pattern, flags });
      } else if (isRegExpCall(node)) {
        const [pattern, flags] = node.arguments ?? [];
        if (pattern !== undefined && !ts.isRegularExpressionLiteral(pattern))
          addText(node, pattern, (flags && textOf(flags, constants)) ?? "");
      } else if (isCallOf(node, (name) => name === "normalize")) {
        unread.push({ ...place(node), code: "normalize()" });
      } else if (isCallOf(node, (name) => makesRegex.has(name))) {
        const [pattern] = node.arguments;
        if (pattern !== undefined && ts.isStringLiteralLike(pattern)) addText(node, pattern, "");
      } else if (isPatternProperty(node)) {
        const value = ts.isShorthandPropertyAssignment(node) ? node.name : node.initializer;
        addText(node, value, schemaFlags);
      }
    });
  }
  found.push(...["src", "migrations"].flatMap((folder) => regexesOfSql(root, folder)));
  return { found, unread };
}

/** What statements and constraints compare texts with, by the operator ~ and its kin. */
function regexesOfSql(root: string, folder: string): FoundRegex[] {
  return namesIn(root, folder, /\.(?:sql|ts)$/).flatMap((name) => {
    const lines = readFileSync(join(root, name), "utf8").split("\n");
    return lines.flatMap((text, place) =>
      [...text.matchAll(/ !?~\*? '((?:[^']|'')*)'/g)].map(([, pattern = ""]) => ({
        file: name,
        line: place + 1,
        pattern,
        flags: "",
      })),
    );
  });
}

function namesIn(root: string, folder: string, wanted: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => wanted.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`)
    .toSorted();
}

function sourcesIn(root: string, folder: string): ts.SourceFile[] {
  return namesIn(root, folder, /\.(?:tsx?|js)$/).map((name) => {
    const text = readFileSync(join(root, name), "utf8");
    return ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  });
}

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  node.forEachChild((child) => visit(child, look));
}

/** Texts that have a name, wherever it is used. */
function collectConstants(source: ts.SourceFile, constants: Map<string, string>): void {
  visit(source, (node) => {
    if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name)) return;
    if (node.initializer !== undefined && ts.isStringLiteralLike(node.initializer))
      constants.set(node.name.text, node.initializer.text);
  });
}

function textOf(node: ts.Expression, constants: ReadonlyMap<string, string>): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isIdentifier(node)) return constants.get(node.text);
  if (!ts.isTemplateExpression(node)) return undefined;
  const parts = node.templateSpans.map(({ expression, literal }) => {
    const value = textOf(expression, constants);
    return value === undefined ? undefined : value + literal.text;
  });
  return parts.includes(undefined) ? undefined : node.head.text + parts.join("");
}

function isRegExpCall(node: ts.Node): node is ts.CallExpression | ts.NewExpression {
  return (
    (ts.isCallExpression(node) || ts.isNewExpression(node)) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === "RegExp"
  );
}

function isCallOf(node: ts.Node, isWanted: (name: string) => boolean): node is ts.CallExpression {
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    isWanted(node.expression.name.text)
  );
}

function isPatternProperty(
  node: ts.Node,
): node is ts.PropertyAssignment | ts.ShorthandPropertyAssignment {
  return (
    (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) &&
    ts.isIdentifier(node.name) &&
    node.name.text === "pattern"
  );
}
