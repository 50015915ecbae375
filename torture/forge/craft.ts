import type { Tx } from "../../src/database/database.ts";
import { type Query, sql } from "../../src/database/sql.ts";
import {
  type ChainedPosting,
  digestOfSet,
  firstHash,
  nextHash,
} from "../../src/statements/chain.ts";
import { insertDayTotals } from "../../src/statements/days-store.ts";
import { selectChainedPostings } from "../../src/statements/lines-store.ts";
import { type LedgerKey, type Seal, sealText } from "../../src/statements/seal.ts";
import { toSealPayload } from "../../src/statements/seal-resource.ts";
import { selectSealsWithin } from "../../src/statements/seals-store.ts";
import { toPosting } from "../../src/statements/to-line.ts";
import { totalsUpto } from "../../src/statements/totals.ts";
import { firstHead, headText, nextHead, type TrailName } from "../../src/statements/trail-chain.ts";
import {
  selectChained,
  selectHead,
  updateChained,
} from "../../src/statements/trail-chain-store.ts";

/** What an insider makes anew so that a forgery agrees with itself. Nothing here needs the operator's key. */

const everything = { after: 0, upto: 1_000_000 };

/** The chain and the marks of all postings, from what they now say and what they were for. */
export async function rechain(tx: Tx, companyId: string): Promise<void> {
  const rows = await selectChainedPostings(tx, companyId, everything);
  let hash = firstHash({ companyId, after: 0 });
  let set: ChainedPosting[] = [];
  const ends: { number: number; hash: Buffer }[] = [];
  for (const row of rows) {
    set.push(toPosting(row));
    if (row.chain === null) continue;
    hash = nextHash(hash, digestOfSet(set, 2));
    ends.push({ number: row.number, hash });
    set = [];
  }
  await tx.query(sql`
    update postings p set chain = x.hash
    from unnest(${ends.map(({ number }) => number)}::bigint[], ${ends.map((end) => end.hash)}::bytea[]) as x(number, hash)
    where p.company_id = ${companyId} and p.number = x.number`);
  await tx.query(sql`
    update postings p set mark = posting_mark(hashtextextended(p.event || ' ' || p.debit_account || ' ' || p.credit_account || ' '
        || to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 0),
      p.number, p.subject_id, p.amount, x.facts)
    from unnest(${rows.map(({ number }) => number)}::bigint[], ${rows.map(({ facts }) => facts)}::text[]) as x(number, facts)
    where p.company_id = ${companyId} and p.number = x.number`);
  await tx.query(sql`update books set chain = ${hash} where company_id = ${companyId}`);
}

/** The sums of days and statements, from the postings. */
export async function resum(tx: Tx, companyId: string): Promise<void> {
  await tx.query(sql`delete from statement_totals where company_id = ${companyId}`);
  await tx.query(sql`
    update statement_progress set totalled_to = 0 where company_id = ${companyId}`);
  await tx.query(sql`delete from day_totals where company_id = ${companyId}`);
  for (const { day, number } of await sealsOf(tx, companyId))
    await insertDayTotals(tx, companyId, day, await totalsUpto(tx, companyId, undefined, number));
}

/** The chain of a trail, from what its entries now say; the entries keep their order. Only a key can sign the last of them. */
export async function retrail(tx: Tx, trail: TrailName, key?: LedgerKey): Promise<void> {
  const rows = await selectChained(tx, trail, 0, 1_000_000);
  const signed = await selectHead(tx, trail);
  await forgetPlaces(tx, trail);
  let head = firstHead(trail);
  const places = rows.map(({ id, owner, fields }) => {
    head = nextHead(head, fields);
    return { id, owner, ...head };
  });
  await updateChained(tx, trail, places);
  if (signed === undefined) return;
  const values = sql`number = ${head.number}, hash = ${head.hash}, key_id = ${key?.id ?? signed.keyId},
    signature = ${key?.sign(headText(trail, head)) ?? signed.signature}`;
  await tx.query(
    typeof trail === "string"
      ? sql`update shared_trail_heads set ${values} where trail = ${trail}`
      : sql`update trail_heads set ${values} where company_id = ${trail.companyId}`,
  );
}

/** As if a trail had never been chained: the service then chains it, and signs. */
export async function unchain(tx: Tx, trail: TrailName): Promise<void> {
  await forgetPlaces(tx, trail);
  await tx.query(
    typeof trail === "string"
      ? sql`delete from shared_trail_heads where trail = ${trail}`
      : sql`delete from trail_heads where company_id = ${trail.companyId}`,
  );
}

