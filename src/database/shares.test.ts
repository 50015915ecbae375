import { expect, onTestFinished } from "vitest";
import { test } from "../../test/fixtures.ts";
import { Database } from "./database.ts";
import { DatabaseUnavailable } from "./errors.ts";
import { sql } from "./sql.ts";

test("one owner's transactions have at most half of the connections; who waits too long for one is refused, and they come back", async ({
  db,
}) => {
  const database = new Database({ url: db.url, poolSize: 4, connectTimeoutMs: 1_000 });
  onTestFinished(() => database.close());
  let letGo = () => {};
  const lock = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let working = 0;
  const hold = () =>
    database.transactionOf("busy", async () => {
      working += 1;
      await lock;
    });
  const held = [hold(), hold()];
  const late = expect(hold()).rejects.toBeInstanceOf(DatabaseUnavailable);

  for (const owner of ["another", "a third"]) expect(await ask(database, owner)).toBe(1);
  await late;
  const inTime = hold();
  letGo();
  await Promise.all([...held, inTime]);
  expect(working).toBe(3);
  expect(await ask(database, "busy")).toBe(1);
});

async function ask(database: Database, owner: string): Promise<number | undefined> {
  const rows = await database.transactionOf(owner, (tx) =>
    tx.query<{ one: number }>(sql`select 1 as one`),
  );
  return rows[0]?.one;
}
