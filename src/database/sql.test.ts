import { expect, test } from "vitest";
import { every, sql } from "./sql.ts";

test("a value becomes a parameter, whatever it holds", () => {
  const query = sql`select ${"'; drop table x; --"}::text, ${[1, 2]}`;

  expect(query.text).toBe("select $1::text, $2");
  expect(query.values).toEqual(["'; drop table x; --", [1, 2]]);
});

test("the same statement is prepared once, under one name", () => {
  const make = (x: number) => sql`select ${x}`;

  expect(make(1).name).toBe(make(2).name);
  expect(make(1).name).not.toBe(sql`select ${1}`.name);
});

test("parts are joined with their parameters renumbered, and not prepared", () => {
  const query = sql`select ${0} where ${every([sql`a = ${1} and b = ${2}`, sql`c = ${3}`])} limit ${4}`;

  expect(query.text).toBe("select $1 where true and a = $2 and b = $3 and c = $4 limit $5");
  expect(query.values).toEqual([0, 1, 2, 3, 4]);
  expect(query.name).toBeUndefined();
  expect(sql`where ${every([])}`.text).toBe("where true");
});
