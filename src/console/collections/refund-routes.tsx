import { randomUUID } from "node:crypto";
import { findByForm, findParts } from "../../approvals/find-proposals.ts";
import type { Proposal } from "../../approvals/proposal.ts";
import { propose } from "../../approvals/propose.ts";
import { aloneLeftOf } from "../../approvals/rules.ts";
import { type Charge, chargeCan } from "../../charges/charge.ts";
import { ChargeNotRefundable, RefundExceedsPaid, TooManyRefunds } from "../../charges/errors.ts";
import { getCharge } from "../../charges/find-charges.ts";
import { amountToRefund, effectOfRefund } from "../../charges/refund-charge.ts";
import type { App } from "../../http/server.ts";
import { parseUuid } from "../../kernel/ids.ts";
import { balancesOf } from "../../ledger/post.ts";
import { formatAmount } from "../../pages/format.ts";
import { readAmount } from "../../payouts/read-amount.ts";
import type { ActionContext, ScreenContext } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { approvalPath } from "../payroll/paths.ts";
import { action, screen } from "../screen.ts";
import { collectionWords } from "../words/collections.ts";
import { refundWords } from "../words/refund.ts";
import { refundTitleOf } from "./find-refunds.ts";
import { collectionPath, collectionsPath } from "./paths.ts";
import { RefundPage, RefundReview } from "./refund-page.tsx";

const path = `${collectionsPath}/:id/refund`;
const may = { may: "refunds.propose", proof: "none" } as const;
const unprocessable = 422;

/** A refund: how much, what it does, and the request itself, which may wait for another person. */
export function refundScreens(app: App, parts: ConsoleParts): void {
  const { database, payments, desk } = parts;
  const { refundPartsMax } = payments;

  const chargeOf = ({ company, params }: ScreenContext): Promise<Charge> =>
    getCharge(payments, company.id, parseUuid(params["id"] ?? ""));

  const wordsOf = ({ language }: ScreenContext) => ({
    words: refundWords[language],
    names: collectionWords[language],
  });

  const showForm = async (
    context: ScreenContext,
    charge: Charge,
    typed: string,
    problem?: string,
  ) => {
    const { words, names } = wordsOf(context);
    if (!chargeCan.refund(charge))
      return context.seeOther(collectionPath(charge), { kind: "bad", text: words.notPossible });
    const content = (
      <RefundPage
        context={context}
        words={words}
        names={names}
        charge={charge}
        typed={typed}
        problem={problem}
      />
    );
    const isProblem = problem !== undefined;
    const status = isProblem ? unprocessable : 200;
    return context.send({ title: words.title, content, status, isProblem });
  };

  const showEffect = async (
    context: ActionContext,
    charge: Charge,
    amount: number,
    notice?: string,
  ) => {
    const { words, names } = wordsOf(context);
    const { available } = await balancesOf(database, charge.companyId);
    const content = (
      <RefundReview
        context={context}
        words={words}
        names={names}
        charge={charge}
        amount={amount}
        effect={effectOfRefund(charge, amount)}
        available={available}
        aloneLeft={await aloneLeftOf(database, charge.companyId, context.by.personId)}
        notice={notice}
        formId={randomUUID()}
      />
    );
    const isProblem = notice !== undefined;
    const status = isProblem ? unprocessable : 200;
    return context.send({ title: words.effectTitle, content, status, isProblem });
  };

  /** What was typed, judged by what holds now: an amount, or what is wrong with it. */
  const judge = (context: ActionContext, charge: Charge) => {
    const said = wordsOf(context).words.problems;
    const show = (francs: number) => formatAmount(context.words, francs);
    const typed = (context.form.get("amount") ?? "").trim().slice(0, 40);
    const left = charge.paid - charge.refunded;
    const read = readAmount(typed);
    if (read.problem === "missing") return { typed, problem: said.missing };
    if (read.problem === "ambiguous") return { typed, problem: said.ambiguous(typed) };
    if (read.problem !== undefined) return { typed, problem: said.unreadable };
    if (read.amount === 0) return { typed, problem: said.outside(show(left)) };
    try {
      return { typed, amount: amountToRefund(charge, read.amount, refundPartsMax) };
    } catch (error) {
      if (error instanceof RefundExceedsPaid) return { typed, problem: said.outside(show(left)) };
      if (error instanceof TooManyRefunds)
        return { typed, problem: said.lastPart(refundPartsMax, show(left)) };
      // Nothing can be refunded of it: the form says so.
      if (error instanceof ChargeNotRefundable) return { typed, problem: said.outside(show(left)) };
      throw error;
    }
  };

  screen(app, parts, path, may, async (context) => {
    const charge = await chargeOf(context);
    const typed = context.query.get("amount")?.slice(0, 40);
    return showForm(context, charge, typed ?? String(charge.paid - charge.refunded));
  });

  action(app, parts, `${path}/review`, may, async (context) => {
    const charge = await chargeOf(context);
    const { typed, amount, problem } = judge(context, charge);
    return amount === undefined
      ? showForm(context, charge, typed, problem)
      : showEffect(context, charge, amount);
  });

  action(app, parts, path, may, async (context) => {
    const { company, form, by } = context;
    const charge = await chargeOf(context);
    const formId = parseUuid(form.get("form") ?? "");
    const earlier =
      formId === undefined ? undefined : await findByForm(database, company.id, formId);
    if (earlier !== undefined) return showOutcome(context, charge, earlier);
    const { typed, amount, problem } = judge(context, charge);
    if (amount === undefined) return showForm(context, charge, typed, problem);
    const { words } = wordsOf(context);
    // What was shown has to be what holds: somebody else may have refunded a part meanwhile.
    if (form.get("refunded") !== String(charge.refunded))
      return showEffect(context, charge, amount, words.problems.changed);
    const proposal = await propose(desk, {
      companyId: company.id,
      by,
      title: refundTitleOf(charge),
      asked: { kind: "refund", chargeId: charge.id, amount },
      ...(formId === undefined ? {} : { formId }),
    });
    return showOutcome(context, charge, proposal);
  });

  const showOutcome = async (context: ActionContext, charge: Charge, proposal: Proposal) => {
    const { done } = wordsOf(context).words;
    const amount = formatAmount(context.words, proposal.totalAmount);
    const [part] = await findParts(database, context.company.id, proposal.id);
    if (part !== undefined)
      return context.seeOther(collectionPath(charge), { kind: "good", text: done.made(amount) });
    return proposal.state === "waiting"
      ? context.seeOther(approvalPath(proposal), { kind: "good", text: done.waiting(amount) })
      : context.seeOther(approvalPath(proposal), { kind: "bad", text: done.stopped });
  };
}
