import { type Proposal, proposalCan } from "../../approvals/proposal.ts";
import { formatDuration } from "../../pages/format.ts";
import type { PayrollProgress } from "../../payrolls/follow-payroll.ts";
import type { ScreenContext } from "../context.ts";
import { Form } from "../views/form.tsx";
import { Money } from "../views/money.tsx";
import { Notice } from "../views/notice.tsx";
import { Progress } from "../views/progress.tsx";
import { RefreshSoon } from "../views/refresh-soon.tsx";
import { Status } from "../views/status.tsx";
import { Facts } from "../views/table.tsx";
import type { PayrollWords } from "../words/payroll.ts";
import { approvalPath, draftPath, runPath } from "./paths.ts";
import { momentOf, tones } from "./views.tsx";

/** A payroll that was handed in: who decided, how far it is, and what became of it. */
export function RunView({
  context,
  words,
  proposal,
  progress,
  draftId,
  emails,
  at,
}: {
  readonly context: ScreenContext;
  readonly words: PayrollWords;
  readonly proposal: Proposal;
  readonly progress: PayrollProgress;
  /** What it was made of, if it may be changed and handed in again. */
  readonly draftId: string | undefined;
  readonly emails: ReadonlyMap<string, string>;
  readonly at: Date;
}) {
  const { href } = context;
  const { state, decision, hands } = proposal;
  const money = (francs: number) => <Money words={context.words} francs={francs} />;
  const name = (id: string) => emails.get(id) ?? words.nobody;
  const isUnderWay = state === "approved" || progress.pending > 0;
  return (
    <>
      <div class="head">
        <h1>{words.payrollTitle(proposal.title)}</h1>
        <Status tone={tones[state]} word={words.states[state]} />
      </div>
      {"problem" in proposal && proposal.problem !== null && (
        <Notice kind="bad" text={words.problems[proposal.problem]} />
      )}
      {(isUnderWay || progress.startedAt !== null) && (
        <Run context={context} words={words} proposal={proposal} progress={progress} />
      )}
      <div class="row">
        {isUnderWay && (
          <a class="button" href={href(runPath(proposal))}>
            {words.refresh}
          </a>
        )}
        {progress.startedAt !== null && (
          <a
            class={isUnderWay ? "button second" : "button"}
            href={href(`${runPath(proposal)}/outcome.csv`)}
          >
            {words.outcome}
          </a>
        )}
        <a class="button second" href={href(approvalPath(proposal))}>
          {words.seeApproval}
        </a>
        {draftId !== undefined && (
          <a class="button" href={href(draftPath({ id: draftId }))}>
            {words.change}
          </a>
        )}
        <Actions context={context} words={words} proposal={proposal} progress={progress} />
      </div>
      <section class="card">
        <Facts
          facts={[
            [words.asked, momentOf(context, at)],
            [words.preparedBy, hands.map(name).join(", ")],
            ...(decision === null
              ? []
              : ([
                  [
                    decision.verdict === "approved" ? words.approvedBy : words.refusedBy,
                    `${name(decision.decidedBy)}, ${momentOf(context, decision.decidedAt)}`,
                  ],
                ] as const)),
            ...(decision?.comment == null ? [] : ([[words.comment, decision.comment]] as const)),
            [words.count, proposal.rowTotal],
            [words.total, money(proposal.totalAmount)],
            [words.fees, money(proposal.totalFee)],
            [
              words.hash,
              <span key="hash">
                <code>{proposal.hash}</code> <span class="soft">{words.hashHint}</span>
              </span>,
            ],
          ]}
        />
      </section>
      {isUnderWay && <RefreshSoon nonce={context.nonce} />}
    </>
  );
}

function Run({
  context,
  words,
  proposal: { rowTotal, totalAmount },
  progress,
}: {
  readonly context: ScreenContext;
  readonly words: PayrollWords;
  readonly proposal: Proposal;
  readonly progress: PayrollProgress;
}) {
  const { completed, failed, pending, passedOver, startedAt, updatedAt } = progress;
  const done = completed + failed + passedOver;
  const seconds = startedAt === null ? 0 : (updatedAt.getTime() - startedAt.getTime()) / 1_000;
  const perSecond = seconds > 0.5 ? (completed + failed) / seconds : 0;
  const left = rowTotal - done;
  const text = [
    words.progressText(done, rowTotal),
    ...(perSecond > 0 ? [words.rate(perSecond.toFixed(perSecond < 10 ? 1 : 0))] : []),
    ...(perSecond > 0 && left > 0 && !progress.isOver
      ? [words.remaining(formatDuration(context.words, left / perSecond))]
      : []),
  ].join(" · ");
  const money = (francs: number) => <Money words={context.words} francs={francs} />;
  return (
    <section class="card" aria-labelledby="run">
      <h2 id="run">{words.progress}</h2>
      <div aria-live="polite">
        <Progress label={words.progress} done={done} total={rowTotal} text={text} />
      </div>
      <Facts
        facts={[
          [
            words.ok,
            <span key="ok">
              {completed} · {money(progress.completedAmount)} / {money(totalAmount)}
            </span>,
          ],
          [
            words.failed,
            <span key="failed">
              {failed} · {money(progress.failedAmount)}
            </span>,
          ],
          [words.pending, pending + progress.notSent],
          ...(passedOver === 0 ? [] : ([[words.passedOver, passedOver]] as const)),
        ]}
      />
      {!progress.isOver && <p class="soft">{words.mayClose}</p>}
    </section>
  );
}

function Actions({
  context,
  words,
  proposal,
  progress,
}: {
  readonly context: ScreenContext;
  readonly words: PayrollWords;
  readonly proposal: Proposal;
  readonly progress: PayrollProgress;
}) {
  if (!context.may("transfers.propose")) return null;
  const path = runPath(proposal);
  return (
    <>
      {proposalCan.resume(proposal) && (
        <Form context={context} path={`${path}/resume`} submit={words.resume} />
      )}
      {progress.failed > 0 && progress.isOver && (
        <Form
          context={context}
          path={`${path}/retry`}
          kind="second"
          submit={words.retry(progress.failed)}
        />
      )}
      {proposalCan.withdraw(proposal, context.person.id) && (
        <Form
          context={context}
          path={`${path}/withdraw`}
          kind="danger"
          submit={proposal.doneRows === 0 ? words.withdraw : words.giveUp}
        />
      )}
    </>
  );
}
