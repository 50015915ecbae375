import type { Language } from "../kernel/language.ts";
import { matchColumns, plainHeading } from "../spreadsheets/match-columns.ts";
import { type Finding, findings } from "./findings.ts";
import type { Field } from "./payout.ts";

const francs = ["f cfa", "fcfa", "cfa", "xof"];
const withFrancs = (names: readonly string[]) =>
  names.flatMap((name) => [name, ...francs.map((unit) => `${name} ${unit}`)]);

/** Headings that are understood, as `plainHeading` makes them; the first of each is the template's. */
export const headings: Readonly<Record<Language, Readonly<Record<Field, readonly string[]>>>> = {
  fr: {
    phone: ["telephone", "tel", "numero de telephone", "numero telephone", "portable"],
    amount: withFrancs([
      "montant",
      "montant net",
      "salaire",
      "salaire net",
      "net a payer",
      "somme",
    ]),
    reference: ["reference", "ref"],
    description: ["motif", "libelle", "objet"],
  },
  en: {
    phone: ["msisdn", "phone", "phone number", "mobile", "mobile number", "telephone number"],
    amount: withFrancs(["amount", "net amount", "salary", "net pay"]),
    reference: ["reference", "ref"],
    description: ["description", "memo", "purpose"],
  },
};

const names = Object.fromEntries(
  (["phone", "amount", "reference", "description"] as const).map((field) => [
    field,
    [...new Set([...headings.fr[field], ...headings.en[field]])],
  ]),
) as Record<Field, string[]>;

/** The columns of a file that can be paid from. */
export interface PayoutColumns {
  readonly header: readonly string[];
  readonly phone: number;
  readonly amount: number;
  readonly reference: number | undefined;
  readonly description: number | undefined;
  /** In which the headings are written; what is added to the file is written in it too. */
  readonly language: Language;
}

export function readHeader(
  line: number,
  header: readonly string[],
): { readonly columns: PayoutColumns } | { readonly findings: readonly Finding[] } {
  const { columns, repeated } = matchColumns(header, names);
  const wrong = [
    ...(["phone", "amount"] as const)
      .filter((field) => columns[field] === undefined)
      .map((field) => findings.columnMissing(line, field, header)),
    ...repeated.map((field) => findings.columnTwice(line, field)),
  ];
  const { phone, amount, reference, description } = columns;
  if (wrong.length > 0 || phone === undefined || amount === undefined) return { findings: wrong };
  const isFrench = headings.fr.phone.includes(plainHeading(header[phone] ?? ""));
  return {
    columns: { header, phone, amount, reference, description, language: isFrench ? "fr" : "en" },
  };
}
