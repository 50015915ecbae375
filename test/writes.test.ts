import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../src/kernel/root.ts";

const writing =
  /^\s*(?:insert|update|delete|merge|truncate)\b|\b(?:insert into|delete from|merge into)\s|\bupdate \w+(?: as)? \w+ set\b/;

/** Functions of the database that write, by their own text or through another one that does. */
function writingFunctions(): string[] {
  const bodies = filesOf(".sql").flatMap((path) =>
    [...read(path).matchAll(/create or replace function (\w+)\(([\s\S]*?)\$\$([\s\S]*?)\$\$/g)].map(
      ([, name = "", head = "", body = ""]) => ({ name, head, body: body.toLowerCase() }),
    ),
  );
  const found = new Set(bodies.filter(({ body }) => writing.test(body)).map(({ name }) => name));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { name, body } of bodies)
      if ([...found].some((other) => body.includes(`${other}(`))) found.add(name);
  }
  return [...found];
}

/** Each statement that is run outside a transaction as one that reads. */
function reads(path: string): string[] {
  const calls = /(?<!\btx\s*)\.query(?:<[^`;]*?>)?\(\s*sql`([^`]*)`/g;
  return [...read(path).matchAll(calls)].map(([, text = ""]) => text.toLowerCase());
}

test("what is run as a read writes nothing: a connection that breaks under a write would say that nothing was done", () => {
  const functions = writingFunctions();
  const wrong = filesOf(".ts", ".tsx")
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .flatMap((path) =>
      reads(path)
        .filter((text) => writing.test(text) || functions.some((name) => text.includes(`${name}(`)))
        .map((text) => `${path}: ${text.trim().split("\n")[0]}`),
    );

  expect(functions).toContain("submit_transfers");
  expect(wrong).toEqual([]);
});

function filesOf(...endings: readonly string[]): string[] {
  return readdirSync(join(packageRoot, "src"), { recursive: true, encoding: "utf8" })
    .map((path) => join("src", path))
    .filter((path) => endings.some((ending) => path.endsWith(ending)));
}

function read(path: string): string {
  return readFileSync(join(packageRoot, path), "utf8");
}
