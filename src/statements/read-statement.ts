import type { Database } from "../database/database.ts";
import {
  type ChainedPosting,
  digestOfSet,
  firstHash,
  hiddenOf,
  type SetVersion,
  versionOf,
} from "./chain.ts";
import { selectChainAt, selectChainHead } from "./chain-store.ts";
import {
  type LineRow,
  type Stretch,
  selectClosedUntil,
  selectPostingsOfStatement,
} from "./lines-store.ts";
import { listLines } from "./list-lines.ts";
import { summarize } from "./read-head.ts";
import { selectSealsWithin } from "./seals-store.ts";
import type { LineProof, Statement, StatementLine, StatementRequest } from "./statement.ts";
import { toLine, toPosting } from "./to-line.ts";
import { extendTotals } from "./totals.ts";

/** So few that they are garbage before they are old. */
const postingsAtOnce = 250;
const linesAtOnce = 500;

/**
 * A whole statement, to be written somewhere: what it says, and its lines in their order, read as they are asked for.
 * Money may move meanwhile: the statement is cut at a posting number.
 */
export async function readStatement(
  database: Database,
  request: StatementRequest,
): Promise<Statement> {
  const { companyId, subCompanyId = null, period } = request;
  while (await extendTotals(database, companyId));
  // Read before the statement is cut: what is certain by then is before the cut.
  const closedUntil = await selectClosedUntil(database, companyId, period.until);
  const summary = await summarize(database, request);
  const isOfSubCompany = subCompanyId !== null;
  const hashes = isOfSubCompany
    ? { hashBefore: null, hashAfter: null }
    : await hashesOf(database, companyId, summary);
  const seals = isOfSubCompany ? [] : await selectSealsWithin(database, companyId, summary);
  const ending: Buffer[] = [];
  return {
    head: { companyId, subCompanyId, period, closedUntil, ...summary, ...hashes, seals },
    lines: isOfSubCompany
      ? linesOfSubCompany(database, companyId, subCompanyId, summary)
      : linesWithProofs(database, companyId, { ...summary, hash: hashes.hashBefore }, ending),
    digestsAfter: () => ending,
  };
}

/** The chain at both ends of a statement. Where it begins within, the first hash is the one before its first set. */
async function hashesOf(
  database: Database,
  companyId: string,
  { after, upto }: Stretch,
): Promise<{ readonly hashBefore: Buffer | null; readonly hashAfter: Buffer | null }> {
  const start = (await selectChainHead(database, companyId))?.chained_after ?? null;
  if (start === null || upto < start) return { hashBefore: null, hashAfter: null };
  const hashAt = (number: number) =>
    number <= start
      ? firstHash({ companyId, after: start })
      : selectChainAt(database, companyId, number);
  return { hashBefore: await hashAt(after), hashAfter: await hashAt(upto) };
}

async function* linesOfSubCompany(
  database: Database,
  companyId: string,
  subCompanyId: string,
  { after, upto }: Stretch,
): AsyncGenerator<readonly StatementLine[]> {
  let from = after;
  while (true) {
    const lines = await listLines(database, {
      companyId,
      subCompanyId,
      isBackwards: false,
      limit: linesAtOnce,
      after: from,
      upto,
    });
    if (lines.length > 0) yield lines;
    if (lines.length < linesAtOnce) return;
    from = lines.at(-1)?.number ?? upto;
  }
}

/**
 * Digests of sets without lines wait for the next line; at the end they are left in `waiting`. Which version a set has is told by
 * its hash; one that has the hash of none is shown as it stands, and whoever verifies the file finds it.
 */
async function* linesWithProofs(
  database: Database,
  companyId: string,
  { after, upto, hash: hashBefore }: Stretch & { readonly hash: Buffer | null },
  waiting: Buffer[],
): AsyncGenerator<readonly StatementLine[]> {
  let hash = hashBefore ?? firstHash({ companyId, after });
  let set: ChainedPosting[] = [];
  for (let from = after; from < upto; from += postingsAtOnce) {
    const stretch = { after: from, upto: Math.min(upto, from + postingsAtOnce) };
    const lines: StatementLine[] = [];
    for (const row of await selectPostingsOfStatement(database, companyId, stretch)) {
      const isChained = row.mark !== null;
      if (isChained) set.push(toPosting(row));
      const version = row.chain === null ? undefined : (versionOf(set, hash, row.chain) ?? 2);
      if (row.available_after !== null) {
        const proof = isChained ? proofOf(row, waiting.splice(0), version) : null;
        lines.push(toLine(row, row.available_after, proof));
      } else if (version !== undefined) waiting.push(digestOfSet(set, version));
      if (row.chain === null) continue;
      hash = row.chain;
      set = [];
    }
    if (lines.length > 0) yield lines;
  }
}

function proofOf(
  row: LineRow,
  digestsBefore: readonly Buffer[],
  endsSet: SetVersion | undefined,
): LineProof {
  return {
    event: row.event,
    subjectId: row.subject_id,
    debit: row.debit,
    credit: row.credit,
    hidden: hiddenOf(row.facts),
    digestsBefore,
    endsSet,
  };
}
