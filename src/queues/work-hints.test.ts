import { expect, onTestFinished } from "vitest";
import { type TestDatabase, test } from "../../test/fixtures.ts";
import { patience } from "../../test/receiver.ts";
import { Signals } from "../database/signals.ts";
import { sendHint, WorkHints } from "./work-hints.ts";

test("a worker in the same process is told at once, workers elsewhere of what it cannot do", async ({
  db,
}) => {
  const here = await listening(db, ["errands"]);
  const elsewhere = await listening(db, ["errands", "chores"]);

  here.hints.hint("errands", "one");
  here.hints.hint("errands");
  expect(here.heard).toEqual(["errands: one", "errands: somebody"]);
  here.hints.hint("chores", "two");
  await expect.poll(() => elsewhere.heard, patience).toEqual(["chores: two"]);
});

test("workers of other processes are told of each company once, in one signal", async ({ db }) => {
  const { heard } = await listening(db);
  const hints = new WorkHints(new Signals(db.url, db.database));

  const statementsBefore = db.database.roundTrips;
  for (const companyId of ["one", "two", "one", "one"]) hints.hint("errands", companyId);
  await expect.poll(() => heard, patience).toEqual(["errands: one", "errands: two"]);
  expect(db.database.roundTrips - statementsBefore).toBe(1);
});

test("too many companies to name become a hint to look", async ({ db }) => {
  const { heard } = await listening(db);
  const hints = new WorkHints(new Signals(db.url, db.database));

  for (let place = 0; place < 5_000; place += 1) hints.hint("errands", `company-${place}`);
  await expect.poll(() => heard, patience).toEqual(["errands: somebody"]);
  hints.hint("errands", "one");
  await expect.poll(() => heard, patience).toEqual(["errands: somebody", "errands: one"]);
});

test("a process that ends soon sends its hint itself", async ({ db }) => {
  const { heard } = await listening(db);

  await sendHint(new Signals(db.url, db.database), "errands", ["one", "two"]);
  await expect.poll(() => heard, patience).toEqual(["errands: one", "errands: two"]);
});

/** A process with workers for these queues, and what they were told. */
async function listening(db: TestDatabase, queues = ["errands"]) {
  const signals = new Signals(db.url, db.database);
  const hints = new WorkHints(signals);
  const heard: string[] = [];
  for (const queue of queues)
    hints.wakeLocally(queue, (companyId) => heard.push(`${queue}: ${companyId ?? "somebody"}`));
  await signals.start();
  expect(heard.splice(0)).toEqual(queues.map((queue) => `${queue}: somebody`));
  onTestFinished(() => signals.close());
  return { hints, heard };
}
