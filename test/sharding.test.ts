import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { sql } from "../src/database/sql.ts";
import { packageRoot } from "../src/kernel/root.ts";
import { test } from "./fixtures.ts";

// The rules that keep the way open to a database split by company. Each table belongs to one group.
const companyTables = [
  "adjustments",
  "approval_rules",
  "approvals",
  "attempts",
  "batches",
  "books",
  "charge_transactions",
  "charges",
  "checkout_browsers",
  "checkouts",
  "claims",
  "companies",
  "company_trail",
  "day_totals",
  "deliveries",
  "endpoints",
  "event_cursors",
  "event_runs",
  "former_idempotency_keys",
  "fundings",
  "idempotency_keys",
  "list_ends",
  "logos",
  "outcomes",
  "payroll_drafts",
  "pending_transfers",
  "postings",
  "prices",
  "proposal_gaps",
  "proposal_parts",
  "proposal_states",
  "proposals",
  "quotas",
  "seals",
  "secret_keys",
  "settling",
  "statement_progress",
  "statement_totals",
  "sub_companies",
  "transfers",
  "webhooks",
  "withdrawals",
  "work",
];
const customerTables = [
  "code_recipients",
  "customer_trail",
  "customers",
  "known_browsers",
  "one_time_codes",
  "wallet_entries",
  "wallet_sessions",
  "wallets",
];
/** Counts by subject, which nothing else is joined to. */
const subjectTables = ["login_counts", "message_counts"];
const referenceTables = [
  "access_tokens",
  "installation",
  "ledger_keys",
  "memberships",
  "people",
  "purpose_keys",
  "recovery_codes",
  "schema_functions",
  "schema_migrations",
  "staff_devices",
  "staff_links",
  "staff_sessions",
  "staff_trail",
  "turns",
  "vault",
];

test("every table belongs to a group", async ({ db }) => {
  const rows = await db.database.query<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`);

  expect(rows.map(({ name }) => name).toSorted()).toEqual(
    [...companyTables, ...customerTables, ...subjectTables, ...referenceTables].toSorted(),
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
    [customerTables, "msisdn"],
    [subjectTables, "subject"],
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
    const isInside = [companyTables, referenceTables].some((group) =>
      [from, to].every((table) => group.includes(table)),
    );
    expect(isInside, `${from} → ${to}`).toBe(true);
    expect(deferrable).toBe(false);
    expect(action).toBe("a");
  }
});

test("the only triggers are those that refuse change", async ({ db }) => {
  const rows = await db.database.query<{ function: string }>(sql`
    select p.proname as function from pg_trigger g join pg_proc p on p.oid = g.tgfoid where not g.tgisinternal`);

  expect(new Set(rows.map((row) => row.function))).toEqual(new Set(["refuse_change"]));
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

/** Every read or write of a company's rows says which company; the audit and the operator's lists are the exceptions. */
test("every statement of a store names its company or its wallet", () => {
  const wide = ["src/companies/store.ts: select 1 from companies limit 1"];
  // Whole tables come and go under these.
  const forms = /^select (?:turn_idempotency_keys|make_delivery_months|forget_delivery_month)\(/;
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
        /company_id|companyId|msisdn|subjects?|key_id|token_hash|person_id|link_id|email|\b(?:vault|purpose_keys|ledger_keys)\b/,
      );
    }
  }
});

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
