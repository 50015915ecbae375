import { chargeStatuses } from "../../charges/charge.ts";
import type { SubCompany } from "../../companies/sub-company.ts";
import { toPublicId } from "../../kernel/ids.ts";
import type { ScreenContext } from "../context.ts";
import { Field } from "../views/field.tsx";
import type { CollectionWords } from "../words/collections.ts";
import { collectionsPath } from "./paths.ts";
import type { ReadSearch, SearchField } from "./read-search.ts";

/** Plain forms that are sent with GET: the address says what is shown. */
export function FilterForm({
  context,
  words,
  asked,
  subCompanies,
}: {
  readonly context: ScreenContext;
  readonly words: CollectionWords;
  readonly asked: ReadSearch;
  readonly subCompanies: readonly SubCompany[];
}) {
  const action = context.href(collectionsPath);
  const { typed, wrong } = asked;
  const problemOf = (name: SearchField) => (wrong.includes(name) ? words.wrong[name] : undefined);
  const options = (values: readonly (readonly [string, string])[], chosen: string | undefined) => [
    <option key="" value="">
      {words.any}
    </option>,
    ...values.map(([value, text]) => (
      <option key={value} value={value} selected={value === chosen}>
        {text}
      </option>
    )),
  ];
  const statuses = chargeStatuses.map((one) => [one, words.statuses[one]] as const);
  const names = subCompanies.map(({ id, name }) => [toPublicId("subco", id), name] as const);
  return (
    <section class="card">
      <form method="get" action={action} class="filters">
        <Field id="q" label={words.search} hint={words.searchHint}>
          {(described) => <input {...described} type="search" maxlength={255} />}
        </Field>
        <button class="second">{words.searchButton}</button>
      </form>
      <details open={wrong.length > 0}>
        <summary>{words.filters}</summary>
        <form method="get" action={action} class="filters">
          <Field id="status" label={words.fields.status} problem={problemOf("status")}>
            {(described) => <select {...described}>{options(statuses, typed.status)}</select>}
          </Field>
          {(["from", "to"] as const).map((name) => (
            <Field key={name} id={name} label={words.fields[name]} problem={problemOf(name)}>
              {(described) => <input {...described} type="date" value={typed[name]} />}
            </Field>
          ))}
          {(["min", "max"] as const).map((name) => (
            <Field key={name} id={name} label={words.fields[name]} problem={problemOf(name)}>
              {(described) => (
                <input {...described} inputmode="numeric" maxlength={20} value={typed[name]} />
              )}
            </Field>
          ))}
          <Field id="phone" label={words.fields.phone} problem={problemOf("phone")}>
            {(described) => <input {...described} type="tel" maxlength={40} value={typed.phone} />}
          </Field>
          {names.length > 0 && (
            <Field
              id="subCompany"
              label={words.fields.subCompany}
              problem={problemOf("subCompany")}
            >
              {(described) => <select {...described}>{options(names, typed.subCompany)}</select>}
            </Field>
          )}
          <button>{words.apply}</button>
        </form>
      </details>
    </section>
  );
}
