import type { Company } from "../../companies/company.ts";
import type { SubCompany } from "../../companies/sub-company.ts";
import { formatAmount, formatDuration } from "../../pages/format.ts";
import type { ScreenContext } from "../context.ts";
import { Field, Problems } from "../views/field.tsx";
import { Form } from "../views/form.tsx";
import { Notice } from "../views/notice.tsx";
import { SubCompanyField } from "../views/sub-company-field.tsx";
import type { LinkWords } from "../words/payment-link.ts";
import { newLinkPath } from "./paths.ts";
import { type LinkProblems, linkFields, type TypedLink, textMax } from "./read-link.ts";

/** The form. What was typed stays, so that it can be mended. */
export function NewLinkPage({
  context,
  words: { make },
  company,
  lifetimeSeconds,
  typed,
  problems,
  redoOf,
  subCompanies,
  formId,
}: {
  readonly context: ScreenContext;
  readonly words: LinkWords;
  readonly company: Company;
  readonly lifetimeSeconds: number;
  readonly typed: TypedLink;
  readonly problems: LinkProblems;
  readonly redoOf: string | undefined;
  readonly subCompanies: readonly SubCompany[];
  /** Of this form: sent twice, it creates one link. */
  readonly formId: string;
}) {
  const show = (francs: number) => formatAmount(context.words, francs);
  const { min, max } = company.chargeAmount;
  return (
    <>
      <h1>{make.title}</h1>
      {redoOf !== undefined && <Notice kind="good" text={make.redoOf(redoOf)} />}
      <Problems
        title={context.words.problem}
        problems={linkFields.flatMap((field) => {
          const text = problems[field];
          return text === undefined ? [] : [{ field, text }];
        })}
      />
      <section class="card">
        <Form context={context} path={newLinkPath} submit={make.create} fields={{ form: formId }}>
          <Field
            id="amount"
            label={make.amount}
            hint={`${make.amountHint(show(min), show(max))} ${feeSentence(company, make, context)}`}
            problem={problems.amount}
          >
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
            id="description"
            label={make.description}
            hint={make.descriptionHint}
            problem={problems.description}
          >
            {(described) => (
              <input
                {...described}
                autocomplete="off"
                maxlength={textMax}
                value={typed.description}
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
                maxlength={textMax}
                value={typed.reference}
                required
              />
            )}
          </Field>
          <SubCompanyField
            words={make}
            companyName={company.name}
            subCompanies={subCompanies}
            chosen={typed.subCompany}
            problem={problems.subCompany}
          />
          <p class="soft">{make.lifetime(formatDuration(context.words, lifetimeSeconds))}</p>
        </Form>
      </section>
    </>
  );
}

function feeSentence(
  { chargeFeeRatePpm }: Company,
  make: LinkWords["make"],
  { words: { locale } }: ScreenContext,
): string {
  if (chargeFeeRatePpm === 0) return make.noFees;
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 4 });
  return make.fees(percent.format(chargeFeeRatePpm / 1_000_000).replaceAll("\u202f", "\u00a0"));
}
