import type { FastifyReply } from "fastify";
import type { App } from "../../http/server.ts";
import { placeOf } from "../../kernel/countries.ts";
import { redirect } from "../../pages/send-page.ts";
import { lacksSecondFactor } from "../../staff/sessions.ts";
import { bareOf, sendProblem } from "../bare.tsx";
import type { VisitContext } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { type LetIn, servePage, takeForm, visitOf } from "../screen.ts";
import { operatorSections } from "../sections.ts";
import { sendFramed } from "../send-view.tsx";
import { type OperationsWords, operationsWords } from "../words/operations.ts";

/** What a page for operators is handed. They work for no company: nothing here is of one, and nothing moves money. */
export interface OperatorContext extends VisitContext {
  readonly shared: OperationsWords;
  /** Of the installation. */
  readonly timeZone: string;
}

export interface OperatorAction extends OperatorContext {
  readonly form: URLSearchParams;
}

/** A page for operators, each of whom has a second factor. */
export function operatorScreen(
  app: App,
  parts: ConsoleParts,
  path: string,
  handler: (context: OperatorContext) => Promise<FastifyReply>,
): void {
  servePage(app, parts, path, letOperatorsIn(parts), handler);
}

/** What a form of such a page is sent to. All of them change something for others: each takes a fresh proof. */
export function operatorAction(
  app: App,
  parts: ConsoleParts,
  path: string,
  handler: (context: OperatorAction) => Promise<FastifyReply>,
): void {
  takeForm(app, parts, path, letOperatorsIn(parts), { proof: "fresh" }, handler);
}

function letOperatorsIn(parts: ConsoleParts): LetIn<OperatorContext> {
  return async (signedIn, request, reply) => {
    const { settings } = parts;
    if (lacksSecondFactor(signedIn.session)) {
      redirect(reply, bareOf(parts, request).href("/console/second-factor"));
      return undefined;
    }
    if (!signedIn.session.person.isOperator) {
      await sendProblem(parts, request, reply, "forbidden", 403);
      return undefined;
    }
    const visit = await visitOf(parts, signedIn, request, reply);
    const shared = operationsWords[visit.language];
    const { timeZone } = placeOf(settings.country);
    const whose = {
      name: shared.whose(settings.operator.name),
      role: visit.words.roles.operator,
      timeZone,
      balance: undefined,
    };
    const context: OperatorContext = {
      ...visit,
      by: { ...visit.by, isOperator: true },
      shared,
      timeZone,
      send: (view) => sendFramed(parts, context, view, whose, operatorSections),
    };
    return context;
  };
}
