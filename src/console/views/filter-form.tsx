import type { ComponentChildren } from "preact";
import type { SubCompany } from "../../companies/sub-company.ts";
import { toPublicId } from "../../kernel/ids.ts";
import type { ScreenContext } from "../context.ts";
import { Choice, type Choices } from "./choice.tsx";
import { Field } from "./field.tsx";

/** Filters that every list of money has. */
type SharedFilter = "status" | "from" | "to" | "min" | "max" | "phone" | "subCompany";

interface FilterWords {
  readonly search: string;
  readonly searchHint: string;
  readonly searchButton: string;
  readonly filters: string;
  readonly apply: string;
  readonly any: string;
  readonly fields: Readonly<Record<SharedFilter, string>>;
  readonly wrong: Readonly<Record<SharedFilter, string>>;
}

/** Plain forms that are sent with GET: the address says what is shown. */
export function FilterForm({
  context,
  path,
  words,
  asked: { typed, wrong },
  statuses,
  subCompanies,
  children,
}: {
  readonly context: ScreenContext;
  /** Of the list. */
  readonly path: string;
  readonly words: FilterWords;
  readonly asked: {
    readonly typed: Readonly<Partial<Record<SharedFilter, string>>>;
    readonly wrong: readonly string[];
  };
  readonly statuses: Choices;
  readonly subCompanies: readonly SubCompany[];
  /** Filters that only this list has. */
  readonly children?: ComponentChildren;
}) {
  const action = context.href(path);
  const about = (name: SharedFilter) => ({
    id: name,
    label: words.fields[name],
    problem: wrong.includes(name) ? words.wrong[name] : undefined,
  });
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
          <Choice {...about("status")} any={words.any} choices={statuses} chosen={typed.status} />
          {(["from", "to"] as const).map((name) => (
            <Field key={name} {...about(name)}>
              {(described) => <input {...described} type="date" value={typed[name]} />}
            </Field>
          ))}
          {(["min", "max"] as const).map((name) => (
            <Field key={name} {...about(name)}>
              {(described) => (
                <input {...described} inputmode="numeric" maxlength={20} value={typed[name]} />
              )}
            </Field>
          ))}
          <Field {...about("phone")}>
            {(described) => <input {...described} type="tel" maxlength={40} value={typed.phone} />}
          </Field>
          {names.length > 0 && (
            <Choice
              {...about("subCompany")}
              any={words.any}
              choices={names}
              chosen={typed.subCompany}
            />
          )}
          {children}
          <button>{words.apply}</button>
        </form>
      </details>
    </section>
  );
}
