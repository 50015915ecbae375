import { expect, test } from "vitest";
import { BodyTooManyValues } from "../http/errors.ts";
import { parseForm } from "./form.ts";

test("a form has its fields, up to two thousand", () => {
  expect(parseForm("a=1&b=2").get("b")).toBe("2");
  expect([...parseForm(`a${"&a".repeat(1_999)}`)]).toHaveLength(2_000);
  for (const body of ["a&".repeat(2_000), "&".repeat(500_000)])
    expect(() => parseForm(body)).toThrow(BodyTooManyValues);
});
