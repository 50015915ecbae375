import type { Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";
import { type Cover, type CoveredTrail, coveredTrails } from "./cover.ts";
import { selectCovers } from "./covers-store.ts";
import { brokenAt, followTrail } from "./follow-trail.ts";
import { selectLedgerKeys } from "./keys-store.ts";
import { isSignedBy, type PublicLedgerKey } from "./seal.ts";
import {
  firstHead,
  headText,
  nameOfTrail,
  sharedTrails,
  type TrailHead,
  type TrailName,
} from "./trail-chain.ts";
import { selectHead } from "./trail-chain-store.ts";

/**
 * Computes the trails' chains again: an entry that was changed, taken away or put in between is named, by its number. And holds them
 * against what was sealed: whoever can have a chain made anew cannot have the seals made anew.
 */
export const trailChainChecks: readonly AuditCheck[] = [
  {
    name: "each company's trail is what was chained and signed",
    count: (tx) =>
      countOf(tx, sql`select count(*) as count from company_trail where number is not null`),
    find: async (tx, { opening }) => {
      const companies = await tx.query<{
        company_id: string;
        number: number | null;
        hash: Buffer | null;
      }>(sql`
        select c.company_id, o.trail_number as number, o.trail_hash as hash
        from companies c left join ${opening} o on o.company_id = c.company_id order by c.company_id`);
      return findBroken(
        tx,
        companies.map(({ company_id: companyId, number, hash }) => {
          const trail = { companyId };
          return {
            trail,
            from: number === null || hash === null ? firstHead(trail) : { number, hash },
          };
        }),
      );
    },
  },
  {
    name: "what is no company's trail is what was chained and signed",
    of: "people",
    count: (tx) =>
      countOf(
        tx,
        sql`select (select count(*) from staff_trail where number is not null)
          + (select count(*) from customer_trail where number is not null)
          + (select count(*) from installation_trail where number is not null) as count`,
      ),
    find: async (tx, { openingTrails }) => {
      const heads = await tx.query<TrailHead & { readonly trail: string }>(sql`
        select trail, number, hash from ${openingTrails} t`);
      return findBroken(
        tx,
        sharedTrails.map((trail) => ({
          trail,
          from: heads.find((head) => head.trail === trail) ?? firstHead(trail),
        })),
      );
    },
  },
  {
    name: "the trails are what was sealed",
    count: (tx, { seals }) =>
      countOf(tx, sql`select count(*) as count from ${seals} s where trail_number is not null`),
    find: (tx, { seals }) =>
      tx.query<Difference>(sql`
        select 'seal of ' || s.day || ' of company ' || s.company_id as "where",
          'entries ' || s.trail_number || ' of the company and ' || s.installation_number || ' of the installation'
            as expected,
          'another history' as found
        from ${seals} s
        left join company_trail t on t.company_id = s.company_id and t.number = s.trail_number
        left join installation_trail i on i.number = s.installation_number
        where (s.trail_number > 0 and t.hash is distinct from s.trail_hash)
          or (s.installation_number > 0 and i.hash is distinct from s.installation_hash)
        order by s.company_id, s.day limit ${differencesMax}`),
  },
  {
    name: "the trails of people and customers are what was covered each day",
    of: "people",
    count: async (tx) => (await selectCovers(tx)).length,
    find: findUncovered,
  },
];

/** A trail, and the entry after which it is followed: that of the checkpoint, or none. */
interface TrailToFollow {
  readonly trail: TrailName;
  readonly from: TrailHead;
}

async function findBroken(tx: Tx, trails: readonly TrailToFollow[]): Promise<Difference[]> {
  const keys = await selectLedgerKeys(tx);
  const differences: Difference[] = [];
  for (const trail of trails) {
    const broken = await findBreak(tx, keys, trail);
    if (broken !== undefined) differences.push(broken);
    if (differences.length >= differencesMax) break;
  }
  return differences;
}

/** The first of a trail that is not what was chained. */
async function findBreak(
  tx: Tx,
  keys: readonly PublicLedgerKey[],
  { trail, from }: TrailToFollow,
): Promise<Difference | undefined> {
  const result = await followTrail(tx, trail, from);
  if (result.broken !== undefined) return result.broken;
  const { head } = result;
  const signed = await selectHead(tx, trail);
  if (signed === undefined && head.number === 0) return undefined;
  if (signed?.number !== head.number || !signed.hash.equals(head.hash)) {
    const expected = `entry ${signed?.number ?? 0}, which was signed as the last`;
    return brokenAt(trail, head.number, expected, "another history").broken;
  }
  if (!isSignedBy(keys, signed.keyId, headText(trail, head), signed.signature))
    return brokenAt(trail, head.number, "the operator's signature", "another").broken;
  return undefined;
}

/** Days whose entry names others than there are; and one of a day that has not come, which would keep the true ones away. */
async function findUncovered(tx: Tx): Promise<Difference[]> {
  const covers = await selectCovers(tx);
  const differences: Difference[] = [];
  for (const trail of coveredTrails) {
    const numbers = covers.map(({ heads }) => heads[trail]?.number ?? 0);
    const hashes = await selectHashes(tx, trail, numbers);
    const isThere = ({ heads }: Cover) => {
      const head = heads[trail];
      if (head === undefined) return false;
      const hash = head.number === 0 ? firstHead(trail).hash : hashes.get(head.number);
      return hash?.equals(head.hash) === true;
    };
    for (const cover of covers.filter((one) => !isThere(one)))
      differences.push({
        where: `the trail of ${nameOfTrail(trail)}, covered on ${cover.day}`,
        expected: `entry ${cover.heads[trail]?.number ?? "unnamed"} as it was then`,
        found: "another history",
      });
  }
  const early = await tx.query<Difference>(sql`
    select 'the trails covered on ' || subject as "where", 'a day that has come' as expected, 'another' as found
    from installation_trail
    where action = 'trails.covered' and subject > to_char(now() at time zone 'UTC' + interval '1 day', 'YYYY-MM-DD')
    order by id`);
  return [...differences, ...early].slice(0, differencesMax);
}

/** The hashes of some entries of a trail, by their numbers. */
async function selectHashes(
  tx: Tx,
  trail: CoveredTrail,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, Buffer>> {
  const table = trail === "staff" ? sql`staff_trail` : sql`customer_trail`;
  const rows = await tx.query<{ number: number; hash: Buffer }>(sql`
    select number, hash from ${table} where number = any (${[...numbers]}::bigint[])`);
  return new Map(rows.map(({ number, hash }) => [number, hash]));
}
