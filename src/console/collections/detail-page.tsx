import type { Proposal } from "../../approvals/proposal.ts";
import {
  type Charge,
  type ChargeTransaction,
  chargeCan,
  serviceReferenceOf,
} from "../../charges/charge.ts";
import { formatAmount, formatMoment, formatShortMoment } from "../../pages/format.ts";
import type { ScreenContext } from "../context.ts";
import { approvalPath } from "../payroll/paths.ts";
import { Money } from "../views/money.tsx";
import { Notice } from "../views/notice.tsx";
import { Phone } from "../views/phone.tsx";
import { Status } from "../views/status.tsx";
import { type Step, Steps } from "../views/steps.tsx";
import { Facts, Table } from "../views/table.tsx";
import type { CollectionWords } from "../words/collections.ts";
import { linkWords } from "../words/payment-link.ts";
import { tones } from "./list-page.tsx";
import { collectionsPath, newLinkPath, refundPath } from "./paths.ts";
import { Share } from "./share.tsx";

/** Rows of a table of one charge, the newest; more are in the API. */
const transactionsShown = 50;

export interface DetailProps {
  readonly context: ScreenContext;
  readonly words: CollectionWords;
  readonly charge: Charge;
  /** Of its payment page. */
  readonly url: string;
  readonly merchantName: string;
  readonly subCompanyName: string | undefined;
  readonly steps: readonly Step[];
  /** Refunds of it that wait for another person. */
  readonly waiting: readonly Proposal[];
}

export function DetailPage(props: DetailProps) {
  const { context, words, charge, waiting, steps } = props;
  const { href, words: frame } = context;
  const { status } = charge;
  return (
    <>
      <p>
        <a href={href(collectionsPath)}>{words.title}</a>
      </p>
      <div class="head">
        <h1>{words.detail(charge.externalId)}</h1>
        <Status tone={tones[status]} word={words.statuses[status]} />
      </div>
      <p class="large">
        <Money words={frame} francs={charge.amount} />
      </p>
      <p>{charge.description}</p>
      <Standing {...props} />
      {waiting.map((proposal) => (
        <section key={proposal.id} class="notice warn">
          <p>{words.refundWaits(formatAmount(frame, proposal.totalAmount))}</p>
          <p>
            <a href={href(approvalPath(proposal))}>{words.seeProposal}</a>
          </p>
        </section>
      ))}
      {chargeCan.refund(charge) && context.may("refunds.propose") && (
        <p>
          <a class="button second" href={href(refundPath(charge))}>
            {words.refund}
          </a>
        </p>
      )}
      {status === "due" && <Share {...props} words={linkWords[context.language]} />}
      <section class="card">
        <h2>{words.timeline}</h2>
        <Steps context={context} steps={steps} />
      </section>
      <Attempts {...props} />
      <Refunds {...props} />
      <Details {...props} />
    </>
  );
}

/** What went wrong, whether money moved, and what to do next. */
function Standing({ context, words, charge }: DetailProps) {
  const { droppedReason, status, transactions } = charge;
  const last = transactions.at(-1);
  if (status === "due" && last?.error != null)
    return <Notice kind="warn" text={words.lastFailed(words.errors[last.error])} />;
  if (droppedReason === null) return null;
  return (
    <section class="notice bad">
      <h2>{words.dropped[droppedReason].what}</h2>
      <p>{words.dropped[droppedReason].next}</p>
      {context.may("charges.propose") && (
        <>
          <p>
            <a class="button" href={context.href(newLinkPath, { redo: charge.id })}>
              {words.redo}
            </a>
          </p>
          <p class="soft">{words.redoHint}</p>
        </>
      )}
    </section>
  );
}

function Attempts({ context, words, charge }: DetailProps) {
  const { words: frame, company } = context;
  const all = charge.transactions.filter(({ type }) => type === "payment");
  if (all.length === 0)
    return charge.status === "due" ? <p class="soft">{words.noAttempts}</p> : null;
  const shown = all.slice(-transactionsShown);
  return (
    <section class="stack">
      <Table
        caption={words.attempts}
        rows={shown}
        keyOf={({ id }) => id}
        columns={[
          {
            key: "at",
            title: words.columns.createdAt,
            isHead: true,
            cell: ({ createdAt }) => (
              <span class="moment">{formatShortMoment(frame, company.timeZone, createdAt)}</span>
            ),
          },
          {
            key: "who",
            title: words.columns.payer,
            cell: ({ msisdn }) => <Phone msisdn={msisdn} />,
          },
          {
            key: "status",
            title: words.columns.status,
            cell: ({ status, error }) => (
              <span>
                <Status
                  tone={status === "completed" ? "good" : "bad"}
                  word={words.attempt[status]}
                />
                {error !== null && <span class="soft"> {words.errors[error]}</span>}
              </span>
            ),
          },
          { key: "reference", title: words.columns.serviceReference, cell: referenceCell },
          {
            key: "amount",
            title: words.columns.amount,
            isNumber: true,
            cell: ({ amount }) => <Money words={frame} francs={amount} />,
          },
        ]}
      />
      {all.length > shown.length && <p class="soft">{words.newestOf(shown.length, all.length)}</p>}
    </section>
  );
}

function Refunds({ context, words, charge }: DetailProps) {
  const { words: frame, company } = context;
  const all = charge.transactions.filter(({ type }) => type === "refund");
  const shown = all.slice(-transactionsShown);
  if (all.length === 0) return null;
  return (
    <section class="stack">
      <Table
        caption={words.refunds}
        rows={shown}
        keyOf={({ id }) => id}
        columns={[
          {
            key: "at",
            title: words.columns.createdAt,
            isHead: true,
            cell: ({ createdAt }) => (
              <span class="moment">{formatShortMoment(frame, company.timeZone, createdAt)}</span>
            ),
          },
          {
            key: "who",
            title: words.columns.payer,
            cell: ({ msisdn }) => <Phone msisdn={msisdn} />,
          },
          { key: "reference", title: words.columns.serviceReference, cell: referenceCell },
          {
            key: "amount",
            title: words.columns.amount,
            isNumber: true,
            cell: ({ amount }) => <Money words={frame} francs={amount} />,
          },
        ]}
      />
      {all.length > shown.length && <p class="soft">{words.newestOf(shown.length, all.length)}</p>}
    </section>
  );
}

function referenceCell(transaction: ChargeTransaction) {
  return <span class="code">{serviceReferenceOf(transaction)}</span>;
}

function Details({ context, words, charge, subCompanyName }: DetailProps) {
  const { words: frame, company } = context;
  const { columns } = words;
  const money = (francs: number) => <Money words={frame} francs={francs} />;
  return (
    <section class="card">
      <h2>{words.facts}</h2>
      <Facts
        facts={[
          [columns.reference, charge.externalId],
          [columns.amount, money(charge.amount)],
          [columns.fee, money(charge.fee)],
          ...(charge.paid === 0
            ? []
            : ([
                [columns.credited, money(charge.paid - charge.fee)],
                [columns.refunded, money(charge.refunded)],
                [columns.left, money(charge.paid - charge.refunded)],
              ] as const)),
          [columns.createdAt, formatMoment(frame, company.timeZone, charge.createdAt)],
          ...(charge.paid > 0
            ? []
            : ([
                [columns.expiresAt, formatMoment(frame, company.timeZone, charge.expiresAt)],
              ] as const)),
          ...(subCompanyName === undefined
            ? []
            : ([[columns.subCompany, subCompanyName]] as const)),
          [columns.id, <span class="code">{charge.id}</span>],
        ]}
      />
    </section>
  );
}
