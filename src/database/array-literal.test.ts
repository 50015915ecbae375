import fc from "fast-check";
import { expect } from "vitest";
import { test } from "../../test/fixtures.ts";
import { sql } from "./sql.ts";

const texts = fc.oneof(
  fc.constantFrom(
    "",
    "NULL",
    "null",
    "{",
    "}",
    "{}",
    ",",
    '"',
    "\\",
    '\\"',
    "a b",
    " ",
    "é\u{1F600}",
    "\n\t",
  ),
  fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", "")),
);

test("lists arrive as they were sent, whatever their texts hold", async ({ db }) => {
  const list = fc.record({
    texts: fc.array(fc.option(texts)),
    numbers: fc.array(fc.option(fc.maxSafeInteger())),
    bytes: fc.array(fc.option(fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)))),
    switches: fc.array(fc.option(fc.boolean())),
    moments: fc.array(
      fc.date({ min: new Date("1970-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
    ),
  });
  await fc.assert(
    fc.asyncProperty(list, async (sent) => {
      const [arrived] = await db.database.query<typeof sent>(sql`
        select ${sent.texts}::text[] as texts, ${sent.numbers}::bigint[]::text[] as numbers,
          ${sent.bytes}::bytea[] as bytes, ${sent.switches}::boolean[] as switches,
          ${sent.moments}::timestamptz[] as moments`);
      expect(arrived).toEqual({
        ...sent,
        numbers: sent.numbers.map((number) => (number === null ? null : String(number))),
      });
    }),
    { numRuns: 200 },
  );
});

test("what a list cannot hold is refused before anything is sent", async ({ db }) => {
  await expect(db.database.query(sql`select ${[{ a: 1 }]}::text[]`)).rejects.toThrow(TypeError);
});
