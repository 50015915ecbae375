import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { test } from "../../test/fixtures.ts";
import { holdLock, untilLockAwaited } from "../../test/locks.ts";
import { Database } from "../database/database.ts";
import { OutcomeUnknown } from "../database/errors.ts";
import { sql } from "../database/sql.ts";
import { updateLanguage } from "./store.ts";

test("a single statement that writes, whose connection breaks under it, has an unknown outcome: it does not say that nothing was done", async ({
  db,
}) => {
  const personId = randomUUID();
  await db.database.execute(sql`
    insert into people (person_id, email) values (${personId}, 'awa@boutique.example')`);
  const release = await holdLock(db, "select 1 from people");
  const own = new Database({ url: db.url, poolSize: 1 });

  const lost = updateLanguage(own, personId, "fr").catch((error: unknown) => error);
  await untilLockAwaited(db.database);
  await db.database.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  await release();

  expect(await lost).toBeInstanceOf(OutcomeUnknown);
  await own.close();
});
