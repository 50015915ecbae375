import { expect, test } from "vitest";
import { NoDatabase } from "../database/errors.ts";
import { pointAcross } from "./point-across.ts";
import { buildProgram } from "./program.ts";
import { counterpartOf } from "./vocabulary.ts";

const parts = {
  version: "1.2.3",
  serve: async () => {},
  loadAuditChecks: async () => [],
  isSilent: true,
};

async function adviceFor(line: string): Promise<string | undefined> {
  const args = line.split(" ");
  try {
    const program = await buildProgram(parts, args);
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    return pointAcross(parts, args, error);
  }
  throw new Error(`${line} was taken`);
}

test.each([
  ["transfer list", "you want `cauri transfers list`"],
  ["transfer list --to 2250700000000", "cauri transfers list"],
  ["transfer list my-company", "cauri transfers list"],
  ["transfer send --to 2250700000000", "cauri transfers send"],
  ["charge list", "cauri charges list"],
  ["charge pay order-1", "cauri charges pay"],
  ["webhook list", "cauri webhooks list"],
  ["webhook create transactions/failed https://shop.example", "cauri webhooks create"],
  ["customer check 2250700000000", "cauri customers check"],
  ["charge get order-1", "cauri charges get"],
  ["transfers show salary-7", "You may want `cauri transfers get`."],
  ["transfers show salary-7", "The operator has `cauri transfer show`"],
  ["transfers list com_01a1e655511c7000800009ea09e9084b", "cauri transfer list"],
  ["customers list", "cauri customer list"],
  ["webhooks enable 01a1dda4-2130-7000-8000-3899af8c508b", "cauri webhook enable"],
])("%s is taken for what the other half has", async (line, said) => {
  expect(await adviceFor(line)).toContain(said);
});

test.each([
  "transfer list com_01a1e655511c7000800009ea09e9084b --statsu failed",
  "transfers list --statsu failed",
  "transfers nonsense",
  "transfer show",
  "nonsense",
  "company list --nonsense",
  "transfer --help",
])("%s is nobody else's either, and nothing is said", async (line) => {
  expect(await adviceFor(line)).toBeUndefined();
});

test("the operator's command where there is no server leads to the business's", async () => {
  const error = new NoDatabase("/home/awa/.cauri");
  expect(await pointAcross(parts, ["transfer", "show", "salary-7"], error)).toContain(
    "you want `cauri transfers get`",
  );
  expect(await pointAcross(parts, ["company", "list"], error)).toBeUndefined();
  expect(await pointAcross(parts, ["customer", "freeze", "1"], error)).toBeUndefined();
});

test("what has a counterpart", () => {
  expect(["transfer", "charge", "webhook", "customer"].map(counterpartOf)).toEqual([
    "transfers",
    "charges",
    "webhooks",
    "customers",
  ]);
  expect(["transfers", "customers"].map(counterpartOf)).toEqual(["transfer", "customer"]);
  for (const word of ["serve", "key", "login", "balance", "logs", "get", "verify", "nonsense"])
    expect(counterpartOf(word), word).toBeUndefined();
});
