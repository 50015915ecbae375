import { expect, test } from "vitest";
import { readHeaderLine } from "./signature-headers.ts";

test.for<[string, readonly [string, string] | undefined]>([
  ["Webhook-Id: a", ["webhook-id", "a"]],
  ["webhook-id:a:b  ", ["webhook-id", "a:b"]],
  ["webhook-id :  a b", ["webhook-id", "a b"]],
  ["webhook-id:", ["webhook-id", ""]],
  ["webhook id: a", undefined],
  [": a", undefined],
  ["webhook-id", undefined],
  ["", undefined],
])("%j", ([line, header]) => {
  expect(readHeaderLine(line)).toEqual(header);
});

test("a line of spaces is read in a time that grows with its length", () => {
  const spaces = " ".repeat(250_000);
  const startedAt = performance.now();
  for (const line of [`a:${spaces}x\u2028y`, `a${spaces}:`, `a:${spaces}`, `${spaces}:a`])
    readHeaderLine(line);
  // A pattern that takes the cube of them would not come to an end.
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
