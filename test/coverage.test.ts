import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { auditChecks } from "../src/audit-checks.ts";
import { readCatalog } from "../torture/tamper/catalog.ts";
import {
  describeCoverage,
  harmlessPlaces,
  readCoverage,
  whyHarmless,
} from "../torture/tamper/coverage.ts";
import { test } from "./fixtures.ts";

test("docs/coverage.md says of every column of every table what notices a change, or why nothing has to", async ({
  db,
}) => {
  const coverage = readCoverage();
  const places = (await readCatalog(db.database)).flatMap(({ name, columns }) =>
    columns.map((column) => `${name}.${column.name}`),
  );
  const declared = (place: string) => [coverage[place], whyHarmless(place)].filter((by) => by);
  expect(places.filter((place) => declared(place).length !== 1)).toEqual([]);

  const known = new Set([...places, ...places.map((place) => place.split(".", 1)[0] ?? "")]);
  const gone = [...Object.keys(coverage), ...harmlessPlaces.keys()].filter(
    (place) => !known.has(place.replace(/(?: \(|\.\*).*$/, "")),
  );
  expect(gone).toEqual([]);
  expect(readFileSync("docs/coverage.md", "utf8")).toBe(describeCoverage());
});

test("each check that a column is said to be noticed by is one of the audit", () => {
  const names = new Set(auditChecks.map(({ name }) => name));
  names.add("each key that seals are signed with is the operator's own");
  const wrong = Object.values(readCoverage()).filter(
    (by) => !by.startsWith("constraint: ") && !names.has(by),
  );
  expect([...new Set(wrong)]).toEqual([]);
});
