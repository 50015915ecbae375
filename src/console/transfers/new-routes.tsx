import { randomUUID } from "node:crypto";
import { findParts } from "../../approvals/find-proposals.ts";
import { proposalIdPrefix } from "../../approvals/proposal.ts";
import { propose } from "../../approvals/propose.ts";
import { aloneLeftOf } from "../../approvals/rules.ts";
import { PriceChanged, SubCompanyInactive, SubCompanyNotFound } from "../../companies/errors.ts";
import { findSubCompanies, getCompany } from "../../companies/find-company.ts";
import { listSubCompanies } from "../../companies/sub-companies.ts";
import { checkCustomers } from "../../customers/check-customer.ts";
import type { App } from "../../http/server.ts";
import { findCountry } from "../../kernel/countries.ts";
import { dayOf } from "../../kernel/days.ts";
import { parsePublicId, parseUuid, toPublicId } from "../../kernel/ids.ts";
import { readPhone } from "../../kernel/read-phone.ts";
import { balancesOf } from "../../ledger/post.ts";
import { formatAmount } from "../../pages/format.ts";
import { hemIn } from "../../pages/send-page.ts";
import { readAmount } from "../../payouts/read-amount.ts";
import { QuotaExceeded } from "../../quotas/errors.ts";
import { spendQuota } from "../../quotas/spend-quota.ts";
import { DuplicateReference } from "../../transfers/errors.ts";
import { findUsedReferences, getTransfer } from "../../transfers/find-transfers.ts";
import type { ActionContext, ScreenContext } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { action, screen } from "../screen.ts";
import { suggestReference } from "../suggest-reference.ts";
import { newTransferWords } from "../words/new-transfer.ts";
import { describeRecipient, type RecipientNote } from "./describe-recipient.ts";

import { NewPage, ReviewPage, recipientPath } from "./new-page.tsx";
import { newTransferPath, transferPath } from "./paths.ts";
import { type DraftProblems, readDraft, readTyped, type TypedDraft } from "./read-draft.ts";

/** A choice of more than these is no choice. */
const subCompaniesOffered = 100;
const unprocessable = 422;

