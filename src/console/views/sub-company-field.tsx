import type { SubCompany } from "../../companies/sub-company.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { Field } from "./field.tsx";

/** In whose name it is done. Without sub-companies there is nothing to choose. */
export function SubCompanyField({
  words,
  companyName,
  subCompanies,
  chosen,
  problem,
}: {
  readonly words: {
    readonly subCompany: string;
    readonly ownName: (company: string) => string;
    readonly inactive: string;
  };
  readonly companyName: string;
  readonly subCompanies: readonly SubCompany[];
  /** Its id as the API shows it; empty: the company itself. */
  readonly chosen: string;
  readonly problem: string | undefined;
}) {
  if (subCompanies.length === 0) return null;
  return (
    <Field id="subCompany" label={words.subCompany} problem={problem}>
      {(described) => (
        <select {...described}>
          <option value="">{words.ownName(companyName)}</option>
          {subCompanies.map(({ id, name, isActive }) => (
            <option
              key={id}
              value={toPublicId("subco", id)}
              selected={toPublicId("subco", id) === chosen}
              disabled={!isActive}
            >
              {isActive ? name : `${name} (${words.inactive})`}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
