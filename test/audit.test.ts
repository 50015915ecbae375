import { afterAll, beforeAll, expect, test } from "vitest";
import { sqlState } from "../src/database/errors.ts";
import { sql } from "../src/database/sql.ts";
import { auditDifferences, makeDatabase, type TestDatabase } from "./fixtures.ts";
import { fillForForgeries } from "./forged-books.ts";
import { forgeries } from "./forgeries.ts";
import { notOnCluster } from "./on-cluster.ts";
import { findSpoilt, moneyTables } from "./spoil.ts";

let db: TestDatabase & { drop(): Promise<void> };
/** What the statements name: ids by what they are of. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  db = await makeDatabase();
  Object.assign(ids, await fillForForgeries(db));
});

afterAll(async () => {
  await db.drop();
});

test("books that nobody touched are in order", async () => {
  expect(await auditDifferences(db.database)).toEqual([]);
});

test.each(Object.entries(forgeries))("the audit sees %s", async (_, texts) => {
  const named = texts.map((text) =>
    text.replace(/:(\w+)'/g, (all, name) => (ids[name] === undefined ? all : `${ids[name]}'`)),
  );
  expect(await findSpoilt(db.database, ...named)).not.toEqual([]);
});

/** Columns that say nothing about money, or that nothing else in the database could contradict. */
const unwitnessed = new Set([
  "batches.sub_company_id",
  "batches.updated_at",
  "books.last_ms",
  "books.last_count",
  "charges.description",
  "charges.external_id",
  "charges.metadata",
  "charges.on_canceled_redirection_url",
  "charges.on_completed_redirection_url",
  "charges.sub_company_id",
  "charges.updated_at",
  "charge_transactions.created_at",
  "charge_transactions.error",
  "charge_transactions.msisdn_given",
  "event_runs.created_at",
  "fundings.memo",
  "fundings.reference",
  "outcomes.failure_reason",
  "transfers.description",
  "transfers.metadata",
  "transfers.msisdn_has_plus",
  "transfers.reference",
  "transfers.sub_company_id",
  "wallets.may_overdraw",
  "wallet_entries.company_name",
  "wallet_entries.created_at",
  "wallet_entries.description",
  "wallet_entries.sub_company_logo_url",
  "wallet_entries.sub_company_name",
]);
/** Another value of the same type. */
const others: Readonly<Record<string, (column: string) => string>> = {
  bigint: (column) => `${column} + 100`,
  integer: (column) => `${column} + 100`,
  text: (column) => `${column} || '7'`,
  uuid: () => "gen_random_uuid()",
  boolean: (column) => `not ${column}`,
  bytea: (column) => `set_byte(${column}, 0, get_byte(${column}, 0) # 1)`,
  "timestamp with time zone": (column) => `${column} + interval '2 days'`,
  _text: (column) => `trim_array(${column}, 1) || (${column}[cardinality(${column})] || '7')`,
  _uuid: (column) => `trim_array(${column}, 1) || gen_random_uuid()`,
};

test("the audit, or the database itself, sees any value of the books that is changed alone", async (context) => {
  notOnCluster(context, "forgeries");
  const columns = await db.database.query<{ name: string; column: string; type: string }>(sql`
    select c.table_name as name, c.column_name as column,
      case when c.data_type in ('USER-DEFINED', 'ARRAY') then c.udt_name else c.data_type end as type
    from information_schema.columns c
    where c.table_schema = 'public' and c.table_name = any (${moneyTables})
    order by c.table_name, c.ordinal_position`);
  const unseen: string[] = [];
  let changed = 0;
  for (const { name, column, type } of columns) {
    if (unwitnessed.has(`${name}.${column}`)) continue;
    const rows = await db.database.query<{ at: string }>({
      text: `select ctid::text as at from ${name} where ${column} is not null order by random() limit 3`,
      values: [],
    });
    for (const { at } of rows) {
      const value = others[type]?.(column) ?? (await otherLabel(type, column));
      changed += 1;
      const text = `update ${name} set ${column} = ${value} where ctid = '${at}'`;
      if (!(await isSeen(text))) unseen.push(text);
    }
  }
  expect(changed).toBeGreaterThan(100);
  expect(unseen).toEqual([]);
});

/** Another label of an enumerated type. */
async function otherLabel(type: string, column: string): Promise<string> {
  const [row] = await db.database.query<{ labels: string[] }>(sql`
    select array_agg(enumlabel::text) as labels from pg_enum join pg_type t on t.oid = enumtypid where t.typname = ${type}`);
  const labels = row?.labels ?? [];
  const next = labels.map(
    (label, place) => `when '${label}' then '${labels[(place + 1) % labels.length]}'`,
  );
  return `(case ${column}::text ${next.join(" ")} end)::${type}`;
}

async function isSeen(text: string): Promise<boolean> {
  try {
    return (await findSpoilt(db.database, text)).length > 0;
  } catch (error) {
    const state = error instanceof Error ? sqlState(error.cause ?? error) : undefined;
    // A constraint: integrity (class 23).
    if (state?.startsWith("23")) return true;
    throw error;
  }
}