/** A new transfer: the form, everything in words, and the request itself. */
export function newTransferScreens(app: App, parts: ConsoleParts): void {
  const { database, config, settings, desk, clock } = parts;
  const may = { may: "transfers.propose", proof: "none" } as const;

  const showForm = async (
    context: ScreenContext,
    typed: TypedDraft,
    problems: DraftProblems = {},
    redoOf?: string,
  ) => {
    const words = newTransferWords[context.language];
    const company = await getCompany(database, context.company.id);
    const { rows } = await listSubCompanies(database, company.id, { limit: subCompaniesOffered });
    const content = (
      <NewPage
        context={context}
        words={words}
        company={company}
        country={findCountry(context.company.country) ?? settings.country}
        typed={typed}
        problems={problems}
        redoOf={redoOf}
        subCompanies={rows}
      />
    );
    const isProblem = Object.keys(problems).length > 0;
    const status = isProblem ? unprocessable : 200;
    return context.send({ title: words.make.title, content, status, isProblem, mayAsk: true });
  };

  // Each answer is somebody's name: nobody reads the whole book through here.
  const checkOnce = async (companyId: string, msisdn: string) => {
    const { customerChecksPerMinute: max } = config.quotas;
    await spendQuota(database, companyId, { name: "customer_checks", max });
    const [check] = await checkCustomers(database, config, [msisdn]);
    return check;
  };

  /** What was typed, judged by what holds now; undefined once the form was shown again. */
  const judge = async (context: ActionContext) => {
    const words = newTransferWords[context.language].make;
    const company = await getCompany(database, context.company.id);
    const country = findCountry(context.company.country) ?? settings.country;
    const typed = readTyped(context.form);
    const read = readDraft(typed, company, country, { words, frame: context.words });
    if ("problems" in read) return { typed, problems: read.problems };
    const { draft } = read;
    const used = await findUsedReferences(database, company.id, [draft.reference]);
    if (used.size > 0) return { typed, problems: { reference: words.problems.reference.used } };
    const { subCompanyId } = draft;
    const [found] =
      subCompanyId === null ? [] : await findSubCompanies(database, company.id, [subCompanyId]);
    if (subCompanyId !== null && found?.isActive !== true)
      return { typed, problems: { subCompany: words.problems.subCompany } };
    return { typed, company, draft, subCompanyName: found?.name };
  };

  screen(app, parts, newTransferPath, may, async (context) => {
    const { company, query } = context;
    const typed = readTyped(query);
    const suggested = suggestReference("V", dayOf(clock(), company.timeZone));
    const redo = query.get("redo");
    if (redo === null)
      return showForm(context, { ...typed, reference: typed.reference || suggested });
    const before = await getTransfer(database, company.id, parsePublicId("txn", redo));
    const filled = {
      phone: before.msisdn,
      amount: String(before.amount),
      reference: suggested,
      description: before.description ?? "",
      subCompany: before.subCompanyId === null ? "" : toPublicId("subco", before.subCompanyId),
    };
    return showForm(context, filled, {}, before.reference);
  });

  action(app, parts, `${newTransferPath}/review`, may, async (context) => {
    const { company: here, by, language, send } = context;
    const words = newTransferWords[language];
    const judged = await judge(context);
    if (judged.problems !== undefined) return showForm(context, judged.typed, judged.problems);
    const { draft, company, typed, subCompanyName } = judged;
    const check = await unlessTooMany(checkOnce(here.id, draft.msisdn));
    if (check === tooMany) return showForm(context, typed, { phone: words.make.problems.checks });
    const { available } = await balancesOf(database, here.id);
    const content = check && (
      <ReviewPage
        context={context}
        words={words}
        company={company}
        draft={draft}
        typed={typed}
        check={check}
        available={available}
        aloneLeft={await aloneLeftOf(database, here.id, by.personId)}
        subCompanyName={subCompanyName}
        formId={randomUUID()}
      />
    );
    return send({ title: words.review.title, content: content ?? <></> });
  });

  // For the script of the form, while somebody types. It changes nothing, and the next page checks again.
  action(
    app,
    parts,
    recipientPath,
    may,
    async ({ company, form, language, words: frame, reply }) => {
      const { make, review } = newTransferWords[language];
      const typed = readTyped(form);
      const phone = readPhone(typed.phone, findCountry(company.country) ?? settings.country);
      const answer = (notes: readonly RecipientNote[]) => hemIn(reply).send(notes);
      if (phone.msisdn === undefined)
        return answer([{ kind: "bad", text: make.problems.phone[phone.problem] }]);
      const check = await unlessTooMany(checkOnce(company.id, phone.msisdn));
      if (check === tooMany || check === undefined) return answer([]);
      const { amount } = readAmount(typed.amount);
      const { isCompleted } = phone;
      return answer(describeRecipient(frame, review, check, { amount, isCompleted }));
    },
  );

  action(app, parts, newTransferPath, may, async (context) => {
    const { company, form, by, language, seeOther } = context;
    const words = newTransferWords[language];
    const typed = readTyped(form);
    const country = findCountry(company.country) ?? settings.country;
    const current = await getCompany(database, company.id);
    const read = readDraft(typed, current, country, { words: words.make, frame: context.words });
    if ("problems" in read) return showForm(context, typed, read.problems);
    const { isCompleted: _, ...asked } = read.draft;
    const formId = parseUuid(form.get("form") ?? "");
    try {
      const proposal = await propose(desk, {
        companyId: company.id,
        by,
        title: asked.reference,
        asked: { kind: "transfer", ...asked },
        priceNumber: Number(form.get("price")),
        ...(formId === undefined ? {} : { formId }),
      });
      const amount = formatAmount(context.words, proposal.totalAmount);
      const [part] = await findParts(database, company.id, proposal.id);
      if (part !== undefined)
        return seeOther(transferPath({ id: part.madeId }), {
          kind: "good",
          text: words.done.sent(amount),
        });
      const place = `/console/approvals/${toPublicId(proposalIdPrefix, proposal.id)}`;
      return proposal.state === "waiting"
        ? seeOther(place, { kind: "good", text: words.done.waiting(amount) })
        : seeOther(place, { kind: "bad", text: words.done.stopped });
    } catch (error) {
      const problems = problemsOf(error, words.make.problems);
      if (problems === undefined) throw error;
      return showForm(context, typed, problems);
    }
  });
}

const tooMany = Symbol("too many checks");

async function unlessTooMany<Found>(checking: Promise<Found>): Promise<Found | typeof tooMany> {
  try {
    return await checking;
  } catch (error) {
    if (error instanceof QuotaExceeded) return tooMany;
    throw error;
  }
}

/** What can have changed since it was reviewed. */
function problemsOf(
  error: unknown,
  said: (typeof newTransferWords)["fr"]["make"]["problems"],
): DraftProblems | undefined {
  if (error instanceof DuplicateReference) return { reference: said.reference.used };
  if (error instanceof PriceChanged) return { amount: said.price };
  if (error instanceof SubCompanyInactive || error instanceof SubCompanyNotFound)
    return { subCompany: said.subCompany };
  return undefined;
}
