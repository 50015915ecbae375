import { parse } from "csv-parse/sync";
import { readSheet } from "read-excel-file/node";
import type { ExportFormat } from "../../src/statements/file-signature.ts";
import { readPdf } from "../read-pdf.ts";

/** What an export says to a program that is not ours. A line: kind, amount, fee, balance after it. */
export interface ReadBack {
  readonly opening: number;
  readonly closing: number;
  readonly lines: readonly (readonly [string, number, number, number])[];
}

/** Of exports in English. */
const kinds: Readonly<Record<string, string>> = {
  Funding: "funding",
  Withdrawal: "withdrawal",
  Adjustment: "adjustment",
  "Transfer returned": "transfer_returned",
  Transfer: "transfer",
  Payment: "payment",
  Refund: "refund",
};

export async function readBack(format: ExportFormat, bytes: Buffer): Promise<ReadBack> {
  if (format === "pdf") return readPages(bytes);
  return format === "csv" ? readCsv(bytes) : readWorkbook(bytes);
}

function readCsv(bytes: Buffer): ReadBack {
  const rows = parse(bytes, { columns: true }) as Record<string, string>[];
  return fromTable(
    rows.map((row) => [row["kind"], row["amount"], row["fee"], row["balanceAfter"]]),
    { opening: "opening", closing: "closing", kindOf: (text) => text },
  );
}

async function readWorkbook(bytes: Buffer): Promise<ReadBack> {
  const [header, ...rows] = await readSheet(bytes);
  const at = ["Kind", "Amount", "Of which fee", "Balance"].map((name) => header?.indexOf(name));
  return fromTable(
    rows.map((row) => at.map((column) => row[column ?? -1])),
    { opening: "Opening balance", closing: "Closing balance", kindOf: (text) => kinds[text] },
  );
}

function fromTable(
  rows: readonly (readonly unknown[])[],
  words: {
    readonly opening: string;
    readonly closing: string;
    readonly kindOf: (text: string) => string | undefined;
  },
): ReadBack {
  const frame = new Set([words.opening, words.closing, "seal", "proof", "signature"]);
  const balanceOf = (kind: string) => Number(rows.find(([one]) => one === kind)?.[3] ?? Number.NaN);
  return {
    opening: balanceOf(words.opening),
    closing: balanceOf(words.closing),
    lines: rows.flatMap(([kind, amount, fee, balance]) => {
      const text = String(kind);
      if (frame.has(text) || frame.has(text.toLowerCase())) return [];
      return [[words.kindOf(text) ?? text, Number(amount), Number(fee), Number(balance)] as const];
    }),
  };
}

/** What is printed, not what is attached. */
async function readPages(bytes: Buffer): Promise<ReadBack> {
  const { pages } = await readPdf(bytes);
  const words = pages.join("\n");
  const number = String.raw`(-?\d{1,3}(?:,\d{3})*)`;
  const line = new RegExp(
    String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\s(${Object.keys(kinds).join("|")})\s.*?\s${number}\s${number}\s${number}(?=\s|$)`,
    "gs",
  );
  const toNumber = (printed = "") => Number(printed.replaceAll(",", "") || Number.NaN);
  const balanceOf = (name: string) =>
    toNumber(new RegExp(String.raw`${name}\s${number}`).exec(words)?.[1]);
  return {
    opening: balanceOf("Opening balance"),
    closing: balanceOf("Closing balance"),
    lines: [...words.matchAll(line)].map(([, kind = "", amount, fee, balance]) => [
      kinds[kind] ?? kind,
      toNumber(amount),
      toNumber(fee),
      toNumber(balance),
    ]),
  };
}
