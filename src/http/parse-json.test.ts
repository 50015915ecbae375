import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BodyTooManyValues, InexactNumber, TooManyRows } from "./errors.ts";
import { ForbiddenName, InvalidJson, NumberTooLong, RepeatedName } from "./json/errors.ts";
import { parseJson } from "./parse-json.ts";

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

describe("a number", () => {
  test.for([
    "5000",
    "5000.0",
    "5e3",
    "-0.10",
    "9007199254740991",
    "1.7976931348623157e308",
    "5E-324",
  ])("that a double keeps is taken: %s", async (number) => {
    expect(await parse(`{"n":${number}}`)).toEqual({ n: Number(number) });
  });

  test.for(["5000.0000000000001", "12345678901234567890", "9007199254740993", "1e400", "1e-400"])(
    "that a double would change is refused: %s",
    async (number) => {
      await expect(parse(`{"n":${number}}`)).rejects.toThrow(InexactNumber);
    },
  );

  test("that is refused is named with its field and its row, in a body read in turns too", async () => {
    const detailsOf = (text: string) =>
      parse(text).then(
        () => undefined,
        (error: unknown) => error,
      );
    for (const [text, place] of [
      ['{"a":1,"amount":5000.0000000000001}', { field: "amount" }],
      ['{"metadata":{"b":[1,{"c":5000.0000000000001}]}}', { field: "metadata" }],
      ['{"transactions":[{"a":1},{"amount":5000.0000000000001}]}', { field: "amount", index: 1 }],
      [
        `{"p":"${pad}","transactions":[{"a":1},{"metadata":{"x":5000.0000000000001}}]}`,
        { field: "metadata", index: 1 },
      ],
      ["[5000.0000000000001]", {}],
    ] as const) {
      const { details } = (await detailsOf(text)) as InexactNumber;
      expect(details).toEqual([{ ...place, code: "invalid", message: expect.anything() }]);
    }
    const { message } = (await detailsOf(
      `{"${"n".repeat(5_000)}":5000.0000000000001}`,
    )) as InexactNumber;
    expect(message.length).toBeLessThan(300);
  });

  test.for([
    ["a fraction", `5000.${"0".repeat(1_000_000)}1`],
    ["a whole number", `1${"0".repeat(1_000_000)}`],
    ["an exponent", `1e${"0".repeat(1_000_000)}1`],
    ["what is none", "-".repeat(1_000_000)],
  ] as const)("of a megabyte is refused unread: %s", async ([, number]) => {
    for (const text of [
      `{"n":${number}}`,
      `[${number}]`,
      number,
      `{"transactions":[{"amount":${number}}]}`,
      `{"metadata":{"a":${number}}}`,
    ])
      await expect(parse(text)).rejects.toThrow(/^.*longer than 64 characters.*$/);
    await expect(parse(number)).rejects.toThrow(NumberTooLong);
  });
});

test("a body is read in a time that grows with its length, whatever it repeats", async () => {
  const shapes: Readonly<Record<string, (size: number) => string>> = {
    "colons behind a long name": (size) => `{"${"n".repeat(size / 2)}"${":".repeat(size / 2)}`,
    "colons behind escapes": (size) => `{"${"\\u0061".repeat(size / 12)}"${":".repeat(size / 2)}`,
    quotes: (size) => '"'.repeat(size),
    backslashes: (size) => `"${"\\".repeat(size)}`,
    "short numbers": (size) => "1 ".repeat(size / 2),
    "numbers of 64 characters": (size) => `${"9".repeat(17)}${"0".repeat(47)} `.repeat(size / 65),
    "an open text": (size) => `{"a":"${"x".repeat(size)}`,
  };
  for (const [name, textOf] of Object.entries(shapes)) {
    const text = textOf(1_000_000);
    const startedAt = performance.now();
    await parse(text).catch(() => {});
    // A pass over a megabyte takes some milliseconds; whatever grows with the square takes minutes.
    expect(performance.now() - startedAt, name).toBeLessThan(5_000);
  }
});
