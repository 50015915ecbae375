import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  BodyTooManyValues,
  ForbiddenName,
  InvalidJson,
  RepeatedName,
  TooManyRows,
} from "./errors.ts";
import { hasInexactNumber, parseJson } from "./parse-json.ts";

const shape = {
  rows: { field: "transactions", max: 1_000 },
  valuesMax: 20_000,
  allValuesMax: 50_000,
};
const parse = async (text: string) => parseJson(Buffer.from(text), shape);
/** So long that a body with it is read in turns, and every row is a piece of its own. */
const pad = "x".repeat(200_000);

describe("a body read in turns", () => {
  test("is what it would be in one go", async () => {
    const row = fc.record(
      {
        reference: fc.string(),
        amount: fc.integer(),
        metadata: fc.jsonValue({ noUnicodeString: false }),
        pad: fc.constant(pad),
      },
      { requiredKeys: [] },
    );
    const body = fc.record({
      before: fc.jsonValue(),
      transactions: fc.array(row, { maxLength: 6 }),
      after: fc.constantFrom([], { transactions: [1] }, '"transactions":['),
      pad: fc.constant(pad),
    });
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom(0, 2), async (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        fc.pre(!text.includes("__proto__"));
        expect(await parse(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 60 },
    );
  });

  test.for([
    ["a comma after the last row", `{"transactions":[{"a":"${pad}"},]}`],
    ["nothing between two commas", `{"transactions":[{"a":"${pad}"},,{"a":"${pad}"}]}`],
    ["nothing before the first comma", `{"transactions":[,{"a":"${pad}"}]}`],
    ["a list that is closed as an object", `{"transactions":[{"a":"${pad}"}}]`],
    ["a list that is not closed", `{"transactions":[{"a":"${pad}"}`],
    ["something after the end", `{"transactions":[{"a":"${pad}"}]}]`],
    ["a list after another value", `{"transactions":1[{"a":"${pad}"}]}`],
    ["the list of no field", `["transactions":[{"a":"${pad}"}]]`],
    ["brackets crossed in a row", `{"transactions":[{"a":["${pad}"}],1]}`],
    ["a name that is none", `{"\\u00":[{"a":"${pad}"}]}`],
  ] as const)("is refused with %s", async ([, text]) => {
    expect(() => JSON.parse(text) as unknown).toThrow();
    await expect(parse(text)).rejects.toThrow(InvalidJson);
  });
});

test("a name that stands twice in one object is refused, wherever and however it is written", async () => {
  const large = `{"a":"${pad}"}`;
  for (const text of [
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"x":[{"b":{"a":1,"c":2,"a":3}}]}',
    `{"transactions":[${large}],"transactions":[]}`,
    `{"transactions":[${large}],"trans\\u0061ctions":[]}`,
    `{"transactions":1,"transactions":[${large}]}`,
    `{"transactions":[${large},{"a":1,"a":2}]}`,
    `{"b":1,"transactions":[${large}],"b":1}`,
  ])
    await expect(parse(text), text.slice(0, 40)).rejects.toThrow(RepeatedName);

  const often = '{"a":{"a":[{"a":":\\"a\\":"},{"a":"{\\"a\\":1"}]},"A":1,"":{"":0},"1":1}';
  expect(await parse(often)).toEqual(JSON.parse(often));
});

test("a name that reaches what all objects share is refused and named", async () => {
  for (const [text, name] of [
    ['{"__proto__":1}', "__proto__"],
    ['{"metadata":{"a":[{"\\u005f_proto__":{}}]}}', "__proto__"],
    [`{"transactions":[{"a":"${pad}"},{"__proto__":1}]}`, "__proto__"],
    ['{"constructor":{"prototype":{}}}', "prototype"],
  ] as const) {
    await expect(parse(text)).rejects.toThrow(ForbiddenName);
    await expect(parse(text)).rejects.toThrow(name);
  }
  const harmless = '{"constructor":"x","prototype":{},"a":"__proto__"}';
  expect(await parse(harmless)).toEqual(JSON.parse(harmless));
});

test("one row too many is refused at its comma, whatever comes behind it", async () => {
  const rows = (count: number) => Array.from({ length: count }, () => "{}").join(",");
  expect(await parse(`{"transactions":[${rows(1_000)}]}`)).toEqual({
    transactions: Array.from({ length: 1_000 }, () => ({})),
  });
  for (const rest of ["]}", "", ",,,"])
    await expect(parse(`{"transactions":[${rows(1_001)}${rest}`)).rejects.toThrow(TooManyRows);
  // Other lists are nobody's business.
  expect(await parse(`{"other":[${rows(2_000)}]}`)).toHaveProperty("other");
  expect(await parse(`{"transactions":[[${rows(2_000)}]]}`)).toHaveProperty("transactions");
});

test("too many values are refused: in a row, beside the rows, and in all", async () => {
  const zeros = (count: number) => Array.from({ length: count }, () => "0").join(",");
  for (const text of [
    `{"transactions":[[${zeros(20_001)}]]}`,
    `{"pad":[${zeros(20_001)}],"transactions":[]}`,
    `{"transactions":[${Array.from({ length: 6 }, () => `[${zeros(10_000)}]`).join(",")}]}`,
  ])
    await expect(parse(text)).rejects.toThrow(BodyTooManyValues);
  const plain = async () => parseJson(Buffer.from(`[${"{},".repeat(30_000)}{}]`));
  await expect(plain()).rejects.toThrow(BodyTooManyValues);
});

test("a number that a double cannot keep is noticed, in a body read in turns too", async () => {
  for (const more of ["", `,{"a":"${pad}"}`]) {
    const inexact = await parse(`{"transactions":[{"n":12345678901234567890}${more}]}`);
    const exact = await parse(`{"transactions":[{"n":1234567890}${more}]}`);
    expect([inexact, exact].map(hasInexactNumber)).toEqual([true, false]);
  }
});
