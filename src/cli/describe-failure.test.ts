import assert from "node:assert/strict";
import { CommanderError } from "commander";
import { expect, test } from "vitest";
import { CompanyNotFound } from "../companies/errors.ts";
import { InvalidConfiguration } from "../kernel/errors.ts";
import { describeFailure, describeFailureAsJson } from "./describe-failure.ts";
import { NotConfirmed } from "./errors.ts";

function withCode(code: string, more: object = {}): Error {
  return Object.assign(new Error(`the reason for ${code}`), { code, ...more });
}

test.each([
  new CompanyNotFound("com_1"),
  new InvalidConfiguration(["PORT must be a whole number."]),
  withCode("EADDRINUSE"),
  withCode("EACCES"),
  withCode("ENOSPC"),
  withCode("SELF_SIGNED_CERT_IN_CHAIN"),
  withCode("28P01", { severity: "FATAL" }),
  withCode("3D000", { severity: "FATAL" }),
  withCode("42501", { severity: "ERROR" }),
])("%o is told by its message alone", (error) => {
  expect(describeFailure(error)).toBe(error.message);
});

test.each([
  new Error("ours", { cause: new Error("the cause") }),
  new TypeError("x is not a function"),
  new assert.AssertionError({ message: "a company has books" }),
  withCode("ERR_INVALID_ARG_TYPE"),
  withCode("ENOENT"),
  withCode("MODULE_NOT_FOUND"),
  withCode("42P01", { severity: "ERROR" }),
  withCode("23505", { severity: "ERROR" }),
])("%o is our own fault and keeps its trace", (error) => {
  expect(describeFailure(error)).toContain(error.message);
  expect(describeFailure(error)).toMatch(/\n {4}at /);
});

test("what is not even an error is told as it is", () => {
  expect(describeFailure("thrown")).toBe("thrown");
});

test("a program gets one JSON value with a word that does not change", () => {
  const codeOf = (error: unknown) => JSON.parse(describeFailureAsJson(error)).error.code;

  expect(describeFailureAsJson(new CompanyNotFound("com_1"))).toBe(
    '{"error":{"code":"company_not_found","message":"There is no company com_1."}}',
  );
  expect(codeOf(new NotConfirmed("x"))).toBe("not_confirmed");
  expect(
    JSON.parse(describeFailureAsJson(new CommanderError(1, "commander.unknownOption", "error: x"))),
  ).toEqual({ error: { code: "invalid_arguments", message: "x (--help has the options)" } });
  expect(codeOf(withCode("ENOSPC"))).toBe("unavailable");
  expect(codeOf(new TypeError("ours"))).toBe("internal_error");
});
