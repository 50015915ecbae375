import type { Company } from "../../companies/company.ts";
import type { SubCompany } from "../../companies/sub-company.ts";
import type { CustomerCheck } from "../../customers/check-customer.ts";
import { feeOf } from "../../kernel/amount.ts";
import type { Country } from "../../kernel/countries.ts";
import { formatAmount } from "../../pages/format.ts";
import type { ScreenContext } from "../context.ts";
import { Field, Problems } from "../views/field.tsx";
import { Form } from "../views/form.tsx";
import { Money } from "../views/money.tsx";
import { Notice } from "../views/notice.tsx";
import { Phone } from "../views/phone.tsx";
import { SubCompanyField } from "../views/sub-company-field.tsx";
import { Facts } from "../views/table.tsx";
import type { NewTransferWords } from "../words/new-transfer.ts";
import { spellAmount } from "../words/spell-amount.ts";
import { describeRecipient } from "./describe-recipient.ts";
import { newTransferPath } from "./paths.ts";
import { type Draft, type DraftProblems, draftFields, type TypedDraft } from "./read-draft.ts";
import { RecipientBox, RecipientScript } from "./recipient-box.tsx";

export const recipientPath = `${newTransferPath}/recipient`;

interface Shared {
  readonly context: ScreenContext;
  readonly words: NewTransferWords;
  readonly company: Company;
}

/** The form. What was typed stays, so that it can be mended. */
export function NewPage({
  context,
  words: { make },
  company,
  country,
  typed,
  problems,
  redoOf,
  subCompanies,
}: Shared & {
  readonly country: Country;
  readonly typed: TypedDraft;
  readonly problems: DraftProblems;
  readonly redoOf: string | undefined;
  readonly subCompanies: readonly SubCompany[];
}) {
  const show = (francs: number) => formatAmount(context.words, francs);
  const { min, max } = company.transferAmount;
  const example = `+${country.callingCode} ${country.example}`.replaceAll(" ", "\u00a0");
  const amountHint = `${make.amountHint(show(min), show(max))} ${feeSentence(company, make, context)}`;
  return (
    <>
      <h1>{make.title}</h1>
      {redoOf !== undefined && <Notice kind="good" text={make.redoOf(redoOf)} />}
      <Problems
        title={context.words.problem}
        problems={draftFields.flatMap((field) => {
          const text = problems[field];
          return text === undefined ? [] : [{ field, text }];
        })}
      />
      <section class="card">
        <Form context={context} path={`${newTransferPath}/review`} submit={make.review}>
          <Field
            id="phone"
            label={make.phone}
            hint={make.phoneHint(example)}
            problem={problems.phone}
          >
            {(described) => (
              <input
                {...described}
                type="tel"
                autocomplete="off"
                maxlength={40}
                value={typed.phone}
                required
              />
            )}
          </Field>
          <RecipientBox ask={context.href(recipientPath)} />
          <Field id="amount" label={make.amount} hint={amountHint} problem={problems.amount}>
            {(described) => (
              <input
                {...described}
                inputmode="numeric"
                autocomplete="off"
                maxlength={20}
                value={typed.amount}
                required
              />
            )}
          </Field>
          <Field
            id="reference"
            label={make.reference}
            hint={make.referenceHint}
            problem={problems.reference}
          >
            {(described) => (
              <input
                {...described}
                autocomplete="off"
                maxlength={255}
                value={typed.reference}
                required
              />
            )}
          </Field>
          <Field
            id="description"
            label={make.description}
            hint={make.descriptionHint}
            problem={problems.description}
          >
            {(described) => (
              <input {...described} autocomplete="off" maxlength={255} value={typed.description} />
            )}
          </Field>
          <SubCompanyField
            words={make}
            companyName={company.name}
            subCompanies={subCompanies}
            chosen={typed.subCompany}
            problem={problems.subCompany}
          />
          <RecipientScript nonce={context.nonce} />
        </Form>
      </section>
    </>
  );
}

function feeSentence(
  { transferFee: { ratePpm, flat, min, max } }: Company,
  make: NewTransferWords["make"],
  context: ScreenContext,
): string {
  const show = (francs: number) => formatAmount(context.words, francs);
  const percent = new Intl.NumberFormat(context.words.locale, {
    style: "percent",
    maximumFractionDigits: 4,
  });
  const parts = [
    ...(ratePpm === 0
      ? []
      : [make.feeRate(percent.format(ratePpm / 1_000_000).replaceAll("\u202f", "\u00a0"))]),
    ...(flat === 0 ? [] : [make.feeFlat(show(flat))]),
    ...(min === 0 ? [] : [make.feeMin(show(min))]),
    ...(max === null ? [] : [make.feeMax(show(max))]),
  ];
  return parts.length === 0 ? make.noFees : make.fees(parts.join(", "));
}

export interface Reviewed extends Shared {
  readonly draft: Draft;
  readonly typed: TypedDraft;
  readonly check: CustomerCheck & { readonly amountMax: number | null };
  readonly available: number;
  /** What this person may still pay out alone today. */
  readonly aloneLeft: number;
  readonly subCompanyName: string | undefined;
  /** Of this form: sent twice, it asks once. */
  readonly formId: string;
}

/** Everything in words, before anything is sent. */
export function ReviewPage(props: Reviewed) {
  const { context, words, company, draft, typed, available, aloneLeft } = props;
  const { make, review } = words;
  const show = (francs: number) => formatAmount(context.words, francs);
  const fee = feeOf(draft.amount, company.transferFee);
  const total = draft.amount + fee;
  const needsApproval = draft.amount > aloneLeft;
  const missing = total - available;
  return (
    <>
      <h1>{review.title}</h1>
      <Recipient {...props} />
      {missing > 0 && <Notice kind="bad" text={review.tooLow(show(missing))} />}
      <section class="card">
        <p class="large">
          <Money words={context.words} francs={draft.amount} />
        </p>
        <Facts
          facts={[
            [review.inWords, spellAmount(context.language, draft.amount)],
            [make.phone, <Phone msisdn={draft.msisdn} />],
            [review.fee, <Money words={context.words} francs={fee} />],
            [review.total, <Money words={context.words} francs={total} />],
            [review.balanceAfter, <Money words={context.words} francs={available - total} />],
            [make.reference, draft.reference],
            ...(draft.description === null ? [] : [[make.description, draft.description] as const]),
            [make.subCompany, props.subCompanyName ?? make.ownName(company.name)],
          ]}
        />
        <p>{needsApproval ? review.approval : review.alone}</p>
        <Form
          context={context}
          path={newTransferPath}
          submit={
            needsApproval ? review.ask(show(draft.amount)) : review.confirm(show(draft.amount))
          }
          fields={{ ...typed, form: props.formId, price: String(company.priceNumber) }}
        />
        <p>
          <a href={context.href(newTransferPath, { ...typed })}>{make.back}</a>
        </p>
      </section>
    </>
  );
}

/** Whom the money would reach, and what stands in its way. */
function Recipient({ context, words: { review }, draft, check }: Reviewed) {
  return (
    <>
      {describeRecipient(context.words, review, check, draft).map((note) => (
        <Notice key={note.text} {...note} />
      ))}
    </>
  );
}
