import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** French and English write these alike. */
const alike = new Set([
  ..."Action Actions Active CSV Code Console Correction Date Excel Information Messages Moment Pages Signature Total".split(
    " ",
  ),
  ..."Webhook Webhooks action active code id ms note webhook-id".split(" "),
  "Excel (XLSX)",
  "30 minutes",
  // With what is given to them.
  "7",
  "7 %",
  "7 minutes",
  "7 – x",
  "7 / x",
  "plus 7",
  "Webhook 7",
]);

/** Both sides of everything that is said; what takes values is given the same ones in both. */
function* pairsOf(fr: unknown, en: unknown, path: string): Generator<[path: string, ...unknown[]]> {
  if (typeof fr === "function" && typeof en === "function") {
    const given = ["7", "x", "y"];
    yield* pairsOf(fr(...given), en(...given), path);
  } else if (typeof fr === "object" && fr !== null && typeof en === "object" && en !== null) {
    const [french, english] = [new Map(Object.entries(fr)), new Map(Object.entries(en))];
    for (const name of new Set([...french.keys(), ...english.keys()]))
      yield* pairsOf(french.get(name), english.get(name), `${path}/${name}`);
  } else yield [path, fr, en];
}

test("the console says everything in French and in English, and differently but for a few words", async () => {
  const said: [path: string, fr: unknown, en: unknown][] = [];
  for (const file of readdirSync(import.meta.dirname)) {
    if (file.endsWith(".test.ts")) continue;
    const words = Object.entries((await import(join(import.meta.dirname, file))) as object);
    for (const [name, both] of words as [string, { fr?: unknown; en?: unknown }][])
      if (both.fr !== undefined && both.en !== undefined)
        for (const [path, fr, en] of pairsOf(both.fr, both.en, `${file} ${name}`))
          said.push([path, fr, en]);
  }
  expect(said.length).toBeGreaterThan(1_000);
  expect(said.filter(([, fr, en]) => typeof fr !== typeof en)).toEqual([]);
  const same = said.filter(
    ([, fr, en]) => fr === en && !alike.has(String(fr).replaceAll(/\s/g, " ")),
  );
  expect(same.filter(([, fr]) => typeof fr === "string")).toEqual([]);
});
