import type { Company } from "../../companies/company.ts";
import { parsePublicId } from "../../kernel/ids.ts";
import { isUnwritable } from "../../kernel/unwritable.ts";
import { formatAmount } from "../../pages/format.ts";
import { readAmount } from "../../payouts/read-amount.ts";
import type { FrameWords } from "../words/frame.ts";
import type { LinkWords } from "../words/payment-link.ts";

export const linkFields = ["amount", "description", "reference", "subCompany"] as const;
type LinkField = (typeof linkFields)[number];

/** As it was typed. */
export type TypedLink = Readonly<Record<LinkField, string>>;

/** A link that could be created. */
export interface LinkDraft {
  readonly amount: number;
  readonly description: string;
  readonly externalId: string;
  readonly subCompanyId: string | null;
}

export type LinkProblems = Readonly<Partial<Record<LinkField, string>>>;

export const textMax = 255;

export function readTyped(form: URLSearchParams): TypedLink {
  const text = (name: LinkField) => (form.get(name) ?? "").trim().slice(0, 2 * textMax);
  return {
    amount: text("amount"),
    description: text("description"),
    reference: text("reference"),
    subCompany: text("subCompany"),
  };
}

/** Reads what was typed by this company's limits: a link, or what is wrong with each field. */
export function readLink(
  typed: TypedLink,
  { chargeAmount: { min, max } }: Company,
  { words, frame }: { readonly words: LinkWords["make"]; readonly frame: FrameWords },
): { readonly link: LinkDraft } | { readonly problems: LinkProblems } {
  const said = words.problems;
  const problems: Partial<Record<LinkField, string>> = {};
  const read = readAmount(typed.amount);
  if (read.problem === "missing") problems.amount = said.amount.missing;
  else if (read.problem === "ambiguous") problems.amount = said.amount.ambiguous(typed.amount);
  else if (read.problem !== undefined) problems.amount = said.amount.unreadable;
  else if (read.amount < min || read.amount > max)
    problems.amount = said.amount.outside(formatAmount(frame, min), formatAmount(frame, max));
  for (const name of ["description", "reference"] as const) {
    const text = typed[name];
    if (text === "") problems[name] = said[name].missing;
    else if (text.length > textMax || isUnwritable(text)) problems[name] = said[name].long;
  }
  const subCompanyId = typed.subCompany === "" ? null : parsePublicId("subco", typed.subCompany);
  if (subCompanyId === undefined) problems.subCompany = said.subCompany;
  if (read.amount === undefined || subCompanyId === undefined || Object.keys(problems).length > 0)
    return { problems };
  return {
    link: {
      amount: read.amount,
      description: typed.description,
      externalId: typed.reference,
      subCompanyId,
    },
  };
}
