import type { ExportRow } from "../export/columns.ts";
import type { OpeningFacts } from "../export/facts.ts";
import { verificationCode } from "../export/facts.ts";
import { findReader, foundRows, openExport } from "./open-export.ts";
import { LedgerVerifier, type Witness } from "./verify-ledger.ts";
import { type FoundRow, type Problem, problem, verifyRows } from "./verify-rows.ts";

/** What was found in a file. */
export interface Verification {
  /** What is wrong with it, first of all. */
  readonly problem: Problem | undefined;
  readonly facts: OpeningFacts | undefined;
  readonly lines: number;
  /** Whether its lines are linked to the ledger's chain; those of a sub-company are not. */
  readonly isChained: boolean;
  /** How many of the export's own seals the chain passes through, and how many of those that were kept. */
  readonly seals: number;
  readonly witnesses: number;
  /** The key that signed, and what a printed copy must show. */
  readonly keyId: string | undefined;
  readonly code: string | undefined;
}

/** Whether an exported statement is as the operator exported it. Asks nobody: the file, and what was kept beside it, suffice. */
export async function verifyFile(path: string, witness: Witness): Promise<Verification> {
  const file = await openExport(path);
  const reader = await findReader(path, file);
  const ledger = new LedgerVerifier(witness);
  const wrong =
    (await verifyRows(foundRows(file, reader), (row, before) => ledger.hear(row, before))) ??
    findRewritten(await file.findDifference(inSets(foundRows(file, reader)), reader));
  const { signed, ...findings } = ledger.findings;
  return {
    problem: wrong,
    ...findings,
    keyId: signed?.keyId,
    code: signed === undefined ? undefined : verificationCode(signed.digest),
  };
}

function findRewritten(row: number | undefined): Problem | undefined {
  return row === undefined
    ? undefined
    : problem(
        "changed",
        row,
        "is not written or shown as it was exported, although its values are: another program has saved the file, or it was altered to look different",
      );
}

async function* inSets(rows: AsyncIterable<FoundRow>): AsyncGenerator<readonly ExportRow[]> {
  for await (const { row } of rows) if (row !== undefined) yield [row];
}
