import type { Queryable, Tx } from "../database/database.ts";
import { every, type Query, sql } from "../database/sql.ts";
import { firstUuidAt, timeOfUuid } from "../kernel/ids.ts";
import type { Actor, ConsolePerson, Operator } from "./actor.ts";
import type { TrailEntry } from "./trail.ts";

export async function insertCompanyEntry(
  tx: Tx,
  companyId: string,
  nonce: number,
  by: Actor,
  action: string,
  subject: string,
  changes: string | null,
): Promise<void> {
  const operator = "operator" in by ? by.operator : null;
  const keyId = "keyId" in by ? by.keyId : null;
  const personId = "personId" in by ? by.personId : null;
  const address = "address" in by ? by.address : null;
  // Nor is it dated into a day that is sealed, as no posting is.
  const newest = await tx.query<{ id: string }>(sql`
    select id from (
      (select id from company_trail where company_id = ${companyId} order by id desc limit 1)
      union all
      (select ordered_id((extract(epoch from posted_at) * 1000)::bigint, 0, 0) from books
        where company_id = ${companyId} and posted_at > '-infinity')
    ) as x order by id desc limit 1`);
  await tx.query(sql`
    insert into company_trail (company_id, id, operator, key_id, person_id, address, via, action, subject, changes)
    values (
      ${companyId},
      trail_id(${nonce}, ${newest[0]?.id ?? null}),
      ${operator}, ${keyId}, ${personId}, ${address}, ${by.via}, ${action}, ${subject}, ${changes})`);
}

export async function insertPersonEntry(
  tx: Tx,
  personId: string,
  nonce: number,
  by: Operator | ConsolePerson,
  action: string,
  changes: string | null,
): Promise<void> {
  const [operator, byPerson, address] =
    "operator" in by ? [by.operator, null, null] : [null, by.personId, by.address];
  const newest = await tx.query<{ id: string }>(sql`
    select id from staff_trail where person_id = ${personId} order by id desc limit 1`);
  await tx.query(sql`
    insert into staff_trail (person_id, id, operator, by_person, address, via, action, changes)
    values (
      ${personId}, trail_id(${nonce}, ${newest[0]?.id ?? null}), ${operator}, ${byPerson}, ${address}, ${by.via}, ${action},
      ${changes})`);
}

export async function insertCustomerEntry(
  tx: Tx,
  msisdn: string,
  nonce: number,
  by: Operator,
  action: string,
  changes: string | null,
): Promise<void> {
  await insertCustomerEntries(tx, by, [{ msisdn, nonce, action, changes }]);
}

export async function insertCustomerEntries(
  tx: Tx,
  by: Operator,
  entries: readonly {
    readonly msisdn: string;
    readonly nonce: number;
    readonly action: string;
    readonly changes: string | null;
  }[],
): Promise<void> {
  const msisdns = entries.map(({ msisdn }) => msisdn);
  const rows = await tx.query<{ msisdn: string; id: string }>(sql`
    select distinct on (msisdn) msisdn, id from customer_trail where msisdn = any (${msisdns}::text[])
    order by msisdn, id desc`);
  const newest = new Map(rows.map(({ msisdn, id }) => [msisdn, id]));
  await tx.query(sql`
    insert into customer_trail (msisdn, id, operator, via, action, changes)
    select x.msisdn, trail_id(x.nonce, x.newest), ${by.operator}, ${by.via}, x.action, x.changes
    from unnest(
      ${msisdns}::text[],
      ${entries.map(({ nonce }) => nonce)}::bigint[],
      ${msisdns.map((msisdn) => newest.get(msisdn) ?? null)}::uuid[],
      ${entries.map(({ action }) => action)}::text[],
      ${entries.map(({ changes }) => changes)}::text[]
    ) as x(msisdn, nonce, newest, action, changes)`);
}

export async function insertInstallationEntry(
  tx: Tx,
  nonce: number,
  by: Operator,
  action: string,
  subject: string,
  changes: string | null,
): Promise<void> {
  const [last] = await tx.query<{ id: string }>(sql`
    select id from installation_trail order by id desc limit 1`);
  await tx.query(sql`
    insert into installation_trail (id, operator, via, action, subject, changes)
    values (trail_id(${nonce}, ${last?.id ?? null}), ${by.operator}, ${by.via}, ${action}, ${subject}, ${changes})`);
}

