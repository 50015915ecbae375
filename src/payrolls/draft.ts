import type { TableRow } from "../spreadsheets/table.ts";

export const draftIdPrefix = "draft";

/** A spreadsheet that somebody is working on. Nothing of it pays. */
export interface DraftSummary {
  /** The time inside it is when the file was sent. */
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the file as it was sent. */
  readonly fileHash: Buffer;
  /** Counted up with every change of what it asks for. */
  readonly version: number;
  readonly madeBy: string;
  readonly hands: readonly string[];
  readonly subCompanyId: string | null;
  /** Rows with something wrong are left out, instead of waiting until they are mended. */
  readonly leavesOut: boolean;
  readonly allowsRepeats: boolean;
  /** The payroll whose failures it makes good. */
  readonly retryOf: string | null;
  /** What was made of it last. */
  readonly proposalId: string | null;
  readonly changedAt: Date;
}

export interface PayrollDraft extends DraftSummary {
  /** The headings first. */
  readonly rows: readonly TableRow[];
}

/** Of one file. */
export const payrollRowsMax = 5_000;
export const payrollBytesMax = 10 * 1024 * 1024;

/** Rows that can be mended on the page; more are mended in a spreadsheet. */
export const mendedAtOnceMax = 50;

/** Of one company, that are not handed in. */
export const draftsMax = 50;

/** Rows of a file that are written in one go: each may have hundreds of columns. */
export const rowsWrittenAtOnce = 50;
