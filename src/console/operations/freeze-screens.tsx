import type { FastifyReply } from "fastify";
import { type Company, companyIdPrefix } from "../../companies/company.ts";
import type { App } from "../../http/server.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { freeze, unfreeze } from "../../operations/set-frozen.ts";
import type { ConsoleParts } from "../parts.ts";
import { Problems } from "../views/field.tsx";
import { Form } from "../views/form.tsx";
import { operatorCompanyWords } from "../words/operator-companies.ts";
import { companiesPath, getNamedCompany } from "./company-screens.tsx";
import { type OperatorContext, operatorAction, operatorScreen } from "./operator-screen.ts";
import { ReasonField, readReason } from "./reason.tsx";

/** Freezing a company and serving it again, each after a page that says what it does. */
export function freezeScreens(app: App, parts: ConsoleParts): void {
  operatorScreen(app, parts, `${companiesPath}/:id/freeze`, async (context) =>
    ask(context, await getNamedCompany(parts, context)),
  );

  operatorAction(app, parts, `${companiesPath}/:id/freeze`, async (context) => {
    const company = await getNamedCompany(parts, context);
    const words = operatorCompanyWords[context.language].freeze;
    const reason = readReason(context.form);
    if (reason === undefined) return ask(context, company, context.shared.reasonProblem);
    const toFrozen = context.form.get("to") === "frozen";
    const change = toFrozen ? freeze : unfreeze;
    const isNew = await change(parts, company.id, context.by, reason);
    const [done, already] = toFrozen
      ? [words.done, words.already]
      : [words.undone, words.unalready];
    return context.seeOther(pathOf(company), {
      kind: "good",
      text: (isNew ? done : already)(company.name),
    });
  });
}

function pathOf({ id }: Company): string {
  return `${companiesPath}/${toPublicId(companyIdPrefix, id)}`;
}

/** The form says what is to become of the company, so that a page that is out of date does not do the opposite. */
function ask(context: OperatorContext, company: Company, problem?: string): Promise<FastifyReply> {
  const { words: frame, shared, href } = context;
  const words = operatorCompanyWords[context.language].freeze;
  const { isFrozen, name } = company;
  const title = isFrozen ? words.untitle(name) : words.title(name);
  return context.send({
    title,
    content: (
      <>
        <h1>{title}</h1>
        {problem !== undefined && (
          <Problems title={frame.problem} problems={[{ field: "reason", text: problem }]} />
        )}
        {!isFrozen && <p>{words.when}</p>}
        <section class="card">
          <ul class="effects">
            {(isFrozen ? words.uneffects : words.effects).map((effect) => (
              <li key={effect}>{effect}</li>
            ))}
          </ul>
          <Form
            context={context}
            path={`${pathOf(company)}/freeze`}
            fields={{ to: isFrozen ? "open" : "frozen" }}
            submit={isFrozen ? words.unsubmit : words.submit}
            kind={isFrozen ? "main" : "danger"}
          >
            <ReasonField words={shared} problem={problem} />
          </Form>
        </section>
        <p>
          <a href={href(pathOf(company))}>{words.back}</a>
        </p>
      </>
    ),
    ...(problem === undefined ? {} : { status: 422, isProblem: true }),
  });
}
