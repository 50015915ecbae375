import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { sql } from "../src/database/sql.ts";
import { tableGroups } from "../src/database/table-groups.ts";
import { packageRoot } from "../src/kernel/root.ts";
import { test } from "./fixtures.ts";

// The rules that keep the way open to a database split by company; `npm run test:citus` walks it.
const companyTables: readonly string[] = tableGroups.company;

test("every table belongs to a group", async ({ db }) => {
  const rows = await db.database.query<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`);

  expect(rows.map(({ name }) => name).toSorted()).toEqual(
    Object.values(tableGroups).flat().toSorted(),
  );
});

test("every table has a primary key, and its group's key leads every unique key", async ({
  db,
}) => {
  const rows = await db.database.query<{ table: string; primary: boolean; first: string }>(sql`
    select c.relname as table, i.indisprimary as primary, a.attname as first
    from pg_index i
    join pg_class c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where c.relnamespace = 'public'::regnamespace and i.indisunique`);

  for (const [tables, key] of [
    [companyTables, "company_id"],
    [tableGroups.customer, "msisdn"],
    [tableGroups.subject, "subject"],
  ] as const) {
    for (const table of tables) {
      const keys = rows.filter((row) => row.table === table);
      expect(
        keys.some(({ primary }) => primary),
        table,
      ).toBe(true);
      expect(
        keys.map(({ first }) => first),
        table,
      ).toEqual(keys.map(() => key));
    }
  }
});

test("no identity column, no sequence, no serial", async ({ db }) => {
  const rows = await db.database.query(sql`
    select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S'
    union all
    select attname from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and a.attidentity <> ''`);

  expect(rows).toEqual([]);
});

test("foreign keys stay inside a group, and none is deferrable or sets null", async ({ db }) => {
  const rows = await db.database.query<{
    from: string;
    to: string;
    deferrable: boolean;
    action: string;
  }>(sql`
    select f.relname as from, t.relname as to, k.condeferrable as deferrable, k.confdeltype as action
    from pg_constraint k
    join pg_class f on f.oid = k.conrelid
    join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace`);

  expect(rows.length).toBeGreaterThan(0);
  for (const { from, to, deferrable, action } of rows) {
    const isInside = [companyTables, tableGroups.reference as readonly string[]].some((group) =>
      [from, to].every((table) => group.includes(table)),
    );
    expect(isInside, `${from} → ${to}`).toBe(true);
    expect(deferrable).toBe(false);
    expect(action).toBe("a");
  }
});

test("the only triggers are those that refuse change", async ({ db }) => {
  const rows = await db.database.query<{ function: string }>(sql`
    select p.proname as function from pg_trigger g join pg_proc p on p.oid = g.tgfoid
    where not g.tgisinternal and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')`);

  expect(new Set(rows.map((row) => row.function))).toEqual(
    new Set(["refuse_change", "refuse_change_but_chaining"]),
  );
});

test("postings and wallet entries cannot be changed, deleted or truncated", async ({
  db,
  company,
}) => {
  expect(company.id).not.toBe("");
  for (const statement of [
    "update postings set amount = 1",
    "delete from postings",
    "truncate postings",
  ]) {
    await expect(db.database.query({ text: statement, values: [] })).rejects.toThrow("append-only");
  }
  await expect(db.database.query({ text: "truncate wallet_entries", values: [] })).rejects.toThrow(
    "append-only",
  );
});

test("the statements keep to what a sharded engine can run", () => {
  const statements = sqlFiles();

  expect(statements.length).toBeGreaterThan(10);
  for (const { path, text } of statements) {
    expect(text, path).not.toMatch(/\bcase\s+[\w.]+\s+when\b/i);
    expect(text, path).not.toMatch(/do update set[^;`]*\bnow\(\)/i);
    expect(text, path).not.toMatch(/\browCount\b/);
    expect(text, path).not.toMatch(/\bserializable\b/i);
    expect(text, path).not.toMatch(/\buuidv7\(\)/);
    if (path.endsWith(".sql")) expect(text, path).not.toMatch(/pg_notify|\bnotify\b/i);
  }
});

const rows = [...tableGroups.company, ...tableGroups.customer, ...tableGroups.subject].join("|");
const readsRows = new RegExp(`\\b(?:from|join|into|update)\\s+(?:${rows}|events)\\b`);

test("a function of the language sql reads no rows: its parameters cannot say which node", () => {
  for (const { path, name, text, language } of functions())
    if (language === "sql") expect(text, `${path}: ${name}`).not.toMatch(readsRows);
});

test("a function that reads rows is not called from a statement that reads others", () => {
  const readers = functions().filter(({ text }) => readsRows.test(text));
  expect(readers.length).toBeGreaterThan(20);
  const called = new RegExp(`\\b(?:${readers.map(({ name }) => name).join("|")})\\s*\\(`);
  for (const { path, name, text } of functions())
    for (const statement of text.split(/;|\bloop\b|\bbegin\b|\bthen\n/)) {
      const from = statement.replaceAll(/\bfrom\s+\w+\s*\(/g, "");
      if (called.test(from.replace(/create or replace function \w+\(/, "")))
        expect(from, `${path}: ${name}`).not.toMatch(readsRows);
    }
});

test("what an update writes was computed before: no clock, and no time or jsonb worked out of columns", () => {
  const updates = sqlFiles().flatMap(({ path, text }) =>
    [...text.matchAll(/\bupdate\s+\w+(?:\s+as\s+\w+)?\s+set\b([^;`]*)/g)].map(([, rest = ""]) => ({
      path,
      set: rest.split(/\bwhere\b|\breturning\b/)[0] ?? "",
    })),
  );
  expect(updates.length).toBeGreaterThan(40);
  for (const { path, set } of updates) {
    expect(set, path).not.toMatch(/clock_timestamp\(\)|random\(\)|gen_random_uuid\(\)/);
    expect(set, path).not.toMatch(
      /\b(?:case|coalesce)\b[^,]*(?:\bnow\(\)|\binterval\b|make_interval)/,
    );
    expect(set, path).not.toMatch(/\b\w+_(?:at|until|since)\s*[-+]\s*(?:interval|make_interval)/);
  }
});