export async function selectLastOfInstallation(
  database: Queryable,
  action: string,
): Promise<Date | undefined> {
  const [last] = await database.query<{ at: Date }>(sql`
    select time_of_id(id) as at from installation_trail where action = ${action} order by id desc limit 1`);
  return last?.at;
}

/** Which part of the trail is wanted, newest first. */
export interface TrailQuery {
  readonly companyId: string | undefined;
  readonly since: Date | undefined;
  /** The id of an entry: only what is older than it. */
  readonly before: string | undefined;
  readonly limit: number;
}

export interface TrailRow {
  readonly id: string;
  readonly operator: string | null;
  readonly key_id: string | null;
  readonly by_person: string | null;
  readonly address: string | null;
  readonly via: string;
  readonly action: string;
  readonly company_id: string | null;
  readonly subject: string;
  readonly changes: string | null;
}

export async function selectCompanyTrail(
  database: Queryable,
  query: TrailQuery,
): Promise<TrailEntry[]> {
  const ofCompany =
    query.companyId === undefined ? sql`action > ''` : sql`company_id = ${query.companyId}`;
  // What the service notes about charges is evidence for the audit, and nobody's change.
  const rows = await database.query<TrailRow>(sql`
    select id, operator, key_id, person_id as by_person, address, via, action, company_id, subject, changes from company_trail
    where ${ofCompany} and action <> 'charges.bound' and ${inRange(query)} order by id desc limit ${query.limit}`);
  return rows.map(toEntry);
}

export async function selectCustomerTrail(
  database: Queryable,
  query: TrailQuery,
): Promise<TrailEntry[]> {
  const rows = await database.query<TrailRow>(sql`
    select id, operator, null::uuid as key_id, null::uuid as by_person, null as address, via, action, null::uuid as company_id,
      msisdn as subject, changes
    from customer_trail where ${inRange(query)} order by id desc limit ${query.limit}`);
  return rows.map(toEntry);
}

export async function selectStaffTrail(
  database: Queryable,
  query: TrailQuery,
): Promise<TrailEntry[]> {
  const rows = await database.query<TrailRow>(sql`
    select id, operator, null::uuid as key_id, by_person, address, via, action, null::uuid as company_id,
      'per_' || replace(person_id::text, '-', '') as subject, changes
    from staff_trail where ${inRange(query)} order by id desc limit ${query.limit}`);
  return rows.map(toEntry);
}

export async function selectInstallationTrail(
  database: Queryable,
  query: TrailQuery,
): Promise<TrailEntry[]> {
  const rows = await database.query<TrailRow>(sql`
    select id, operator, null::uuid as key_id, null::uuid as by_person, null as address, via, action, null::uuid as company_id,
      subject, changes
    from installation_trail where ${inRange(query)} order by id desc limit ${query.limit}`);
  return rows.map(toEntry);
}

/** An id carries the time of its entry, so a range of time is a range of ids. */
function inRange({ since, before }: TrailQuery): Query {
  const conditions: Query[] = [];
  if (since !== undefined) conditions.push(sql`id >= ${firstUuidAt(since.getTime())}`);
  if (before !== undefined) conditions.push(sql`id < ${before}`);
  return every(conditions);
}

export function toEntry(row: TrailRow): TrailEntry {
  return {
    id: row.id,
    at: new Date(timeOfUuid(row.id)),
    by: actorOf(row),
    via: row.via,
    action: row.action,
    companyId: row.company_id,
    subject: row.subject,
    changes: row.changes === null ? {} : (JSON.parse(row.changes) as TrailEntry["changes"]),
  };
}

function actorOf({ key_id, by_person, operator, address }: TrailRow): TrailEntry["by"] {
  if (key_id !== null) return { keyId: key_id, address: address ?? "" };
  if (by_person !== null) return { personId: by_person, address: address ?? "" };
  return { operator: operator ?? "" };
}

/** Whether a person still has a session that was good a moment ago. */
export async function hasSession(
  database: Queryable,
  personId: string,
  sessionId: string,
): Promise<boolean> {
  const rows = await database.query(sql`
    select 1 from staff_sessions where session_id = ${sessionId} and person_id = ${personId}`);
  return rows.length === 1;
}
