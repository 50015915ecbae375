import type { Company } from "../../companies/company.ts";
import type { Country } from "../../kernel/countries.ts";
import { parsePublicId } from "../../kernel/ids.ts";
import { readPhone } from "../../kernel/read-phone.ts";
import { isUnwritable } from "../../kernel/unwritable.ts";
import { formatAmount } from "../../pages/format.ts";
import { readAmount } from "../../payouts/read-amount.ts";
import type { FrameWords } from "../words/frame.ts";
import type { NewTransferWords } from "../words/new-transfer.ts";

export const draftFields = ["phone", "amount", "reference", "description", "subCompany"] as const;
type DraftField = (typeof draftFields)[number];

/** As it was typed. */
export type TypedDraft = Readonly<Record<DraftField, string>>;

/** A transfer that could be sent. */
export interface Draft {
  readonly msisdn: string;
  /** The country code was added, which whoever pays has to see. */
  readonly isCompleted: boolean;
  readonly amount: number;
  readonly reference: string;
  readonly description: string | null;
  readonly subCompanyId: string | null;
}

export type DraftProblems = Readonly<Partial<Record<DraftField, string>>>;

const textMax = 255;

export function readTyped(form: URLSearchParams): TypedDraft {
  const text = (name: DraftField) => (form.get(name) ?? "").trim().slice(0, 2 * textMax);
  return {
    phone: text("phone"),
    amount: text("amount"),
    reference: text("reference"),
    description: text("description"),
    subCompany: text("subCompany"),
  };
}

/** Reads what was typed by this company's limits: a draft, or what is wrong with each field. */
export function readDraft(
  typed: TypedDraft,
  company: Company,
  country: Country,
  { words, frame }: { readonly words: NewTransferWords["make"]; readonly frame: FrameWords },
): { readonly draft: Draft } | { readonly problems: DraftProblems } {
  const said = words.problems;
  const problems: Partial<Record<DraftField, string>> = {};
  const phone = readPhone(typed.phone, country);
  if (phone.problem !== undefined) problems.phone = said.phone[phone.problem];

  const { min, max } = company.transferAmount;
  const read = readAmount(typed.amount);
  if (read.problem === "missing") problems.amount = said.amount.missing;
  else if (read.problem === "ambiguous") problems.amount = said.amount.ambiguous(typed.amount);
  else if (read.problem !== undefined) problems.amount = said.amount.unreadable;
  else if (read.amount < min || read.amount > max)
    problems.amount = said.amount.outside(formatAmount(frame, min), formatAmount(frame, max));

  if (typed.reference === "") problems.reference = said.reference.missing;
  else if (typed.reference.length > textMax || isUnwritable(typed.reference))
    problems.reference = said.reference.long;
  if (typed.description.length > textMax || isUnwritable(typed.description))
    problems.description = said.description;
  const subCompanyId = typed.subCompany === "" ? null : parsePublicId("subco", typed.subCompany);
  if (subCompanyId === undefined) problems.subCompany = said.subCompany;

  if (
    phone.msisdn === undefined ||
    read.amount === undefined ||
    subCompanyId === undefined ||
    Object.keys(problems).length > 0
  )
    return { problems };
  return {
    draft: {
      msisdn: phone.msisdn,
      isCompleted: phone.isCompleted,
      amount: read.amount,
      reference: typed.reference,
      description: typed.description === "" ? null : typed.description,
      subCompanyId,
    },
  };
}
