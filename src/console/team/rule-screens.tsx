import type { FastifyReply } from "fastify";
import { requestIdPrefix } from "../../access/request.ts";
import { askForRule } from "../../access/rules.ts";
import { aloneMaxOf, keysAloneMaxOf, type Rule } from "../../approvals/rules.ts";
import { RouteNotFound } from "../../http/errors.ts";
import type { App } from "../../http/server.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { formatAmount } from "../../pages/format.ts";
import { attempt } from "../attempt.ts";
import type { ScreenContext } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { action, screen } from "../screen.ts";
import { Field, Problems } from "../views/field.tsx";
import { Form } from "../views/form.tsx";
import { accessWords } from "../words/access.ts";
import { requestsPath, rulesPath, teamPath } from "./paths.ts";

const owners = { may: "team.manage" } as const;
const amountShape = /^\d{1,15}$/;

/** What may go out without a second person, and how owners ask for another value. */
export function ruleScreens(app: App, parts: ConsoleParts): void {
  const { database, clock } = parts;

  screen(app, parts, rulesPath, owners, (context) => show(parts, context));

  action(app, parts, rulesPath, { ...owners, proof: "fresh" }, async (context) => {
    const { form, company, by, language } = context;
    const words = accessWords[language];
    const rule = form.get("rule") ?? "";
    if (rule !== "alone_max" && rule !== "keys_alone_max") throw new RouteNotFound();
    const typed = (form.get("amount") ?? "").replaceAll(/[\s\u00a0\u202f]/g, "").slice(0, 30);
    const isOff = typed === "" && rule === "keys_alone_max";
    if (!isOff && !amountShape.test(typed))
      return show(parts, context, { rule, text: words.amountProblem });
    const amount = isOff ? null : Number(typed);
    return attempt(context, rulesPath, async () => {
      const asked = await askForRule(database, clock(), company.id, { rule, amount }, by);
      if (asked === "done")
        return context.seeOther(rulesPath, { kind: "good", text: words.ruleDone });
      const id = toPublicId(requestIdPrefix, asked.requestId);
      return context.seeOther(`${requestsPath}/${id}`, { kind: "good", text: words.asked });
    });
  });
}

async function show(
  { database }: ConsoleParts,
  context: ScreenContext,
  problem?: { readonly rule: Rule; readonly text: string },
): Promise<FastifyReply> {
  const { company, language, words: frame } = context;
  const words = accessWords[language];
  const values: readonly (readonly [Rule, number | null])[] = [
    ["alone_max", await aloneMaxOf(database, company.id)],
    ["keys_alone_max", await keysAloneMaxOf(database, company.id)],
  ];
  return context.send({
    title: words.ruleTitle,
    content: (
      <>
        <h1>{words.ruleTitle}</h1>
        {problem !== undefined && (
          <Problems
            title={frame.problem}
            problems={[{ field: problem.rule, text: problem.text }]}
          />
        )}
        <p>{words.ruleLead}</p>
        {values.map(([rule, francs]) => (
          <section key={rule} class="card" aria-labelledby={`${rule}-title`}>
            <h2 id={`${rule}-title`}>{words.rules[rule]}</h2>
            <p>{words.now(francs === null ? words.noLimit : formatAmount(frame, francs))}</p>
            <Form context={context} path={rulesPath} fields={{ rule }} submit={words.ruleSubmit}>
              <Field
                id={rule}
                name="amount"
                label={words.amount}
                hint={rule === "alone_max" ? words.amountHint : words.keysHint}
                problem={problem?.rule === rule ? problem.text : undefined}
              >
                {(described) => (
                  <input {...described} inputMode="numeric" autocomplete="off" maxLength={20} />
                )}
              </Field>
            </Form>
          </section>
        ))}
        <p>
          <a href={context.href(teamPath)}>{words.back}</a>
        </p>
      </>
    ),
    ...(problem === undefined ? {} : { status: 422, isProblem: true }),
  });
}
