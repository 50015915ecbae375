import type { Queryable } from "../database/database.ts";
import { type Query, sql } from "../database/sql.ts";
import { type Cover, toCover } from "./cover.ts";

/** All of them, oldest first: one a day. */
export async function selectCovers(database: Queryable): Promise<Cover[]> {
  return toCovers(database, sql`order by id`);
}

export async function selectLastCover(database: Queryable): Promise<Cover | undefined> {
  return (await toCovers(database, sql`order by id desc limit 1`))[0];
}

async function toCovers(database: Queryable, which: Query): Promise<Cover[]> {
  const rows = await database.query<{ subject: string; changes: string | null }>(sql`
    select subject, changes from installation_trail where action = 'trails.covered' ${which}`);
  return rows.map(({ subject, changes }) => toCover(subject, changes));
}
