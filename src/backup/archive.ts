import { version as ownVersion } from "../kernel/version.ts";

/**
 * A backup is one gzip file of text: a header, then each table, then a trailer. Header, trailer and the name of a table are
 * a line of JSON each; the rows below a name are as PostgreSQL's `copy` writes them, and end with a line `\.`, which no row
 * can be. Behind it stands a seal: see `sealOf`.
 */
export const archiveVersion = 1;

export interface ArchiveHeader {
  readonly format: typeof archiveFormat;
  readonly version: number;
  /** The program that wrote it. */
  readonly program: string;
  /** The newest release whose SQL functions the database had. */
  readonly release: string;
  readonly migrations: readonly { readonly name: string; readonly hash: string }[];
  /** Null for a database that nothing but `cauri migrate` has ever opened. */
  readonly environment: string | null;
  /** Whatever was committed before it is in the archive. */
  readonly moment: string;
  readonly snapshot: string;
  /** Fingerprints of the master keys that the secrets in it are sealed with. */
  readonly masterKeys: readonly string[];
  /** In the order in which they are written, which lets every row find the rows that it refers to. */
  readonly tables: readonly string[];
  readonly leftOut: readonly string[];
}

/** The line above a table's rows. */
export interface TableName {
  readonly table: string;
  readonly columns: readonly string[];
}

export interface TableSum {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** The last line. */
export interface ArchiveTrailer {
  readonly sums: readonly TableSum[];
}

export const archiveFormat = "cauri backup";
export const endOfRows = "\\.\n";

/** Tables whose rows are not carried over, and why. */
export const tablesLeftOut: Readonly<Record<string, string>> = {
  schema_migrations: "a restore applies the migrations itself",
  schema_functions: "and the functions",
  staff_sessions: "somebody who has signed out since would be signed in again",
  wallet_sessions: "somebody who has signed out since would be signed in again",
};

export function newHeader(
  facts: Omit<ArchiveHeader, "format" | "version" | "program" | "leftOut">,
): ArchiveHeader {
  return {
    format: archiveFormat,
    version: archiveVersion,
    program: ownVersion,
    ...facts,
    leftOut: Object.keys(tablesLeftOut),
  };
}

/**
 * The end of the file: a member of gzip without contents, whose comment is the digest of every byte before it. gunzip passes
 * over it; here it tells a file that was cut or changed anywhere, also where gzip itself does not look.
 */
export function sealOf(sha256: string): Buffer {
  return Buffer.concat([
    Buffer.from([0x1f, 0x8b, 0x08, 0x10, 0, 0, 0, 0, 0, 0xff]),
    Buffer.from(`sha256 ${sha256}\0`, "latin1"),
    Buffer.from([0x03, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
  ]);
}

export const sealBytes = sealOf("0".repeat(64)).length;

const lineFeed = 10;

/** Every row ends with a line feed, and has no other. */
export function countRows(piece: Buffer): number {
  let count = 0;
  for (let at = piece.indexOf(lineFeed); at !== -1; at = piece.indexOf(lineFeed, at + 1))
    count += 1;
  return count;
}
