import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject } from "vitest";
import { sql } from "../../src/database/sql.ts";
import { test } from "../fixtures.ts";
import { makeEmptyDataDir, runCommand } from "../process.ts";

const trace = /\n {4}at /;

test("a fault of our own is told with its stack trace, also when PostgreSQL gave it a code", async ({
  db,
}) => {
  await db.database.query(sql`alter table companies rename to somewhere_else`);
  const { code, stderr } = await runCommand(await makeEmptyDataDir(), ["company", "list"], {
    DATABASE_URL: db.url,
  });

  expect(code).toBe(1);
  expect(stderr).toContain('relation "companies" does not exist');
  expect(stderr).toMatch(trace);
});

test("what a person can act on is told in one line", async () => {
  const notThere = new URL(inject("postgresUrl"));
  notThere.pathname = "/never_made";
  const wrongPassword = new URL(notThere);
  wrongPassword.password = "guess";
  const dataDir = await makeEmptyDataDir();
  for (const [url, message] of [
    [wrongPassword.href, "password authentication failed"],
    [notThere.href, "does not exist"],
    ["postgres://127.0.0.1:1/none", "cannot reach its database"],
    ["nonsense", "DATABASE_URL must be a URL"],
  ] as const) {
    const { code, stderr } = await runCommand(dataDir, ["company", "list"], { DATABASE_URL: url });
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(trace);
  }
});

test("a master key file that is damaged is named in one line", async ({ db }) => {
  const dataDir = await makeEmptyDataDir();
  await mkdir(dataDir);
  await writeFile(join(dataDir, "master.key"), "half of a k");
  const { code, stderr } = await runCommand(dataDir, ["company", "create", "Shop"], {
    DATABASE_URL: db.url,
  });

  expect(code).toBe(1);
  expect(stderr).toContain("master.key does not hold 32 bytes in base64");
  expect(stderr).not.toMatch(trace);
});
