import { createHash, randomUUID } from "node:crypto";
import { createLink } from "../../charges/create-link.ts";
import { DuplicateExternalId } from "../../charges/errors.ts";
import { getCharge } from "../../charges/find-charges.ts";
import { byCurrentPrice } from "../../companies/by-current-price.ts";
import { SubCompanyInactive, SubCompanyNotFound } from "../../companies/errors.ts";
import { getCompany } from "../../companies/find-company.ts";
import { listSubCompanies } from "../../companies/sub-companies.ts";
import type { App } from "../../http/server.ts";
import { IdempotencyKeyReused } from "../../idempotency/errors.ts";
import type { IdempotencyKey } from "../../idempotency/idempotency-key.ts";
import { dayOf } from "../../kernel/days.ts";
import { parseUuid, toPublicId } from "../../kernel/ids.ts";
import type { ScreenContext } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { action, screen } from "../screen.ts";
import { suggestReference } from "../suggest-reference.ts";
import { type LinkWords, linkWords } from "../words/payment-link.ts";
import { NewLinkPage } from "./new-page.tsx";
import { collectionPath, newLinkPath } from "./paths.ts";
import {
  type LinkDraft,
  type LinkProblems,
  readLink,
  readTyped,
  type TypedLink,
} from "./read-link.ts";

/** A choice of more than these is no choice. */
const subCompaniesOffered = 100;
const unprocessable = 422;

/** A new payment link: the form, and the charge that comes of it, once. */
export function newLinkScreens(app: App, parts: ConsoleParts): void {
  const { database, settings, payments, chargeLanes, clock } = parts;
  const { lifetimeSeconds } = chargeLanes;
  const may = { may: "charges.propose", proof: "none" } as const;

  const showForm = async (
    context: ScreenContext,
    typed: TypedLink,
    {
      problems = {},
      redoOf,
      formId = randomUUID(),
    }: {
      readonly problems?: LinkProblems;
      readonly redoOf?: string;
      readonly formId?: string | undefined;
    } = {},
  ) => {
    const words = linkWords[context.language];
    const company = await getCompany(database, context.company.id);
    const { rows } = await listSubCompanies(database, company.id, { limit: subCompaniesOffered });
    const content = (
      <NewLinkPage
        context={context}
        words={words}
        company={company}
        lifetimeSeconds={lifetimeSeconds}
        typed={typed}
        problems={problems}
        redoOf={redoOf}
        subCompanies={rows}
        formId={formId}
      />
    );
    const isProblem = Object.keys(problems).length > 0;
    const status = isProblem ? unprocessable : 200;
    return context.send({ title: words.make.title, content, status, isProblem });
  };

  screen(app, parts, newLinkPath, may, async (context) => {
    const { company, query } = context;
    const typed = readTyped(query);
    const suggested = suggestReference("L", dayOf(clock(), company.timeZone));
    const redo = query.get("redo");
    if (redo === null)
      return showForm(context, { ...typed, reference: typed.reference || suggested });
    const before = await getCharge(payments, company.id, parseUuid(redo));
    const filled = {
      amount: String(before.amount),
      description: before.description,
      reference: suggested,
      subCompany: before.subCompanyId === null ? "" : toPublicId("subco", before.subCompanyId),
    };
    return showForm(context, filled, { redoOf: before.externalId });
  });

  action(app, parts, newLinkPath, may, async (context) => {
    const { company: here, form, by, language, seeOther } = context;
    const words = linkWords[language];
    const typed = readTyped(form);
    const formId = parseUuid(form.get("form") ?? "") ?? randomUUID();
    const company = await getCompany(database, here.id);
    const read = readLink(typed, company, { words: words.make, frame: context.words });
    if ("problems" in read) return showForm(context, typed, { problems: read.problems, formId });
    // Whoever pays by such a link comes from no site, and is sent to none.
    const home = `${settings.publicUrl}/`;
    try {
      const id = await byCurrentPrice(database, company, (current) =>
        createLink(database, current, {
          ...read.link,
          metadata: null,
          onCanceledRedirectionUrl: home,
          onCompletedRedirectionUrl: home,
          lifetimeSeconds,
          key: keyOf(formId, read.link),
          by,
        }),
      );
      return await seeOther(collectionPath({ id }), { kind: "good", text: words.created });
    } catch (error) {
      const problems = problemsOf(error, words.make.problems);
      if (problems === undefined) throw error;
      return showForm(context, typed, { problems });
    }
  });
}

/** What makes a form the same form: its number, and all that is created by it. */
function keyOf(formId: string, { amount, description, externalId, subCompanyId }: LinkDraft) {
  const said = JSON.stringify([newLinkPath, amount, description, externalId, subCompanyId]);
  const key: IdempotencyKey = {
    key: `console ${formId}`,
    requestHash: createHash("sha256").update(said).digest(),
  };
  return key;
}

function problemsOf(error: unknown, said: LinkWords["make"]["problems"]): LinkProblems | undefined {
  if (error instanceof DuplicateExternalId) return { reference: said.reference.used };
  if (error instanceof IdempotencyKeyReused) return { reference: said.reference.sent };
  if (error instanceof SubCompanyInactive || error instanceof SubCompanyNotFound)
    return { subCompany: said.subCompany };
  return undefined;
}
