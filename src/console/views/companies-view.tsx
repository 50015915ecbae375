import type { CompanyRole } from "../../staff/roles.ts";
import type { Bare } from "../context.ts";
import type { CompaniesWords } from "../words/companies.ts";
import { Form } from "./form.tsx";

export function CompaniesView({
  context,
  words,
  companies,
  email,
}: {
  readonly context: Bare & { readonly formToken: string };
  readonly words: CompaniesWords;
  readonly companies: readonly {
    readonly id: string;
    readonly name: string;
    readonly role: CompanyRole;
  }[];
  readonly email: string;
}) {
  return (
    <>
      <h1>{words.title}</h1>
      <p class="soft">{words.signedInAs(email)}</p>
      {companies.length === 0 && <p>{words.none}</p>}
      {companies.map(({ id, name, role }) => (
        <div key={id} class="card">
          <p>
            <strong>{name}</strong> <span class="soft">{context.words.roles[role]}</span>
          </p>
          <Form
            context={context}
            path="/console/companies"
            fields={{ company: id }}
            submit={words.open(name)}
          />
        </div>
      ))}
      <Form context={context} path="/console/logout" submit={context.words.signOut} kind="quiet" />
    </>
  );
}
