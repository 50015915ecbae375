import type pg from "pg";
import { customersMax } from "../requests.ts";

export const firstPerson = "2250710000000";

/**
 * Copies what `customer add` has written for one person, whatever tables and columns that is in, for as
 * many people as the load pays: one command for each would take half an hour.
 */
export async function copyFirstPerson(client: pg.Client): Promise<void> {
  const { rows: tables } = await client.query<{ name: string; type: string; others: string[] }>(`
    select format('%I.%I', n.nspname, c.relname) as name,
      max(format_type(a.atttypid, a.atttypmod)) filter (where a.attname = 'msisdn') as type,
      coalesce(array_agg(quote_ident(a.attname)) filter (where a.attname <> 'msisdn'), '{}') as others
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'p') and not c.relispartition
      and n.nspname not in ('pg_catalog', 'information_schema')
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by n.nspname, c.relname
    having bool_or(a.attname = 'msisdn')`);
  // The tables refer to each other, in an order that only their commit knows.
  await client.query("set session_replication_role = replica");
  let copied = 0;
  for (const { name, type, others } of tables) {
    const { rowCount } = await client.query(
      `insert into ${name} (${["msisdn", ...others].join(", ")})
      select ${[`(msisdn::text::bigint + n)::text::${type}`, ...others].join(", ")}
      from ${name}, generate_series(1, $1::integer) as n where msisdn = $2`,
      [customersMax - 1, firstPerson],
    );
    copied += rowCount ?? 0;
  }
  if (copied === 0) throw new Error("customer add left no row with the person's number");
}
