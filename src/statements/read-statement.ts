import type { Database } from "../database/database.ts";
import { type ChainedPosting, digestOfSet, firstHash } from "./chain.ts";
import { selectChainAt, selectChainHead } from "./chain-store.ts";
import { type LineRow, type Stretch, selectPostingsOfStatement } from "./lines-store.ts";
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
  const summary = await summarize(database, request);
  const isOfSubCompany = subCompanyId !== null;
  const hashes = isOfSubCompany
    ? { hashBefore: null, hashAfter: null }
    : await hashesOf(database, companyId, summary);
  const seals = isOfSubCompany ? [] : await selectSealsWithin(database, companyId, summary);
  const ending: Buffer[] = [];
  return {
    head: { companyId, subCompanyId, period, ...summary, ...hashes, seals },
    lines: isOfSubCompany
      ? linesOfSubCompany(database, companyId, subCompanyId, summary)
      : linesWithProofs(database, companyId, summary, ending),
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

/** Digests of sets without lines wait for the next line; at the end they are left in `waiting`. */
async function* linesWithProofs(
  database: Database,
  companyId: string,
  { after, upto }: Stretch,
  waiting: Buffer[],
): AsyncGenerator<readonly StatementLine[]> {
  let set: ChainedPosting[] = [];
  for (let from = after; from < upto; from += postingsAtOnce) {
    const stretch = { after: from, upto: Math.min(upto, from + postingsAtOnce) };
    const lines: StatementLine[] = [];
    for (const row of await selectPostingsOfStatement(database, companyId, stretch)) {
      const isChained = row.mark !== null;
      if (row.available_after !== null) {
        const proof = isChained ? proofOf(row, waiting.splice(0)) : null;
        lines.push(toLine(row, row.available_after, proof));
        continue;
      }
      if (!isChained) continue;
      set.push(toPosting(row));
      if (row.chain === null) continue;
      waiting.push(digestOfSet(set));
      set = [];
    }
    if (lines.length > 0) yield lines;
  }
}

function proofOf(row: LineRow, digestsBefore: readonly Buffer[]): LineProof {
  return {
    event: row.event,
    subjectId: row.subject_id,
    debit: row.debit,
    credit: row.credit,
    digestsBefore,
    endsSet: row.chain !== null,
  };
}
