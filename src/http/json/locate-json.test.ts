import { expect, test } from "vitest";
import { parseJson } from "../parse-json.ts";
import { JsonLocator } from "./locate-json.ts";

const batchShape = {
  rows: { field: "transactions", max: 20_000 },
  valuesMax: 20_000,
  allValuesMax: 500_000,
};

async function refusalOf(text: string, shape?: typeof batchShape): Promise<string> {
  try {
    await parseJson(Buffer.from(text), shape);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

test.for([
  ['{"a": 1,}', 1, 9, "There is a comma before the closing bracket."],
  ["[1, 2,]", 1, 7, "There is a comma before the closing bracket."],
  ["{'a': 1}", 1, 2, "Write names and texts between double quotes"],
  ["{\"a\": 'x'}", 1, 7, "Write names and texts between double quotes"],
  ["{a: 1}", 1, 2, "A name is expected there."],
  ['{"é😀": 1,\n  "b" 2}', 2, 7, "A colon is expected there"],
  ['{"a": 1\n"b": 2}', 2, 1, "A comma or a closing bracket"],
  ['{"a": NaN}', 1, 7, "A value is expected there"],
  ['{"a": undefined}', 1, 7, "A value is expected there"],
  ['{"a": 05000}', 1, 7, "Write the number as 5000"],
  ['{"a": +1}', 1, 7, "Write the number as 5000"],
  ['{"a": 1.}', 1, 7, "Write the number as 5000"],
  ['{"a": 1', 1, 8, "It ends there before it is whole"],
  ["{", 1, 2, "It ends there before it is whole"],
  [" \n ", 2, 2, "It ends there before it is whole"],
  ['{"a": "x', 1, 7, "The text that begins there has no quote at its end."],
  ['{"a": "x\ny"}', 1, 9, "Write the end of a line in a text as \\n"],
  ['{"a": "C:\\temp\\x"}', 1, 15, "Write a backslash in a text as two."],
  ['{"a": "\\u12"}', 1, 8, "Write a backslash in a text as two."],
  ['{"a": 1} {"b": 2}', 1, 10, "Something stands behind the end."],
  ["a=1&b=2", 1, 1, "It is written as a form sends it."],
  ["[1}", 1, 3, "A comma or a closing bracket"],
  ["[,1]", 1, 2, "A value is expected there"],
  ["\ufeff{}", 1, 1, "It begins with a byte order mark."],
  ["amount", 1, 1, "A value is expected there"],
  ["rows[0][amount]=1", 1, 1, "It is written as a form sends it."],
] as const)("%j: line %d, column %d", async ([text, line, column, hint]) => {
  const message = await refusalOf(text);
  expect(message).toContain(`The body is not valid JSON at line ${line}, column ${column}. `);
  expect(message).toContain(hint);
});

test("the place is told in a large body too, and nothing of the body is said", async () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => `{"n": ${index}, "s": "secret"}`);
  rows[15_000] = '{"n": 1 "s": "secret"}';
  const message = await refusalOf(`{"transactions": [\n${rows.join(",\n")}]}`, batchShape);
  expect(message).toMatch(/at line 15002, column 9\./);
  expect(message).not.toContain("secret");
});

test("whatever the parser refuses has a place, and what it takes is not refused", async () => {
  const pieces = ['{"a":', "[", "]", "}", ",", '"x"', "1", "-", "0", "true", "nul", " ", "\\", "'"];
  let seed = 7;
  const next = (max: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % max;
  };
  for (let round = 0; round < 3_000; round += 1) {
    const text = Array.from({ length: 1 + next(8) }, () => pieces[next(pieces.length)]).join("");
    let isJson = true;
    try {
      JSON.parse(text);
    } catch {
      isJson = false;
    }
    const message = await refusalOf(text);
    if (isJson) expect(message, text).not.toContain("line");
    else expect(message, text).toMatch(/at line 1, column \d+\. /);
  }
});

const batchBytesMax = 16 * 1024 * 1024;
const pieceBytes = 128 * 1024;

test.for([
  ["lines", `${"\n".repeat(batchBytesMax - 1)}x`, batchBytesMax, 1],
  ["a text that never ends", `\n["${"é".repeat(batchBytesMax / 2 - 2)}`, 2, 2],
  ["a text before the mistake", `["${"a".repeat(batchBytesMax - 5)}"x`, 1, batchBytesMax - 1],
  ["escapes before the mistake", `["${"\\u00e9".repeat(2_000_000)}"}`, 1, 12_000_004],
] as const)("%s: looked at in pieces, and never again afterwards", ([, text, line, column]) => {
  const body = Buffer.from(text);
  const locator = new JsonLocator(body);
  let pieces = 0;
  for (; !locator.isDone; pieces += 1) locator.goOn();
  expect(pieces).toBeGreaterThanOrEqual(Math.floor(body.length / pieceBytes));
  body.fill(0);
  expect(locator.problem.message).toContain(`at line ${line}, column ${column}.`);
});
