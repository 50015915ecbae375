import type { Database, Tx } from "../src/database/database.ts";
import { type Query, sql } from "../src/database/sql.ts";
import { selectCovers } from "../src/statements/covers-store.ts";
import { type LedgerKey, type Seal, signSeal } from "../src/statements/seal.ts";
import { toSealPayload } from "../src/statements/seal-resource.ts";
import {
  firstHead,
  headText,
  nextHead,
  type TrailHead,
  type TrailName,
} from "../src/statements/trail-chain.ts";
import { selectChained, updateChained, updateHead } from "../src/statements/trail-chain-store.ts";
import { passTriggers } from "./past-triggers.ts";

/** What somebody with all rights over the database does to trails, past its triggers. */

/** Takes every entry's place away, and what was signed: the worker then chains them all as if they were new. */
export async function unchain(database: Database, trail: TrailName): Promise<void> {
  await database.transaction(async (tx) => {
    await passTriggers(tx);
    await forgetPlaces(tx, trail);
    await tx.query(
      typeof trail === "string"
        ? sql`delete from shared_trail_heads where trail = ${trail}`
        : sql`delete from trail_heads where company_id = ${trail.companyId}`,
    );
  });
}

/** Chains every trail anew from its entries, has the daily entries say it, and signs heads and the one seal with a key. */
export async function makeTrailsAnew(
  database: Database,
  seal: Seal,
  key: LedgerKey,
): Promise<Seal> {
  return database.transaction(async (tx) => {
    await passTriggers(tx);
    const staff = await rechain(tx, "staff", key);
    const customers = await rechain(tx, "customers", key);
    for (const { day, heads } of await selectCovers(tx)) {
      const was = [heads.staff, heads.customers].map((head) => head?.hash.toString("hex") ?? "");
      const is = [staff[heads.staff?.number ?? 0], customers[heads.customers?.number ?? 0]].map(
        (hash) => hash?.toString("hex") ?? "",
      );
      await tx.query(sql`
        update installation_trail set changes = replace(replace(changes, ${was[0]}, ${is[0]}), ${was[1]}, ${is[1]})
        where action = 'trails.covered' and subject = ${day}`);
    }
    const installation = await rechain(tx, "installation", key);
    const company = await rechain(tx, { companyId: seal.companyId }, key);
    const { trails } = seal;
    const headAt = (hashes: readonly Buffer[], number = 0): TrailHead => ({
      number,
      hash: hashes[number] ?? Buffer.alloc(0),
    });
    const forged = signSeal(key, {
      ...seal,
      trails: {
        company: headAt(company, trails?.company.number),
        installation: headAt(installation, trails?.installation.number),
      },
    });
    await tx.query(sql`
      update seals set key_id = ${key.id}, signature = ${forged.signature}, trail_hash = ${forged.trails?.company.hash},
        installation_hash = ${forged.trails?.installation.hash}
      where company_id = ${seal.companyId} and day = ${seal.day}::date`);
    await tx.query(sql`
      update event_runs set payloads = array[${toSealPayload(forged, key.publicKey)}]
      where company_id = ${seal.companyId} and topic::text = 'statements/sealed'`);
    return forged;
  });
}

/** The hash of each entry, by its number. */
async function rechain(tx: Tx, trail: TrailName, key: LedgerKey): Promise<readonly Buffer[]> {
  const rows = await selectChained(tx, trail, 0, 100_000);
  await forgetPlaces(tx, trail);
  let head = firstHead(trail);
  const hashes = [head.hash];
  const places = rows.map(({ id, owner, fields }) => {
    head = nextHead(head, fields);
    hashes.push(head.hash);
    return { id, owner, ...head };
  });
  await updateChained(tx, trail, places);
  const signature = key.sign(headText(trail, head));
  await updateHead(tx, trail, { ...head, keyId: key.id, signature });
  return hashes;
}

async function forgetPlaces(tx: Tx, trail: TrailName): Promise<void> {
  await tx.query(sql`update ${entriesOf(trail)}`);
}

function entriesOf(trail: TrailName): Query {
  const places = sql`set number = null, hash = null`;
  if (trail === "staff") return sql`staff_trail ${places}`;
  if (trail === "customers") return sql`customer_trail ${places}`;
  if (trail === "installation") return sql`installation_trail ${places}`;
  return sql`company_trail ${places} where company_id = ${trail.companyId}`;
}
