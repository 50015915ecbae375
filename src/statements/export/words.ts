import type { Language } from "../../kernel/language.ts";

/** What the printed statement says beside its lines. */
interface PrintedWords {
  readonly locale: string;
  readonly title: string;
  readonly sheet: string;
  readonly account: string;
  readonly entity: string;
  readonly period: string;
  readonly days: (from: string | undefined, to: string | undefined) => string;
  readonly timeZone: string;
  readonly currency: string;
  readonly lines: string;
  readonly headings: readonly [string, string, string, string, string, string];
  readonly total: (kind: string, count: string) => string;
  readonly page: (page: string, pages: string) => string;
  readonly code: (code: string) => string;
  readonly howToVerify: (url: string) => readonly string[];
}

export const printedWords: Readonly<Record<Language, PrintedWords>> = {
  en: {
    locale: "en-GB",
    title: "Account statement",
    sheet: "Statement",
    account: "Account",
    entity: "Sub-company",
    period: "Period",
    days: (from, to) => `${from ?? "the beginning"} to ${to ?? "today"}`,
    timeZone: "Times are those of",
    currency: "Amounts in CFA francs (XOF)",
    lines: "Lines",
    headings: ["Date", "Kind", "Reference", "Amount", "Of which fee", "Balance"],
    total: (kind, count) => `${kind} (${count})`,
    page: (page, pages) => `Page ${page} of ${pages}`,
    code: (code) => `Verification code: ${code}`,
    howToVerify: (url) => [
      "This file is signed at its end, with its lines and their proof attached. Whoever has it can check it:",
      url,
      "or without a connection: cauri verify FILE --key KEYS. Both show the code above when nothing was changed.",
    ],
  },
  fr: {
    locale: "fr-FR",
    title: "Relevé de compte",
    sheet: "Relevé",
    account: "Compte",
    entity: "Entité",
    period: "Période",
    days: (from, to) =>
      `${from === undefined ? "depuis l’ouverture" : `du ${from}`} ${to === undefined ? "à ce jour" : `au ${to}`}`,
    timeZone: "Les heures sont celles de",
    currency: "Montants en francs CFA (XOF)",
    lines: "Lignes",
    headings: ["Date", "Nature", "Référence", "Montant", "Dont frais", "Solde"],
    total: (kind, count) => `${kind} (${count})`,
    page: (page, pages) => `Page ${page} sur ${pages}`,
    code: (code) => `Code de vérification\u00a0: ${code}`,
    howToVerify: (url) => [
      "Ce fichier est signé à sa fin, avec ses lignes et leur preuve en pièces jointes. Quiconque le détient peut le vérifier\u00a0:",
      url,
      "ou hors connexion\u00a0: cauri verify FICHIER --key CLÉS. Tous deux affichent le code ci-dessus si rien n’a été changé.",
    ],
  },
};
