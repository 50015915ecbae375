import type { Database, Tx } from "../database/database.ts";
import { readDatabaseTime } from "../database/database-clock.ts";
import { sql } from "../database/sql.ts";

/** Counts a try; answers how many there were in the window, and how long it lasts. The count is a write: nodes share it. */
export async function countTry(
  database: Database,
  subject: string,
  windowSeconds: number,
): Promise<{ readonly tries: number; readonly seconds: number }> {
  // Worked out before: a database that is split refuses arithmetic with times where it writes.
  const now = await readDatabaseTime(database);
  const start = new Date(now.getTime() - windowSeconds * 1_000);
  const [row] = await database.execute<{ tries: number; since: Date }>(sql`
    insert into login_counts as c (subject, since, tries) values (${subject}, now(), 1)
    on conflict (subject) do update set
      tries = case when c.since < ${start} then 1 else least(c.tries + 1, 1000000) end,
      since = case when c.since < ${start} then excluded.since else c.since end
    returning tries, since`);
  const left = windowSeconds - Math.floor((Date.now() - (row?.since.getTime() ?? 0)) / 1_000);
  // Only told to whoever waits: a clock that differs from the database's does no harm.
  return { tries: row?.tries ?? 1, seconds: Math.min(Math.max(left, 1), windowSeconds) };
}

export async function forgetTries(tx: Tx, subject: string): Promise<void> {
  await tx.query(sql`delete from login_counts where subject = ${subject}`);
}

/** True when the person has not signed in with this browser before. */
export async function insertDevice(tx: Tx, personId: string, device: Buffer): Promise<boolean> {
  const made = await tx.query(sql`
    insert into staff_devices (person_id, device_hash) values (${personId}, ${device})
    on conflict (person_id, device_hash) do nothing returning 1`);
  if (made.length === 1) return true;
  await tx.query(sql`
    update staff_devices set seen_at = now() where person_id = ${personId} and device_hash = ${device}`);
  return false;
}

export async function hasDevice(
  database: Database,
  personId: string,
  device: Buffer,
): Promise<boolean> {
  const rows = await database.query(sql`
    select 1 from staff_devices where person_id = ${personId} and device_hash = ${device}`);
  return rows.length === 1;
}

export async function deleteDevicesOf(tx: Tx, personId: string): Promise<void> {
  await tx.query(sql`delete from staff_devices where person_id = ${personId}`);
}

const deletedAtOnceMax = 1_000;

/** What can be forgotten of people who signed in, a bounded number; true when there may be more. */
export async function deleteOldTraces(database: Database): Promise<boolean> {
  const counts = await database.execute(sql`
    delete from login_counts where subject in (
      select subject from login_counts where since < now() - interval '1 day' and since > '-infinity'
      order by since limit ${deletedAtOnceMax})
    returning 1`);
  const devices = await database.execute(sql`
    delete from staff_devices where (person_id, device_hash) in (
      select person_id, device_hash from staff_devices
      where seen_at < now() - interval '180 days' and seen_at > '-infinity'
      order by seen_at limit ${deletedAtOnceMax})
    returning 1`);
  const links = await database.execute(sql`
    delete from staff_links where token_hash in (
      select token_hash from staff_links where expires_at < now() - interval '30 days' and expires_at > '-infinity'
      order by expires_at limit ${deletedAtOnceMax})
    returning 1`);
  return [counts, devices, links].some((rows) => rows.length === deletedAtOnceMax);
}
