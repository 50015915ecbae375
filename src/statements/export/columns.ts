import type { Language } from "../../kernel/language.ts";
import { type LineKind, lineKinds } from "../statement.ts";

/** What stands in a cell of a column: text, a whole number, or what a clock on the wall shows. */
type ColumnType = "text" | "amount" | "moment";

interface Column {
  /** As programs know it, and as the API names it in JSON. */
  readonly name: string;
  readonly type: ColumnType;
  /** As people know it. */
  readonly words: Readonly<Record<Language, string>>;
  /** In characters, for a sheet. */
  readonly width: number;
}

/** The columns of every export. The last says whether the rows up to there are as they were exported (row-check.ts). */
export const columns = [
  column("number", "amount", "Number", "Numéro", 10),
  column("at", "text", "Moment (UTC)", "Moment (UTC)", 26),
  column("date", "moment", "Date", "Date", 20),
  column("kind", "text", "Kind", "Nature", 20),
  column("amount", "amount", "Amount", "Montant", 14),
  column("fee", "amount", "Of which fee", "Dont frais", 12),
  column("balanceAfter", "amount", "Balance", "Solde", 16),
  column("id", "text", "Id", "Identifiant", 40),
  column("chargeId", "text", "Charge", "Encaissement", 40),
  column("reference", "text", "Reference", "Référence", 24),
  column("externalId", "text", "Your id", "Votre identifiant", 24),
  column("serviceTransactionReference", "text", "Service reference", "Référence du service", 24),
  column("msisdn", "text", "Phone", "Téléphone", 18),
  column("subCompanyId", "text", "Sub-company id", "Identifiant de l’entité", 40),
  column("subCompanyName", "text", "Sub-company", "Entité", 24),
  column("batchId", "text", "Batch", "Lot", 40),
  column("memo", "text", "Memo", "Motif", 30),
  column("proof", "text", "Proof", "Preuve", 12),
  column("check", "text", "Check", "Contrôle", 12),
] as const satisfies readonly Column[];

export const columnNames: readonly string[] = columns.map(({ name }) => name);

type ColumnName = (typeof columns)[number]["name"];

function column<Name extends string>(
  name: Name,
  type: ColumnType,
  en: string,
  fr: string,
  width: number,
): Column & { readonly name: Name } {
  return { name, type, words: { en, fr }, width };
}

/** The row's cells by the names of their columns, as texts; what is not given is empty. */
export type ExportRow = Readonly<Partial<Record<ColumnName, string>>>;

/** A row whose last cell is not filled in yet. The cell is there: a row that is copied to get one more is garbage of a kilobyte. */
export type UncheckedRow = ExportRow & { check: string };

/** The rows of an export that are not lines of the statement. */
const frameKinds = ["opening", "seal", "proof", "closing", "signature"] as const;
type FrameKind = (typeof frameKinds)[number];
export const rowKinds = [...frameKinds, ...lineKinds];

export const kindWords: Readonly<Record<LineKind | FrameKind, Readonly<Record<Language, string>>>> =
  {
    funding: { en: "Funding", fr: "Approvisionnement" },
    withdrawal: { en: "Withdrawal", fr: "Retrait" },
    adjustment: { en: "Adjustment", fr: "Régularisation" },
    transfer: { en: "Transfer", fr: "Virement" },
    transfer_returned: { en: "Transfer returned", fr: "Virement restitué" },
    payment: { en: "Payment", fr: "Encaissement" },
    refund: { en: "Refund", fr: "Remboursement" },
    other: { en: "Other", fr: "Autre" },
    opening: { en: "Opening balance", fr: "Solde d’ouverture" },
    seal: { en: "Seal", fr: "Scellé" },
    proof: { en: "Proof", fr: "Preuve" },
    closing: { en: "Closing balance", fr: "Solde de clôture" },
    signature: { en: "Signature", fr: "Signature" },
  };
