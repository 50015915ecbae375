import { expect, test } from "vitest";
import { readCode } from "./read-code.ts";

test("a code is six digits, however they are grouped", () => {
  expect(readCode(" 123 456 ")).toBe("123456");
  expect(readCode("000-000")).toBe("000000");
  for (const typed of ["", "12345", "1234567", "12345a", "１２３４５６"])
    expect(readCode(typed), typed).toBeUndefined();
});
