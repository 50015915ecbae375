import type { Sentence } from "../kernel/language.ts";
import type { Field } from "./payout.ts";

/** One thing that is wrong with the file, where it is, and how to mend it. */
export interface Finding {
  /** Null: of the file as a whole. */
  readonly line: number | null;
  readonly field: Field | null;
  /** Stable snake_case word, listed in docs/payouts.md. */
  readonly code: string;
  readonly message: Sentence;
}

/** What is of the file as a whole comes first. */
export function byLine(one: Finding, other: Finding): number {
  return (one.line ?? 0) - (other.line ?? 0);
}

type Words = readonly [en: string, fr: string];

function finding(
  line: number | null,
  field: Field | null,
  code: string,
  [english, french]: Words,
): Finding {
  return { line, field, code, message: { en: english, fr: french } };
}

const fieldNames: Readonly<Record<Field, Sentence>> = {
  phone: { en: "phone number", fr: "téléphone" },
  amount: { en: "amount", fr: "montant" },
  reference: { en: "reference", fr: "référence" },
  description: { en: "description", fr: "motif" },
};
const firstHeading: Readonly<Record<Field, Sentence>> = {
  phone: { en: "msisdn", fr: "telephone" },
  amount: { en: "amount", fr: "montant" },
  reference: { en: "reference", fr: "reference" },
  description: { en: "description", fr: "motif" },
};

const shownMax = 40;

/** A value of the file, short enough for a sentence. */
function en(value: string): string {
  return `"${cut(value)}"`;
}
function fr(value: string): string {
  return `«\u00a0${cut(value)}\u00a0»`;
}
function cut(value: string): string {
  return value.length > shownMax ? `${value.slice(0, shownMax)}…` : value;
}

const asText: Words = [
  "Format the column as text in the spreadsheet and type the number again.",
  "Mettez la colonne au format texte dans le tableur et saisissez le numéro de nouveau.",
];