test("what is deleted or updated is not chosen by the clock itself, but by a moment that was read before", () => {
  const changes = sqlFiles().flatMap(({ path, text }) =>
    [
      ...text.matchAll(
        /\b(?:delete\s+from|update)\s+\w+(?:\s+(?:as\s+)?\w+)?\s+(?:set|where|using)\b[^;`]*/g,
      ),
    ].map(([statement]) => ({ path, statement })),
  );
  expect(changes.filter(({ statement }) => statement.startsWith("delete")).length).toBeGreaterThan(
    10,
  );
  for (const { path, statement } of changes)
    expect(statement, path).not.toMatch(/clock_timestamp\(\)/);
});

test("what an insert does about a row that is there already works out no time", () => {
  const conflicts = sqlFiles().flatMap(({ path, text }) =>
    [...text.matchAll(/\bdo update set\b([^;`]*)/g)].map(([, rest = ""]) => ({
      path,
      rest: rest.split(/\breturning\b/)[0] ?? "",
    })),
  );
  expect(conflicts.length).toBeGreaterThan(10);
  for (const { path, rest } of conflicts)
    expect(rest, path).not.toMatch(
      /[-+]\s*(?:interval|make_interval)|\bnow\(\)|clock_timestamp\(\)/,
    );
});

test("lists look things up beside a row by the company that was asked for, not by the row's", () => {
  // These look over all companies, and have a form of their own for a database that is split.
  const overAll = [
    "src/transfers/settle-store.ts",
    "src/webhooks/dispatch-store.ts",
    "src/webhooks/measure-store.ts",
  ];
  for (const { path, text } of sqlFiles().filter((file) => file.path.endsWith("store.ts")))
    if (!overAll.includes(path))
      expect(text, path).not.toMatch(/lateral \([^)]*company_id = [a-z]\.company_id/);
});

/** Every read or write of a company's rows says which company; the audit and the operator's lists are the exceptions. */
test("every statement of a store names its company or its wallet", () => {
  const wide = ["src/companies/store.ts: select 1 from companies limit 1"];
  // Whole tables come and go under these.
  const forms =
    /^select (?:turn_idempotency_keys|make_delivery_months|forget_delivery_month|make_request_days|forget_request_day)\(/;
  for (const { path, text } of sqlFiles().filter((file) => file.path.endsWith("store.ts"))) {
    for (const [, statement] of text.matchAll(/sql`([^`]*)`/g)) {
      const oneLine = (statement ?? "").replaceAll(/\s+/g, " ").trim();
      if (
        !/^(?:select|insert|update|delete)\b/.test(oneLine) ||
        wide.includes(`${path}: ${oneLine}`) ||
        forms.test(oneLine)
      )
        continue;
      expect(oneLine, path).toMatch(
        /company_id|companyId|msisdn|subjects?|key_id|token_hash|challenge_hash|person_id|link_id|email|\b(?:vault|purpose_keys|ledger_keys|ledger_key_bindings|installation_trail|banners|access_requests|audits|shared_trail_heads)\b/,
      );
    }
  }
});

interface SqlFunction {
  readonly path: string;
  readonly name: string;
  readonly language: string;
  readonly text: string;
}

function functions(): SqlFunction[] {
  return sqlFiles()
    .filter(({ path }) => path.startsWith("src/") && path.endsWith(".sql"))
    .flatMap(({ path, text }) =>
      text
        .split(/(?=create or replace function )/)
        .filter((part) => part.startsWith("create"))
        .map((part) => ({
          path,
          name: /function (\w+)/.exec(part)?.[1] ?? "",
          language: /\blanguage (\w+)/.exec(part)?.[1] ?? "",
          text: part,
        })),
    );
}

function sqlFiles(): { readonly path: string; readonly text: string }[] {
  const files = (folder: string) =>
    readdirSync(join(packageRoot, folder), { recursive: true, encoding: "utf8" }).map(
      (name) => `${folder}/${name}`,
    );
  return (
    [...files("migrations"), ...files("src")]
      .filter((path) => /\.(?:sql|ts)$/.test(path) && !path.endsWith(".test.ts"))
      // The embedded server is one machine by definition.
      .filter((path) => !path.startsWith("src/database/embedded/"))
      .map((path) => ({
        path,
        text: withoutComments(readFileSync(join(packageRoot, path), "utf8")),
      }))
  );
}

function withoutComments(text: string): string {
  return text
    .replaceAll(/^\s*--.*$/gm, "")
    .replaceAll(/\/\*\*?[\s\S]*?\*\//g, "")
    .replaceAll(/\s--\s.*$/gm, "");
}
