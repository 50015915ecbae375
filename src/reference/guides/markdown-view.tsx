import type { JSX } from "preact";
import { Code } from "../views/code.tsx";
import { guides, guidesPath } from "./guides.ts";
import type { Inline, MarkdownBlock } from "./read-markdown.ts";

/** What of the installation links lead to. */
interface Place {
  readonly basePath: string;
  readonly lang: string;
}

/** The parts of the documentation that the reference has too, by the file in the repository. */
const inReference: Readonly<Record<string, string>> = {
  "../errors.md": "errors",
  "../webhooks.md": "topics",
};

/** What stands above a block of code: what it is, in words that need no translation. */
const codeTitles: Readonly<Record<string, string>> = {
  sh: "shell",
  js: "JavaScript",
  py: "Python",
  json: "JSON",
  text: "stdout",
};

export function MarkdownView({
  blocks,
  place,
}: {
  readonly blocks: readonly MarkdownBlock[];
  readonly place: Place;
}) {
  return (
    <>
      {blocks.map((block, index) => (
        <Block key={index} block={block} place={place} />
      ))}
    </>
  );
}

function Block({ block, place }: { readonly block: MarkdownBlock; readonly place: Place }) {
  if (block.kind === "table") return <Table rows={block.rows} place={place} />;
  if (block.kind === "list") return <List block={block} place={place} />;
  if (block.kind === "code")
    return <Code title={codeTitles[block.language] ?? block.language} text={block.text} />;
  const inside = inline(block.inside, place);
  if (block.kind === "paragraph") return <p>{inside}</p>;
  const Heading = `h${block.level + 1}` as "h2" | "h3" | "h4";
  return <Heading id={slugOf(plainText(block.inside))}>{inside}</Heading>;
}

function List({
  block: { isNumbered, items },
  place,
}: {
  readonly block: Extract<MarkdownBlock, { kind: "list" }>;
  readonly place: Place;
}) {
  const rows = items.map((item, index) => <li key={index}>{inline(item, place)}</li>);
  return isNumbered ? <ol>{rows}</ol> : <ul>{rows}</ul>;
}

function Table({
  rows: [head = [], ...rows],
  place,
}: {
  readonly rows: readonly (readonly (readonly Inline[])[])[];
  readonly place: Place;
}) {
  return (
    // A table that is wider than the screen is moved by itself, by keyboard too.
    <div class="table" tabindex={0} role="region" aria-label={head.map(plainText).join(", ")}>
      <table>
        <thead>
          <tr>
            {head.map((cell, index) =>
              cell.length === 0 ? <td key={index} /> : <th key={index}>{inline(cell, place)}</th>,
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{inline(cell, place)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inline(pieces: readonly Inline[], place: Place): JSX.Element[] {
  return pieces.map((piece, index) => {
    if ("text" in piece)
      return piece.kind === "code" ? <code key={index}>{piece.text}</code> : <>{piece.text}</>;
    if (piece.kind === "strong") return <strong key={index}>{inline(piece.inside, place)}</strong>;
    return <Link key={index} target={piece.target} inside={piece.inside} place={place} />;
  });
}

/** A file that this service does not show is named by its place in the repository, where whoever follows a guide is. */
function Link({
  target,
  inside,
  place,
}: {
  readonly target: string;
  readonly inside: readonly Inline[];
  readonly place: Place;
}) {
  const href = hrefOf(target, place);
  const words = inline(inside, place);
  if (href !== undefined) return <a href={href}>{words}</a>;
  const file = fileOf(target);
  if (plainText(inside) === file) return <code>{file}</code>;
  return (
    <>
      {words} (<code>{file}</code>)
    </>
  );
}

/** Undefined for what is in the repository only. */
export function hrefOf(target: string, { basePath, lang }: Place): string | undefined {
  const [path = "", anchor] = target.split("#", 2);
  const hash = anchor === undefined ? "" : `#${anchor}`;
  if (path === "") return hash;
  const name = path.replace(/\.md$/, "");
  if (path === "README.md") return `${basePath}${guidesPath}?lang=${lang}`;
  if (guides.some((guide) => guide.name === name))
    return `${basePath}${guidesPath}/${name}?lang=${lang}${hash}`;
  const section = inReference[path];
  return section === undefined ? undefined : `${basePath}/docs?lang=${lang}#${section}`;
}

/** Its path from the top of the repository. */
function fileOf(target: string): string {
  return new URL(target, "file:///docs/guides/").pathname.slice(1);
}

export function plainText(pieces: readonly Inline[]): string {
  return pieces.map((piece) => ("text" in piece ? piece.text : plainText(piece.inside))).join("");
}

function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
