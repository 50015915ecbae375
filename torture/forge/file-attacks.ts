import type { ExportRow } from "../../src/statements/export/columns.ts";
import type { ExportFormat } from "../../src/statements/file-signature.ts";
import type { LedgerKey } from "../../src/statements/seal.ts";
import { markOf, replaceMark, rowsOf, writeRows } from "./statement-file.ts";
import type { KeptFiles } from "./town.ts";

/** What `verify` says: NOT VERIFIED, or CONSISTENT, NOT AUTHENTICATED; by its exit code. */
type Said = 1 | 5;

export interface FileMaterial {
  readonly kept: KeptFiles["statements"];
  /** The bytes of the kept files. */
  readonly bytes: Readonly<Record<keyof KeptFiles["statements"], Buffer>>;
  /** As this program writes it from a database in which everything was rewritten, and signed with the insider's key. */
  readonly rewritten: Buffer;
  /** The same of a history that was cut before the last sealed day. */
  readonly cut: Buffer;
  readonly operatorKeyId: string;
  readonly own: LedgerKey;
}

interface FileAttack {
  readonly name: string;
  readonly format?: ExportFormat;
  /** What the name of the file ends in, where that is another format. */
  readonly ending?: string;
  readonly forge: (material: FileMaterial) => Promise<Buffer>;
  /** With the operator's key and the seals that were kept; with those seals alone; with nothing. */
  readonly said: { readonly key: Said; readonly seals: Said; readonly nothing: Said };
}

const never = { key: 1, seals: 1, nothing: 1 } as const;
const notByItself = { key: 1, seals: 1, nothing: 5 } as const;
const notWithoutKey = { key: 1, seals: 5, nothing: 5 } as const;

export const fileAttacks: readonly FileAttack[] = [
  {
    name: "a recipient, every row's check made anew, the signature kept",
    forge: async ({ kept, bytes }) => writeRows(await changed(kept.csv), markOf(bytes.csv)),
    said: never,
  },
  {
    name: "the same, signed with a key of the insider's own",
    forge: async ({ kept, own }) => writeRows(await changed(kept.csv), own),
    said: never,
  },
  {
    name: "a row taken away, checks made anew, the signature kept",
    forge: async ({ kept, bytes }) => {
      const rows = await rowsOf(kept.csv);
      return writeRows(rows.toSpliced(rows.length - 2, 1), markOf(bytes.csv));
    },
    said: never,
  },
  {
    name: "without its last line, the signature",
    forge: async ({ bytes: { csv } }) => csv.subarray(0, csv.lastIndexOf("\n", csv.length - 3) + 1),
    said: never,
  },
  {
    name: "with the signature of another file of the operator's",
    forge: async ({ kept, bytes }) => writeRows(await rowsOf(kept.csv), markOf(bytes.other)),
    said: never,
  },
  {
    name: "with the seals of another company, signed with the insider's key",
    forge: async ({ kept, own }) => {
      const others = (await rowsOf(kept.other)).filter(({ kind }) => kind === "seal");
      const rows = await rowsOf(kept.csv);
      return writeRows(
        rows.map((row) => (row.kind === "seal" ? (others.shift() ?? row) : row)),
        own,
      );
    },
    said: never,
  },
  {
    name: "with its seals in each other's place, signed with the insider's key",
    forge: async ({ kept, own }) => {
      const rows = await rowsOf(kept.csv);
      const seals = rows.filter(({ kind }) => kind === "seal").toReversed();
      const proofs = seals.map(({ proof }) =>
        (proof ?? "").replace(/"day":"[^"]*"/, '"day":"2026-01-31"'),
      );
      return writeRows(
        rows.map((row) => (row.kind === "seal" ? { ...row, proof: proofs.shift() ?? "" } : row)),
        own,
      );
    },
    said: never,
  },
  {
    name: "another history as a whole, written by this program and signed with the insider's key",
    forge: async ({ rewritten }) => rewritten,
    said: notByItself,
  },
  {
    name: "the same, under the id of the operator's key",
    forge: async ({ rewritten, operatorKeyId, own }) =>
      Buffer.from(rewritten.toString("latin1").replaceAll(own.id, operatorKeyId), "latin1"),
    said: never,
  },
  {
    name: "a history that ends before the last sealed day, consistent in itself, signed with the insider's key",
    forge: async ({ cut }) => cut,
    said: notWithoutKey,
  },
  {
    name: "the operator's file, with the insider's signature in the place of the operator's",
    forge: ({ bytes, own }) => replaceMark(bytes.csv, "csv", own),
    said: notWithoutKey,
  },
  {
    name: "the operator's file with its signature, and a second one behind it",
    forge: async ({ bytes, own }) => {
      const { csv } = bytes;
      const line = csv.subarray(csv.lastIndexOf("\n", csv.length - 3) + 1);
      return replaceMark(Buffer.concat([csv, line]), "csv", own);
    },
    said: never,
  },
  ...(["csv", "xlsx", "pdf"] as const).flatMap((format): FileAttack[] => [
    {
      name: `bytes behind the signature (${format.toUpperCase()})`,
      format,
      forge: async ({ bytes }) => Buffer.concat([bytes[format], Buffer.from("\n")]),
      said: never,
    },
    {
      name: `one byte in its middle (${format.toUpperCase()})`,
      format,
      forge: async ({ bytes }) => {
        const other = Buffer.from(bytes[format]);
        const middle = Math.floor(other.length / 2);
        other[middle] = (other[middle] ?? 0) ^ 1;
        return other;
      },
      said: never,
    },
  ]),
  {
    name: "a workbook whose name ends in .csv",
    format: "xlsx",
    ending: "csv",
    forge: async ({ bytes }) => bytes.xlsx,
    said: never,
  },
];

/** Somebody else got the money of the first line that names anybody. */
async function changed(path: string): Promise<ExportRow[]> {
  const rows = await rowsOf(path);
  const place = rows.findIndex(({ msisdn }) => msisdn !== undefined && msisdn !== "");
  return rows.map((row, index) => (index === place ? { ...row, msisdn: "2250744444444" } : row));
}
