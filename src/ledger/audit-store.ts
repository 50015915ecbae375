import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";

export interface LastAudit {
  readonly endedAt: Date;
  /** 0 means that the books are in order. */
  readonly differences: number;
  readonly seconds: number;
}

export async function upsertLastAudit(
  database: Queryable,
  differences: number,
  seconds: number,
): Promise<void> {
  await database.query(sql`
    insert into last_audit as a (subject, ended_at, differences, seconds)
    values ('books', now(), ${differences}, ${seconds})
    on conflict (subject) do update set ended_at = excluded.ended_at, differences = excluded.differences,
      seconds = excluded.seconds`);
}

export async function selectLastAudit(database: Queryable): Promise<LastAudit | undefined> {
  const [row] = await database.query<LastAudit>(sql`
    select ended_at as "endedAt", differences, seconds from last_audit where subject = 'books'`);
  return row;
}
