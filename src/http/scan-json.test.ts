import { expect, test } from "vitest";
import type { InexactNumber } from "./errors.ts";
import { JsonScan } from "./scan-json.ts";

const pieceBytes = 128 * 1024;
const shape = {
  rows: { field: "transactions", max: 10_000 },
  valuesMax: 20_000,
  allValuesMax: 500_000,
};

test.for([
  ["a long text", `["${"a".repeat(16 * pieceBytes)}"]`],
  ["a text that never ends", `["${"a".repeat(16 * pieceBytes)}`],
  ["a text of escapes", `["${'\\"'.repeat(8 * pieceBytes)}"]`],
  ["a text of escapes, one byte on", `[ "${'\\"'.repeat(8 * pieceBytes)}"]`],
  ["a long name", `{"${"a".repeat(16 * pieceBytes)}":1}`],
] as const)("%s is passed in pieces", ([, text]) => {
  const scan = new JsonScan(Buffer.from(text), shape);
  let pieces = 0;
  for (; !scan.isDone; pieces += 1) scan.goOn();
  expect(pieces).toBeGreaterThanOrEqual(16);
  expect(scan.names).toBe(text.startsWith("{") ? 1 : 0);
});

test.for([
  [`"amount":5000.0000000000001}`, { field: "amount" }],
  [`"a":{"b":1},"c":[1,{"d":5000.0000000000001}]}`, { field: "c" }],
  [
    `"transactions":[{"amount":1},{"x":{"y":1},"amount":5000.0000000000001}]}`,
    { field: "amount", index: 1 },
  ],
  [`"transactions":[{"a":1},5000.0000000000001]}`, { index: 1 }],
] as const)("the field of an inexact number is known without another look: %s", ([end, place]) => {
  const body = Buffer.from(`{"pad":"${"a".repeat(2 * pieceBytes)}",${end}`);
  const scan = new JsonScan(body, shape);
  scan.goOn();
  scan.goOn();
  body.fill("[", 0, pieceBytes);
  let refusal: unknown;
  try {
    while (!scan.isDone) scan.goOn();
  } catch (error) {
    refusal = error;
  }
  const [detail] = (refusal as InexactNumber).details ?? [];
  expect({ field: detail?.field, index: detail?.index }).toEqual({
    field: undefined,
    index: undefined,
    ...place,
  });
});
