import type { CompanyRole } from "../../staff/roles.ts";
import type { Bare } from "../context.ts";
import { accessWords } from "../words/access.ts";
import type { CompaniesWords } from "../words/companies.ts";
import { Form } from "./form.tsx";

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly role: CompanyRole;
}

/** For whom a person works, and for whom not yet. */
export function CompaniesView({
  context,
  words,
  companies,
  waiting,
  email,
  isOperator,
}: {
  readonly context: Bare & { readonly formToken: string };
  readonly words: CompaniesWords;
  readonly companies: readonly Listed[];
  /** What somebody else has to confirm first, by the number of the request. */
  readonly waiting: readonly Listed[];
  readonly email: string;
  readonly isOperator: boolean;
}) {
  const access = accessWords[context.language];
  return (
    <>
      <h1>{words.title}</h1>
      <p class="soft">{words.signedInAs(email)}</p>
      {companies.length === 0 && waiting.length === 0 && !isOperator && <p>{words.none}</p>}
      {waiting.map(({ id, name, role }) => (
        <section key={id} class="card" aria-labelledby={id}>
          <h2 id={id}>{access.waitingTitle(name)}</h2>
          <p>{access.waiting(context.words.roles[role])}</p>
          <p class="soft">{access.waitingId(id)}</p>
        </section>
      ))}
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
