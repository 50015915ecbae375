import { expect } from "vitest";
import { test } from "../../test/fixtures.ts";
import { Database } from "./database.ts";
import { DatabaseTooNew, isMigrated, migrate } from "./migrate.ts";
import { sql } from "./sql.ts";

test("several nodes that start together on an empty database migrate it once", async ({ db }) => {
  await db.database.query({ text: "drop schema public cascade; create schema public", values: [] });
  const nodes = Array.from({ length: 5 }, () => new Database({ url: db.url, poolSize: 1 }));
  try {
    const applied = (await Promise.all(nodes.map((node) => migrate(node)))).flatMap(
      ({ migrations, functions }) => [...migrations, ...functions],
    );

    expect(applied.length).toBeGreaterThan(0);
    expect(new Set(applied).size).toBe(applied.length);
    expect(await isMigrated(db.database)).toBe(true);
    expect(await migrate(db.database)).toEqual({ migrations: [], functions: [] });
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
  }
});

test("a database newer than the program is refused with advice, and not ready", async ({
  db,
  service,
}) => {
  await db.database.query(
    sql`insert into schema_migrations (version, name) values (9999, '9999_future.sql')`,
  );

  await expect(migrate(db.database)).rejects.toThrow(DatabaseTooNew);
  await expect(migrate(db.database)).rejects.toThrow("newer version of Cauri");
  expect((await service.call("GET", "/readyz")).status).toBe(503);
});
