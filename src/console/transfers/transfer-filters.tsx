import type { SubCompany } from "../../companies/sub-company.ts";
import { failureReasons, transferStatuses } from "../../transfers/transfer.ts";
import type { ScreenContext } from "../context.ts";
import { Choice } from "../views/choice.tsx";
import { Field } from "../views/field.tsx";
import { FilterForm } from "../views/filter-form.tsx";
import type { TransferWords } from "../words/transfers.ts";
import { transfersPath } from "./paths.ts";
import type { ReadSearch } from "./read-search.ts";

/** What transfers are filtered by. */
export function TransferFilters({
  context,
  words,
  asked,
  subCompanies,
}: {
  readonly context: ScreenContext;
  readonly words: TransferWords;
  readonly asked: ReadSearch;
  readonly subCompanies: readonly SubCompany[];
}) {
  const { typed, wrong } = asked;
  const problemOf = (name: "reason" | "batch") =>
    wrong.includes(name) ? words.wrong[name] : undefined;
  return (
    <FilterForm
      context={context}
      path={transfersPath}
      words={words}
      asked={asked}
      statuses={transferStatuses.map((one) => [one, words.statuses[one]] as const)}
      subCompanies={subCompanies}
    >
      <Choice
        id="reason"
        label={words.fields.reason}
        problem={problemOf("reason")}
        any={words.any}
        choices={failureReasons.map((one) => [one, words.reasons[one].what] as const)}
        chosen={typed.reason}
      />
      <Field id="batch" label={words.fields.batch} problem={problemOf("batch")}>
        {(described) => <input {...described} maxlength={100} value={typed.batch} />}
      </Field>
    </FilterForm>
  );
}
