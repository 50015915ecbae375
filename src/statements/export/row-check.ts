import { hash } from "node:crypto";
import type { ExportRow } from "./columns.ts";

/** What is written in the last cell of a row: how many rows are above it, and what they and this one come to. */
export interface RowCheck {
  readonly ordinal: number;
  readonly digest: string;
}

/** Before the first row. It stands for the columns, so that they cannot be exchanged. */
export function noRows(format: string, columns: readonly string[]): RowCheck {
  return { ordinal: 0, digest: digestOf(`${format} ${columns.join(" ")}`) };
}

/** The check of a row that follows the row with the check `before`. Covers every cell but that of the check itself. */
export function checkOf(before: RowCheck, row: ExportRow, columns: readonly string[]): RowCheck {
  const cells = row as Readonly<Record<string, string | undefined>>;
  const ordinal = before.ordinal + 1;
  const content: (string | number)[] = [ordinal, before.digest];
  for (const name of columns) if (name !== "check") content.push(cells[name] ?? "");
  return { ordinal, digest: digestOf(JSON.stringify(content)) };
}

export function toCheckText({ ordinal, digest }: RowCheck): string {
  return `${ordinal}:${digest}`;
}

export function readCheck(text: string | undefined): RowCheck | undefined {
  const match = /^([1-9]\d{0,9}):([0-9a-f]{32})$/.exec(text ?? "");
  return match === null ? undefined : { ordinal: Number(match[1]), digest: match[2] ?? "" };
}

/** Half of a SHA-256: still beyond reach for whoever looks for other rows with the same, and half as long in a cell. */
function digestOf(text: string): string {
  return hash("sha256", text, "hex").slice(0, 32);
}
