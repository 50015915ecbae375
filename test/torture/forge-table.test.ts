import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { attacks } from "../../torture/forge/attacks.ts";
import { describeForgeries } from "../../torture/forge/table.ts";

test("docs/reliability.md says of each forgery who notices it", () => {
  expect(readFileSync("docs/reliability.md", "utf8")).toContain(describeForgeries());
});

test("each forgery has somebody who notices it, at once and a day later", () => {
  const unnoticed = attacks.filter(({ noticed: { now, later } }) => !(now.length && later.length));
  expect(unnoticed.map(({ name }) => name)).toEqual([]);
});
