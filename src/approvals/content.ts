import { createHash } from "node:crypto";
import type { ProposalKind } from "./proposal.ts";

/** A person to be paid. */
export interface PaymentRow {
  /** Where it stands in the spreadsheet it came from; null: it came from no file. */
  readonly line: number | null;
  /** Digits with country code. */
  readonly msisdn: string;
  readonly amount: number;
  readonly fee: number;
  readonly reference: string;
  readonly description: string | null;
}

export interface PaymentContent {
  readonly kind: "transfer" | "payroll";
  readonly subCompanyId: string | null;
  /** The number of the price that the fees follow from. */
  readonly price: number;
  readonly rows: readonly PaymentRow[];
}

export interface RefundContent {
  readonly kind: "refund";
  readonly chargeId: string;
  readonly amount: number;
}

export type Content = PaymentContent | RefundContent;

export interface Totals {
  readonly count: number;
  readonly amount: number;
  readonly fee: number;
}

/** What it comes to. */
export function totalsOf(content: Content): Totals {
  if (content.kind === "refund") return { count: 1, amount: content.amount, fee: 0 };
  return {
    count: content.rows.length,
    amount: content.rows.reduce((sum, { amount }) => sum + amount, 0),
    fee: content.rows.reduce((sum, { fee }) => sum + fee, 0),
  };
}

interface Head {
  readonly version: 1;
  readonly kind: ProposalKind;
  readonly company: string;
  readonly subCompany: string | null;
  readonly price: number | null;
  readonly count: number;
  readonly amount: number;
  readonly fee: number;
}

/**
 * The one way in which a content is written: a line of JSON with what it comes to, and one for each row. Its hash is what is
 * approved, so everything that was reviewed is in it: a franc, a digit or a letter more is another content.
 */
export function writeContent(companyId: string, content: Content): Buffer {
  const { count, amount, fee } = totalsOf(content);
  const head: Head = {
    version: 1,
    kind: content.kind,
    company: companyId,
    subCompany: content.kind === "refund" ? null : content.subCompanyId,
    price: content.kind === "refund" ? null : content.price,
    count,
    amount,
    fee,
  };
  const rows =
    content.kind === "refund"
      ? [[content.chargeId, content.amount]]
      : content.rows.map((row) => [
          row.line,
          row.msisdn,
          row.amount,
          row.fee,
          row.reference,
          row.description,
        ]);
  return Buffer.from([head, ...rows].map((line) => `${JSON.stringify(line)}\n`).join(""), "utf8");
}

/** What `writeContent` has written. */
export function readContent(bytes: Buffer): Content {
  const [first = "", ...lines] = bytes.toString("utf8").trimEnd().split("\n");
  const head = JSON.parse(first) as Head;
  if (head.kind === "refund") {
    const [chargeId, amount] = JSON.parse(lines[0] ?? "[]") as [string, number];
    return { kind: head.kind, chargeId, amount };
  }
  return {
    kind: head.kind,
    subCompanyId: head.subCompany,
    price: head.price ?? 0,
    rows: lines.map((line) => {
      const [place, msisdn, amount, fee, reference, description] = JSON.parse(line) as [
        number | null,
        string,
        number,
        number,
        string,
        string | null,
      ];
      return { line: place, msisdn, amount, fee, reference, description };
    }),
  };
}

export function hashOf(content: Buffer): Buffer {
  return createHash("sha256").update(content).digest();
}