async function forgetPlaces(tx: Tx, trail: TrailName): Promise<void> {
  const places = sql`set number = null, hash = null`;
  if (trail === "staff") await tx.query(sql`update staff_trail ${places}`);
  else if (trail === "customers") await tx.query(sql`update customer_trail ${places}`);
  else if (trail === "installation") await tx.query(sql`update installation_trail ${places}`);
  else
    await tx.query(sql`
      update company_trail ${places} where company_id = ${trail.companyId}`);
}

/** What the seals say, from the books and trails as they are now; with signatures of a key, or with those that they had. */
export async function reseal(tx: Tx, companyId: string, key?: LedgerKey): Promise<void> {
  await tx.query(sql`
    update seals s set
      hash = (select p.chain from postings p where p.company_id = s.company_id and p.number = s.number),
      balance = (select p.available_after from postings p where p.company_id = s.company_id and p.number <= s.number
        and p.available_after is not null order by p.number desc limit 1),
      trail_hash = coalesce((
        select t.hash from company_trail t where t.company_id = s.company_id and t.number = s.trail_number), s.trail_hash),
      installation_hash = coalesce((
        select t.hash from installation_trail t where t.number = s.installation_number), s.installation_hash)
    where s.company_id = ${companyId}`);
  if (key !== undefined)
    for (const seal of await sealsOf(tx, companyId))
      await tx.query(sql`
        update seals set key_id = ${key.id}, signature = ${key.sign(sealText(seal))}
        where company_id = ${companyId} and day = ${seal.day}::date`);
  await retell(tx, companyId);
}

/** What was told of the seals, as they are now. */
export async function retell(tx: Tx, companyId: string): Promise<void> {
  const seals = new Map((await sealsOf(tx, companyId)).map((seal) => [seal.day, seal]));
  const runs = await tx.query<{ last_number: number; payloads: string[] }>(sql`
    select last_number, payloads from event_runs
    where company_id = ${companyId} and topic::text = 'statements/sealed'`);
  for (const { last_number, payloads } of runs) {
    const told = payloads.map((payload) => {
      const seal = seals.get(/"day":"(.{10})"/.exec(payload)?.[1] ?? "");
      return seal === undefined ? payload : toSealPayload(seal, seal.publicKey);
    });
    await tx.query(sql`
      update event_runs set payloads = ${told}::text[]
      where company_id = ${companyId} and last_number = ${last_number}`);
  }
}

/** As if nobody had ever been told of the seals, or of that of a day: events are numbered anew, and so is all that names one. */
export async function untellSeals(tx: Tx, companyId: string, day = ""): Promise<void> {
  const of = sql`company_id = ${companyId}`;
  const isTold = sql`(topic::text = 'statements/sealed' and payloads[1] like ${`%"day":"${day}%`})`;
  const steps: readonly Query[] = [
    sql`with run as (delete from event_runs where ${of} returning *)
      insert into event_runs (company_id, last_number, topic, created_at, subject_ids, payloads)
      select r.company_id, r.last_number - cardinality(r.subject_ids) + x.place, r.topic, r.created_at, array[x.subject_id],
        case when x.payload is not null then array[x.payload] end
      from run r cross join lateral unnest(r.subject_ids, r.payloads) with ordinality as x(subject_id, payload, place)`,
    sql`create temp table forged_numbers on commit drop as
      select last_number as was, row_number() over (order by last_number) as is_now from event_runs
      where ${of} and not ${isTold}`,
    sql`delete from event_runs where ${of} and ${isTold}`,
    ...["deliveries", "attempts"].map((table) => ({
      text: `delete from ${table} where company_id = $1 and event_number not in (select was from forged_numbers)`,
      values: [companyId],
    })),
    ...[
      ["event_runs", "last_number"],
      ["deliveries", "event_number"],
      ["attempts", "event_number"],
    ].flatMap(([table, column]) => [
      {
        text: `update ${table} t set ${column} = -n.is_now from forged_numbers n where t.company_id = $1 and t.${column} = n.was`,
        values: [companyId],
      },
      {
        text: `update ${table} set ${column} = -${column} where company_id = $1`,
        values: [companyId],
      },
    ]),
    sql`update event_cursors set last_event = (select count(*) from forged_numbers n where n.was <= last_event) where ${of}`,
    sql`update books set last_event = (select count(*) from forged_numbers) where ${of}`,
  ];
  for (const step of steps) await tx.query(step);
}

/** As if no audit had ever looked. */
export async function forgetAudits(tx: Tx): Promise<void> {
  await tx.query(sql`delete from audit_checkpoints`);
  await tx.query(sql`delete from audits`);
  await tx.query(sql`delete from last_audit`);
}

export function sealsOf(tx: Tx, companyId: string): Promise<(Seal & { publicKey: string })[]> {
  return selectSealsWithin(tx, companyId, { after: -1, upto: Number.MAX_SAFE_INTEGER });
}
