import { extname } from "node:path";
import type { OpeningFacts } from "../export/facts.ts";
import { type ExportFormat, isFileSignedBy } from "../file-signature.ts";
import { type FileSource, fileAt } from "./file-source.ts";
import { firstFormat } from "./first-format.ts";
import { type OpenExport, openExport } from "./open-export.ts";
import { findLayout, foundRows, type RowLayout } from "./row-layout.ts";
import { LedgerVerifier, type UnappliedSeals, type Witness } from "./verify-ledger.ts";
import { type Problem, verifyRows } from "./verify-rows.ts";

/** What was found in a file. */
export interface Verification {
  readonly format: ExportFormat;
  /** What is wrong with it, first of all. */
  readonly problem: Problem | undefined;
  /** Whether the key that signed is one that the reader brought, itself or with a seal that counted. */
  readonly isAuthenticated: boolean;
  /**
   * What was signed: every byte of the file, or of the first format the rows that it carries. What a program shows of such a file
   * was not looked at.
   */
  readonly signed: "file" | "rows";
  readonly facts: OpeningFacts | undefined;
  readonly lines: number;
  /** Whether its lines are linked to the ledger's chain; those of a sub-company are not. */
  readonly isChained: boolean;
  /** How many of the export's own seals the chain passes through, and how many of those that were kept. */
  readonly seals: number;
  readonly witnesses: number;
  readonly unapplied: UnappliedSeals;
  /** The key that signed, and what a printed copy must show. */
  readonly keyId: string | undefined;
  readonly code: string | undefined;
}

/**
 * Whether an exported statement is as the operator exported it. Asks nobody: the file, and what was kept beside it, suffice.
 * The signature covers how the file looks. Its rows are read for what they say of the books, and to name the first that was changed.
 */
export async function verifyFile(
  file: string | FileSource,
  witness: Witness,
): Promise<Verification> {
  const opened = await openExport(typeof file === "string" ? await fileAt(file) : file);
  const layout = await findLayout(opened);
  const ofFile = findRenamed(opened) ?? (await findUnsigned(opened, layout, witness));
  const ledger = new LedgerVerifier(witness, layout.format, opened.signature?.key.id);
  const ofRows = await verifyRows(foundRows(opened, layout), layout, (row, before) =>
    ledger.hear(row, before),
  );
  return {
    format: opened.format,
    problem: ofRows ?? ofFile,
    signed: layout.format === firstFormat ? "rows" : "file",
    ...ledger.findings,
  };
}

/** One content can mean different things to different programs, and the name says which of them opens it. */
function findRenamed({ source, format }: OpenExport): Problem | undefined {
  const ending = extname(source.name).toLowerCase();
  if (ending === "" || ending === `.${format}`) return undefined;
  return {
    what: "renamed",
    message: `The file is ${format.toUpperCase()} by its content, and its name ends in ${ending}: a program that goes by the name may show something else. Name it .${format}, and verify it again.`,
  };
}

async function findUnsigned(
  { source, signature }: OpenExport,
  { format }: RowLayout,
  { keys }: Witness,
): Promise<Problem | undefined> {
  if (format === firstFormat && signature === undefined) return undefined;
  const unsigned = (message: string): Problem => ({ what: "unsigned", message });
  if (signature === undefined)
    return unsigned(
      "The file does not end with its signature: something was cut off or put behind it, another program has saved it, or it is a part that was taken out of another file.",
    );
  const { key, signedBytes } = signature;
  const known = keys?.find(({ id }) => id === key.id);
  if (!(await isFileSignedBy([known ?? key], signature, source.read(0, signedBytes))))
    return unsigned(
      `The file is not what the key ${key.id} signed: something in it was changed, perhaps only how it looks.`,
    );
  if (keys !== undefined && known === undefined)
    return unsigned(
      `The file is signed with the key ${key.id}, which is none of the operator's keys that you brought.`,
    );
  return format === firstFormat
    ? unsigned("The file is signed, and its rows are of a format that is never signed so.")
    : undefined;
}
