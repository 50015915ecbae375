import { expect } from "vitest";
import { test } from "../../test/fixtures.ts";
import { sql } from "../database/sql.ts";
import { ActivityBoard, activities } from "./activity-board.ts";
import { Turns } from "./turns.ts";

test("another thread reads what is worked on: its name and its company", () => {
  const board = new ActivityBoard();
  const other = new ActivityBoard(board.memory);
  const label = board.labelFor("POST /v1/transactions");
  expect(board.labelFor("POST /v1/transactions")).toBe(label);

  expect(other.doing).toEqual({ what: "", companyId: "" });
  const first = board.begin(label);
  expect(other.doing).toEqual({ what: "POST /v1/transactions", companyId: "" });
  board.nameCompany(first, "com_01a1ecfe155670008000c6f86bdd6947");
  const second = board.begin(board.labelFor("work of the queue seals"), "company 2");
  expect(other.doing).toEqual({ what: "work of the queue seals", companyId: "company 2" });
  board.goOnWith(first);
  expect(other.doing).toEqual({
    what: "POST /v1/transactions",
    companyId: "com_01a1ecfe155670008000c6f86bdd6947",
  });
  expect(second).not.toBe(first);

  expect(other.beats).toBe(0);
  board.beat();
  expect(other.beats).toBe(1);
  expect(other.doing).toEqual({ what: "", companyId: "" });
});

test("names and companies that are too many or too long are cut, and spoil no other", () => {
  const board = new ActivityBoard();
  const labels = Array.from({ length: 3_000 }, (_, index) => board.labelFor(`name ${index}`));
  expect(labels.at(-1)).toBe(0);
  const long = board.labelFor("x".repeat(10_000));
  expect(long).toBe(0);
  for (let index = 0; index < 10_000; index += 1) board.begin(labels[0] ?? 0, "y".repeat(500));
  expect(board.doing).toEqual({ what: "name 0", companyId: "y".repeat(48) });
  // Whoever was not met for long gets a number anew, and no part of the name that it had before.
  for (let index = 0; index < 10_000; index += 1) board.begin(labels[1] ?? 0, `z${index}`);
  expect(board.doing).toEqual({ what: "name 1", companyId: "z9999" });
  board.begin(labels[2] ?? 0, "z1");
  expect(board.doing).toEqual({ what: "name 2", companyId: "z1" });
});

test("whoever waited for the database or for a turn goes on under its own name", async ({ db }) => {
  const label = activities.labelFor("a test");
  const doing = async (companyId: string, wait: () => Promise<unknown>) => {
    activities.begin(label, companyId);
    await wait();
    return activities.doing.companyId;
  };
  const { database } = db;
  const turns = new Turns();
  const waits = [
    () => database.query(sql`select pg_sleep(0.02)`),
    () => database.execute(sql`select pg_sleep(0.01)`),
    () => database.transaction((tx) => tx.query(sql`select pg_sleep(0.01)`)),
    () => turns.next(),
  ];
  const names = waits.map((_, index) => `company ${index}`);
  expect(await Promise.all(waits.map((wait, index) => doing(names[index] ?? "", wait)))).toEqual(
    names,
  );
});
