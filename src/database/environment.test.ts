import { expect } from "vitest";
import { makeCompany, makeCustomer, test } from "../../test/fixtures.ts";
import { recordEnvironment, settleEnvironment } from "./environment.ts";
import { WrongEnvironment } from "./errors.ts";

test.for([
  ["staging", "production"],
  ["production", "staging"],
] as const)("a %s database is for ever refused to %s", async ([own, other], { db }) => {
  await recordEnvironment(db.database, own);
  await makeCompany(db.database);

  await recordEnvironment(db.database, own);
  const refusal = recordEnvironment(db.database, other);
  await expect(refusal).rejects.toThrow(WrongEnvironment);
  await expect(refusal).rejects.toThrow(`a ${own} one, and CAURI_ENV says ${other}`);
});

test("an empty database becomes what opens it; a customer is enough to make it one of a kind", async ({
  db,
}) => {
  await recordEnvironment(db.database, "staging");
  await recordEnvironment(db.database, "production");
  await recordEnvironment(db.database, "staging");
  await makeCustomer(db.database, "2250711111111");

  await expect(recordEnvironment(db.database, "production")).rejects.toThrow(WrongEnvironment);
});

test("a database that a service has started on is of its kind, though it is empty", async ({
  db,
}) => {
  await recordEnvironment(db.database, "production");
  await settleEnvironment(db.database, "production");

  await expect(recordEnvironment(db.database, "staging")).rejects.toThrow(WrongEnvironment);
  await expect(settleEnvironment(db.database, "staging")).rejects.toThrow(WrongEnvironment);
});

test("of both kinds that open a database with customers at once, one is refused", async ({
  db,
}) => {
  await makeCustomer(db.database, "2250711111111");

  const openings = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) =>
      recordEnvironment(db.database, index % 2 === 0 ? "staging" : "production"),
    ),
  );

  expect(openings.filter(({ status }) => status === "rejected")).toHaveLength(5);
});
