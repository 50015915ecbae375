import type { Database } from "../database/database.ts";
import { type LineRow, piecesOf, type Stretch, selectLines } from "./lines-store.ts";
import type { StatementLine } from "./statement.ts";
import { changeOf, toLine } from "./to-line.ts";
import { balanceOf, stretchSize, totalsUpto } from "./totals.ts";
import { selectEnds, selectTotalledTo, wholeCompany } from "./totals-store.ts";

export interface LinesRequest extends Stretch {
  readonly companyId: string;
  readonly subCompanyId: string | undefined;
  readonly isBackwards: boolean;
  readonly limit: number;
}

/** Stretches of a thousand postings that are looked for at once. */
const stretchesAtOnce = 20;

/**
 * The first lines after one number, or with `isBackwards` the last ones up to another, in the order in which they are
 * read. Only stretches that have such lines are walked: a sub-company with one line in a million is found at once.
 */
export async function listLines(
  database: Database,
  request: LinesRequest,
): Promise<StatementLine[]> {
  const { companyId, subCompanyId, isBackwards, limit } = request;
  const rows: LineRow[] = [];
  for await (const stretch of stretchesOf(database, request)) {
    const filter = { subCompanyId, isBackwards, limit: limit - rows.length };
    rows.push(...(await selectLines(database, companyId, stretch, filter)));
    if (rows.length >= limit) break;
  }
  if (subCompanyId === undefined)
    return rows.map((row) => toLine(row, row.available_after ?? 0, null));
  return withOwnBalances(database, companyId, subCompanyId, rows, isBackwards);
}

/** In a statement of a sub-company, a line's balance is what the sub-company's lines sum to. */
async function withOwnBalances(
  database: Database,
  companyId: string,
  subCompanyId: string,
  rows: readonly LineRow[],
  isBackwards: boolean,
): Promise<StatementLine[]> {
  const forwards = isBackwards ? rows.toReversed() : rows;
  const before = (forwards[0]?.number ?? 1) - 1;
  let balance = balanceOf(await totalsUpto(database, companyId, subCompanyId, before));
  const lines = forwards.map((row) => {
    balance += changeOf(row);
    return toLine(row, balance, null);
  });
  return isBackwards ? lines.toReversed() : lines;
}

/** Where the wanted lines are, in the direction of reading: what is summed, and the rest. */
async function* stretchesOf(
  database: Database,
  { companyId, subCompanyId, isBackwards, after, upto }: LinesRequest,
): AsyncGenerator<Stretch> {
  const summed = Math.min(await selectTotalledTo(database, companyId), upto);
  const rest = { after: Math.max(after, summed), upto };
  if (isBackwards) yield* piecesOf(rest, stretchSize, isBackwards);
  let from = after + 1;
  let to = after < summed ? Math.ceil(summed / stretchSize) * stretchSize : after;
  while (from <= to) {
    const filter = { from, to, isBackwards, limit: stretchesAtOnce };
    const ends = await selectEnds(database, companyId, subCompanyId ?? wholeCompany, filter);
    for (const end of ends)
      yield { after: Math.max(after, end - stretchSize), upto: Math.min(end, summed) };
    const last = ends.at(-1);
    if (ends.length < stretchesAtOnce || last === undefined) break;
    if (isBackwards) to = last - 1;
    else from = last + 1;
  }
  if (!isBackwards) yield* piecesOf(rest, stretchSize);
}
