import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../src/kernel/root.ts";

const texts = readdirSync(join(packageRoot, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path) && !path.includes(".test."))
  .map((path) => ({ path, text: readFileSync(join(packageRoot, "src", path), "utf8") }));

/** By the name of each class, that of the class above it. */
const above = new Map(
  texts.flatMap(({ text }) =>
    [...text.matchAll(/\bclass (\w+) extends (\w+)/g)].map(([, name = "", base = ""]) => [
      name,
      base,
    ]),
  ),
);

/** Errors of which people and programs are told, in their language. */
function isTold(name: string): boolean {
  const base = above.get(name);
  return base !== undefined && (base === "DomainError" || isTold(base));
}

test("no error is made of one language only, wherever it is thrown", () => {
  const found = texts.flatMap(({ path, text }) => {
    const own = text.split(/(?=\bclass \w)/).flatMap((part) => {
      const [, name = ""] = /^class (\w+)/.exec(part) ?? [];
      return isTold(name) && /\bsuper\(\s*["`]/.test(part) ? [`${path}: ${name}`] : [];
    });
    const made = [...text.matchAll(/\bnew (\w+)\(\s*(?:"[^"]* [^"]*"|`[^`]* [^`]*`)/g)];
    const thrown = made.filter(([, name = ""]) => isTold(name)).map(([all]) => `${path}: ${all}`);
    return [...own, ...thrown];
  });
  expect([...above.keys()].filter(isTold).length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});