/** Everything that can be wrong, said in both languages. */
export const findings = {
  columnMissing: (line: number, field: Field, header: readonly string[]) =>
    finding(line, field, "column_missing", [
      `No column has the ${fieldNames[field].en}: call it ${en(firstHeading[field].en)} or ${en(firstHeading[field].fr)}. The first line has ${header.map(en).join(", ")}.`,
      `Aucune colonne ne porte le ${fieldNames[field].fr}\u00a0: nommez-la ${fr(firstHeading[field].fr)}. La première ligne contient ${header.map(fr).join(", ")}.`,
    ]),
  columnTwice: (line: number, field: Field) =>
    finding(line, field, "column_twice", [
      `More than one column is called ${fieldNames[field].en}: rename those that are not meant.`,
      `Plusieurs colonnes désignent le champ ${fr(fieldNames[field].fr)}\u00a0: renommez celles qui ne doivent pas servir.`,
    ]),
  noRows: () =>
    finding(null, null, "no_rows", [
      "The file has no row to pay.",
      "Le fichier ne contient aucune ligne à payer.",
    ]),
  tooManyWrong: (count: number, max: number) =>
    finding(null, null, "too_many_wrong", [
      `${count} rows are wrong, and ${max} at most can be left out: perhaps a column is not what its heading says.`,
      `${count} lignes sont incorrectes et l’on peut en écarter ${max} au plus : peut-être une colonne ne contient-elle pas ce que dit son en-tête.`,
    ]),
  tooManyCells: (line: number) =>
    finding(line, null, "too_many_cells", [
      "The row has more cells than there are headings: a separator inside an amount or a text, perhaps. Put such a cell in quotes, or take the separator out.",
      "La ligne a plus de cellules que l’en-tête\u00a0: peut-être un séparateur dans un montant ou un texte. Mettez cette cellule entre guillemets ou retirez le séparateur.",
    ]),

  phoneMissing: (line: number) =>
    finding(line, "phone", "phone_missing", [
      "The phone number is missing.",
      "Le numéro de téléphone manque.",
    ]),
  phoneScientific: (line: number, value: string) =>
    finding(line, "phone", "phone_scientific", [
      `${en(value)} is what a spreadsheet makes of a long number; its last digits are lost. ${asText[0]}`,
      `${fr(value)} est ce qu’un tableur fait d’un long numéro\u00a0: ses derniers chiffres sont perdus. ${asText[1]}`,
    ]),
  phoneZeroLost: (line: number, value: string, example: string) =>
    finding(line, "phone", "phone_zero_lost", [
      `${en(value)} is one digit short: a spreadsheet drops the 0 at the beginning (${example}). ${asText[0]}`,
      `Il manque un chiffre à ${fr(value)}\u00a0: un tableur supprime le 0 initial (${example}). ${asText[1]}`,
    ]),
  phoneWithoutCountry: (line: number, value: string, example: string) =>
    finding(line, "phone", "phone_without_country", [
      `${en(value)} has no country code and is not a number such as ${example}. Write it with its country code, such as +221 77 123 45 67.`,
      `${fr(value)} n’a pas d’indicatif et ne ressemble pas à ${example}. Écrivez-le avec son indicatif, par exemple +221 77 123 45 67.`,
    ]),
  phoneOldBenin: (line: number, value: string) =>
    finding(line, "phone", "phone_old", [
      `${en(value)} has eight digits, and numbers of Benin have ten. Write 01 before the eight, such as +229 01 97 12 34 56.`,
      `${fr(value)} a huit chiffres, et les numéros du Bénin en ont dix. Écrivez 01 devant les huit, par exemple +229 01 97 12 34 56.`,
    ]),
  phoneOldIvoryCoast: (line: number, value: string) =>
    finding(line, "phone", "phone_old", [
      `${en(value)} has eight digits, and numbers of Côte d’Ivoire have ten. Write 01, 05 or 07 before the eight, as the operator has it, such as +225 07 01 02 03 04.`,
      `${fr(value)} a huit chiffres, et les numéros de Côte d’Ivoire en ont dix. Écrivez 01, 05 ou 07 devant les huit, selon l’opérateur, par exemple +225 07 01 02 03 04.`,
    ]),
  phoneWrong: (line: number, value: string) =>
    finding(line, "phone", "phone_wrong", [
      `${en(value)} is not a phone number. Write 8 to 15 digits with country code.`,
      `${fr(value)} n’est pas un numéro de téléphone. Écrivez 8 à 15 chiffres avec l’indicatif.`,
    ]),

  amountMissing: (line: number) =>
    finding(line, "amount", "amount_missing", ["The amount is missing.", "Le montant manque."]),
  amountAmbiguous: (line: number, value: string, whole: string, fraction: string) =>
    finding(line, "amount", "amount_ambiguous", [
      `${en(value)} can mean ${whole} or ${fraction}. Write it without separators: ${whole} if that is meant.`,
      `${fr(value)} peut vouloir dire ${whole} ou ${fraction}. Écrivez-le sans séparateur\u00a0: ${whole} si c’est bien cela.`,
    ]),
  amountScientific: (line: number, value: string) =>
    finding(line, "amount", "amount_scientific", [
      `${en(value)} is a shortened number. Write all its digits, such as 25000.`,
      `${fr(value)} est un nombre abrégé. Écrivez tous ses chiffres, comme 25000.`,
    ]),
  amountFraction: (line: number, value: string) =>
    finding(line, "amount", "amount_fraction", [
      `${en(value)} is not a whole number of francs. Round it.`,
      `${fr(value)} n’est pas un nombre entier de francs. Arrondissez-le.`,
    ]),
  amountCurrency: (line: number, value: string) =>
    finding(line, "amount", "amount_currency", [
      `${en(value)} does not seem to be in CFA francs (XOF). Write the francs, such as 25000.`,
      `${fr(value)} ne semble pas être en francs CFA (XOF). Écrivez le montant en francs, comme 25000.`,
    ]),
  amountWrong: (line: number, value: string) =>
    finding(line, "amount", "amount_wrong", [
      `${en(value)} is not an amount. Write whole francs, such as 25000.`,
      `${fr(value)} n’est pas un montant. Écrivez des francs entiers, comme 25000.`,
    ]),
  amountOutOfRange: (line: number, value: number, min: number, max: number) =>
    finding(line, "amount", "amount_out_of_range", [
      `${value} is outside what this account can send at once: ${min} to ${max} francs.`,
      `${value} est hors de ce que ce compte peut envoyer en une fois\u00a0: de ${min} à ${max} francs.`,
    ]),

  referenceTooLong: (line: number, max: number) =>
    finding(line, "reference", "reference_too_long", [
      `The reference is longer than ${max} characters, or holds a character that cannot be kept, such as a tab or the end of a line. Write it shorter, on one line.`,
      `La référence dépasse ${max} caractères ou contient un caractère qui ne peut être conservé, par exemple une tabulation ou une fin de ligne. Écrivez-la plus courte, sur une ligne.`,
    ]),
  referenceRepeated: (line: number, value: string, first: number) =>
    finding(line, "reference", "reference_repeated", [
      `The reference ${en(value)} stands in line ${first} too. A reference is paid once: give this row another, or remove it.`,
      `La référence ${fr(value)} figure déjà à la ligne ${first}. Une référence n’est payée qu’une fois\u00a0: donnez-en une autre à cette ligne, ou supprimez-la.`,
    ]),
  referenceUsed: (line: number, value: string, id: string, day: string) =>
    finding(line, "reference", "reference_used", [
      `The reference ${en(value)} was used on ${day} (${id}). If this is another payment, give it another reference; if not, remove the row.`,
      `La référence ${fr(value)} a servi le ${day} (${id}). S’il s’agit d’un autre paiement, donnez-lui une autre référence\u00a0; sinon, supprimez la ligne.`,
    ]),
  rowRepeated: (line: number, first: number) =>
    finding(line, null, "row_repeated", [
      `The same number and amount stand in line ${first}. Remove the row, give both rows their own references, or allow repeated rows.`,
      `Le même numéro et le même montant figurent à la ligne ${first}. Supprimez la ligne, donnez une référence à chacune, ou autorisez les lignes répétées.`,
    ]),
  descriptionTooLong: (line: number, max: number) =>
    finding(line, "description", "description_too_long", [
      `The description is longer than ${max} characters, or holds a character that cannot be kept. Shorten it.`,
      `Le motif dépasse ${max} caractères ou contient un caractère qui ne peut être conservé. Raccourcissez-le.`,
    ]),

  recipientUnknown: (line: number, spelled: string) =>
    finding(line, "phone", "recipient_unknown", [
      `Nobody has an account with ${spelled}. Check the number, or remove the row.`,
      `Aucun compte ne correspond à ${spelled}. Vérifiez le numéro, ou supprimez la ligne.`,
    ]),
  recipientBlocked: (line: number, spelled: string) =>
    finding(line, "phone", "recipient_blocked", [
      `The account of ${spelled} can receive no money now. Ask its owner, or remove the row.`,
      `Le compte de ${spelled} ne peut rien recevoir actuellement. Voyez avec son titulaire, ou supprimez la ligne.`,
    ]),
  recipientOverLimit: (line: number, spelled: string, sum: number, max: number) =>
    finding(line, "amount", "recipient_over_limit", [
      `The account of ${spelled} may hold ${max} francs at most; this file sends it ${sum}. Lower the amount.`,
      `Le compte de ${spelled} peut contenir au plus ${max} francs\u00a0; ce fichier lui en envoie ${sum}. Réduisez le montant.`,
    ]),
  balanceTooLow: (needed: number, balance: number) =>
    finding(null, null, "balance_too_low", [
      `The account has ${balance} francs and ${needed} are needed, fees included: ${needed - balance} are missing. Fund it, or remove rows.`,
      `Le compte dispose de ${balance} francs et il en faut ${needed}, frais compris\u00a0: il manque ${needed - balance} francs. Approvisionnez-le, ou supprimez des lignes.`,
    ]),
};
