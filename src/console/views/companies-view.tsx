import type { CompanyRole } from "../../staff/roles.ts";
import type { Bare } from "../context.ts";
import type { CompaniesWords } from "../words/companies.ts";
import { Form } from "./form.tsx";

export function CompaniesView({
  context,
  words,
  companies,
  email,
  isOperator,
}: {
  readonly context: Bare & { readonly formToken: string };
  readonly words: CompaniesWords;
  readonly companies: readonly {
    readonly id: string;
    readonly name: string;
    readonly role: CompanyRole;
  }[];
  readonly email: string;
  readonly isOperator: boolean;
}) {
  return (
    <>
      <h1>{words.title}</h1>
      <p class="soft">{words.signedInAs(email)}</p>
      {companies.length === 0 && !isOperator && <p>{words.none}</p>}
      {isOperator && (
        <p class="card">
          <a class="button" href={context.href("/console/operations")}>
            {context.words.operations}
          </a>
        </p>
      )}
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
