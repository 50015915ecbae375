import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../../kernel/root.ts";
import { guides, readGuide } from "./guides.ts";
import { hrefOf, plainText } from "./markdown-view.tsx";
import { type MarkdownBlock, readMarkdown } from "./read-markdown.ts";

const names = guides.map(({ name }) => name);
const place = { basePath: "/base", lang: "fr" };

test("the guides are those of docs/guides/README.md, in its order and under its titles", () => {
  const list = readFileSync(join(packageRoot, "docs/guides/README.md"), "utf8");
  const listed = [...list.matchAll(/^- \[([^\]]+)\]\(([\w-]+)\.md\)/gm)];

  expect(listed.map(([, , name]) => name)).toEqual(names);
  expect(listed.map(([, title]) => title)).toEqual(guides.map(({ title }) => title.en));
});

describe.for(names)("%s", (name) => {
  const text = readGuide(name);
  const blocks = readMarkdown(text);

  test("everything that is written is shown, and no mark of Markdown is left over", () => {
    const words = (all: string) => all.match(/[\p{L}\p{N}]+/gu) ?? [];
    const written = text
      .replaceAll(/^<!--.*-->$/gm, "")
      .replaceAll(/\]\([^)]+\)/g, "]")
      .replaceAll(/^```(?:sh|js|py|json|text)$/gm, "")
      .replaceAll(/^\d\. /gm, "");
    const shown = blocks.flatMap(textsOf);

    expect(words(shown.join("\n"))).toEqual(words(written));
    const prose = blocks.filter(({ kind }) => kind !== "code").flatMap(textsOf);
    expect(prose.filter((one) => /\*\*|```|^#|\]\(/.test(one))).toEqual([]);
  });

  test("it begins with its title, and every block of code is closed", () => {
    const [first] = blocks;
    expect(first?.kind === "heading" && plainText(first.inside)).toBe(
      guides.find((one) => one.name === name)?.title.en,
    );
    expect((text.match(/^```/gm) ?? []).length).toBe(
      2 * blocks.filter(({ kind }) => kind === "code").length,
    );
  });
});

test("links lead to the guides, to the reference, or name a file of the repository", () => {
  expect(hrefOf("refunds.md", place)).toBe("/base/docs/guides/refunds?lang=fr");
  expect(hrefOf("payroll.md#what", place)).toBe("/base/docs/guides/payroll?lang=fr#what");
  expect(hrefOf("README.md", place)).toBe("/base/docs/guides?lang=fr");
  expect(hrefOf("../errors.md", place)).toBe("/base/docs?lang=fr#errors");
  expect(hrefOf("../operating.md#backup", place)).toBeUndefined();
  expect(hrefOf("#here", place)).toBe("#here");
});

test("a mark that nothing closes is a letter like any other", () => {
  expect(readMarkdown("a ` b ** c [d")).toEqual([
    {
      kind: "paragraph",
      inside: ["a ", "`", " b ", "**", " c ", "[", "d"].map((one) => ({ kind: "text", text: one })),
    },
  ]);
});

function textsOf(block: MarkdownBlock): string[] {
  if (block.kind === "list") return block.items.map(plainText);
  if (block.kind === "table") return block.rows.flat().map(plainText);
  return [block.kind === "code" ? block.text : plainText(block.inside)];
}
