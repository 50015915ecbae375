import type { Database, Tx } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { audit, type Difference } from "../src/ledger/audit.ts";
import { statementChecks } from "../src/statements/audit-chain.ts";
import { type ChainedPosting, digestOfSet, firstHash, nextHash } from "../src/statements/chain.ts";
import { selectChainedPostings } from "../src/statements/lines-store.ts";
import { toPosting } from "../src/statements/to-line.ts";
import { passTriggers } from "./past-triggers.ts";

/**
 * Another history: postings changed past the triggers by somebody with all rights, and everything chained anew, so that
 * it looks as if it had always been so. (Tests that need an earlier day make one this way, too.) What the postings were for keeps its
 * times, so the sets become those of the first version, which says nothing of it.
 */
export async function rewriteHistory(
  database: Database,
  companyId: string,
  change: (posting: ChainedPosting) => ChainedPosting,
): Promise<void> {
  await database.transaction(async (tx) => {
    await passTriggers(tx);
    const rows = await selectChainedPostings(tx, companyId, { after: 0, upto: 100_000 });
    let hash = firstHash({ companyId, after: 0 });
    let set: ChainedPosting[] = [];
    let at = new Date(0);
    for (const row of rows) {
      const posting = change(toPosting(row));
      set.push(posting);
      if (row.chain !== null) hash = nextHash(hash, digestOfSet(set, 1));
      if (row.chain !== null) set = [];
      ({ at } = posting);
      await tx.query(sql`
        update postings set amount = ${posting.amount}, available_after = ${posting.availableAfter},
          created_at = ${at}, subject_id = ${posting.subjectId},
          chain = ${row.chain === null ? null : hash}
        where company_id = ${companyId} and number = ${row.number}`);
    }
    await remark(tx, companyId);
    await tx.query(sql`
      update books set chain = ${hash}, posted_at = ${at} where company_id = ${companyId}`);
  });
}

/** Gives every posting the mark of what it says now. */
export async function remark(tx: Tx, companyId: string): Promise<void> {
  // Worked out before: a database that is split refuses to where it writes.
  const rows = await tx.query<{ number: number; mark: number }>(sql`
    select number, (hashint8extended(amount, uuid_hash_extended(subject_id,
      hashtextextended(event || ' ' || debit_account || ' ' || credit_account || ' '
        || to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 0) # number)) >> 32)::integer as mark
    from postings where company_id = ${companyId}`);
  await tx.query(sql`
    update postings p set mark = x.mark
    from unnest(${rows.map(({ number }) => number)}::bigint[], ${rows.map(({ mark }) => mark)}::integer[])
      as x(number, mark)
    where p.company_id = ${companyId} and p.number = x.number`);
}

const dayMs = 86_400_000;

/** As if everything posted so far had been posted days ago. */
export async function passDays(database: Database, companyId: string, days: number): Promise<void> {
  await rewriteHistory(database, companyId, (posting) => ({
    ...posting,
    at: new Date(posting.at.getTime() - days * dayMs),
  }));
  await database.query(sql`
    update statement_progress set seal_after = '-infinity' where company_id = ${companyId}`);
}

/** What the audit of chain, seals and sums finds. */
export async function statementDifferences(database: Database): Promise<readonly Difference[]> {
  const results = await audit(database, statementChecks);
  return results.flatMap(({ differences }) => differences);
}
