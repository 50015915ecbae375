import type { Database, Queryable, Writable } from "../database/database.ts";
import { sql } from "../database/sql.ts";

/** One request of the API, as the log has it. */
export interface LoggedRequest {
  readonly id: string;
  readonly at: Date;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly keyId: string;
  readonly ms: number;
  readonly correlationId: string;
  /** Fields of its body that nothing was done with, by their names. */
  readonly ignoredFields: string | null;
}

/** Written in one statement; a company's rows are on one node. */
export async function insertRequests(
  database: Writable,
  companyId: string,
  requests: readonly LoggedRequest[],
): Promise<void> {
  await database.execute(sql`
    insert into request_log (company_id, id, at, method, path, status, key_id, ms, correlation_id, ignored_fields)
    select c.company_id, x.* from companies c,
      unnest(
        ${requests.map(({ id }) => id)}::uuid[],
        ${requests.map(({ at }) => at)}::timestamptz[],
        ${requests.map(({ method }) => method)}::text[],
        ${requests.map(({ path }) => path)}::text[],
        ${requests.map(({ status }) => status)}::smallint[],
        ${requests.map(({ keyId }) => keyId)}::uuid[],
        ${requests.map(({ ms }) => ms)}::integer[],
        ${requests.map(({ correlationId }) => correlationId)}::text[],
        ${requests.map(({ ignoredFields }) => ignoredFields)}::text[]
      ) as x
    where c.company_id = ${companyId}`);
}

const columns = sql`
  id, at, method, path, status, key_id as "keyId", ms, correlation_id as "correlationId",
  ignored_fields as "ignoredFields"`;

/** The newest before an id; ids are in the order of time. */
export async function selectRequests(
  database: Queryable,
  companyId: string,
  before: string,
  limit: number,
): Promise<LoggedRequest[]> {
  return database.query<LoggedRequest>(sql`
    select ${columns} from request_log where company_id = ${companyId} and id < ${before}
    order by id desc limit ${limit}`);
}

/** Refusals and failures have an index by the name that callers are told. */
export async function selectRefused(
  database: Queryable,
  companyId: string,
  correlationId: string,
  limit: number,
): Promise<LoggedRequest[]> {
  return database.query<LoggedRequest>(sql`
    select ${columns} from request_log
    where company_id = ${companyId} and correlation_id = ${correlationId} and status >= 400
    order by id desc limit ${limit}`);
}

/**
 * Deletes of one company what is in no day's table and is as old; returns how many. Looks at the first rows alone: ids are in
 * the order of time, so the oldest come first, and what is left is for the next time.
 */
export async function deleteStrayRequests(
  database: Database,
  companyId: string,
  keptDays: number,
  limit: number,
): Promise<number> {
  const rows = await database.execute(sql`
    delete from request_log_default where company_id = ${companyId} and id = any (array(
      select id from (
        select id, at from request_log_default where company_id = ${companyId} order by id limit ${limit}) as oldest
      where at < now() - make_interval(days => ${keptDays})))
    returning id`);
  return rows.length;
}

/** See make_request_days. */
export async function makeDays(database: Database, ahead: number, waitMs: number): Promise<number> {
  const rows = await database.execute<{ made: number }>(sql`
    select make_request_days(${ahead}, ${waitMs}) as made`);
  return rows[0]?.made ?? 0;
}

/** See forget_request_day; undefined when none was forgotten. */
export async function forgetDay(
  database: Database,
  keptDays: number,
  waitMs: number,
): Promise<string | undefined> {
  const rows = await database.execute<{ day: string | null }>(sql`
    select forget_request_day(make_interval(days => ${keptDays}), ${waitMs}) as day`);
  return rows[0]?.day ?? undefined;
}
