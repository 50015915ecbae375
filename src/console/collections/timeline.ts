import type { Proposal } from "../../approvals/proposal.ts";
import type { Charge, ChargeTransaction } from "../../charges/charge.ts";
import { spellMsisdn } from "../../kernel/countries.ts";
import { toDigits } from "../../kernel/msisdn.ts";
import { formatAmount } from "../../pages/format.ts";
import type { History } from "../../webhooks/find-history.ts";
import { toldSteps } from "../told-steps.ts";
import type { Step } from "../views/steps.tsx";
import type { CollectionWords } from "../words/collections.ts";
import type { FrameWords } from "../words/frame.ts";

export interface TimelineRequest {
  readonly charge: Charge;
  /** The latest payments and refunds: older ones are not told. */
  readonly transactions: readonly ChargeTransaction[];
  /** Who created it: a person, or a program by the API; undefined where nobody knows any more. */
  readonly maker: { readonly personId: string } | "api" | undefined;
  /** What people asked for that led to its refunds, by the id of the refund. */
  readonly proposals: ReadonlyMap<string, Proposal>;
  readonly history: History;
  readonly emails: ReadonlyMap<string, string>;
  readonly words: CollectionWords;
  readonly frame: FrameWords;
  readonly timeZone: string;
}

/** Who asked, who tried to pay, what was given back and who was told: in the order of time. */
export function toTimeline(request: TimelineRequest): Step[] {
  const { charge, transactions, history, words, frame, timeZone } = request;
  const { steps } = words;
  const happened: Step[] = [
    { at: charge.createdAt, tone: "good", what: steps.created, note: makerOf(request) },
    ...transactions.map((transaction) => stepOf(request, transaction)),
    ...toldSteps(history, { words: steps, frame, timeZone }),
  ];
  if (charge.droppedReason !== null)
    happened.push({
      at: charge.updatedAt,
      tone: "idle",
      what: steps.dropped,
      note: words.dropped[charge.droppedReason].what,
    });
  const inOrder = happened.toSorted(
    (one, other) => (one.at?.getTime() ?? 0) - (other.at?.getTime() ?? 0),
  );
  return charge.status === "due"
    ? [...inOrder, { at: null, tone: "wait", what: steps.due }]
    : inOrder;
}

function makerOf({ maker, emails, words }: TimelineRequest): string | undefined {
  if (maker === undefined) return undefined;
  if (maker === "api") return words.steps.byApi;
  return words.steps.byPerson(emails.get(maker.personId) ?? words.someone);
}

function stepOf(request: TimelineRequest, transaction: ChargeTransaction): Step {
  const { words, frame, proposals, emails } = request;
  const { steps } = words;
  const { createdAt: at, msisdn, type, status, error, amount, id, reason } = transaction;
  const phone = spellMsisdn(toDigits(msisdn)).replaceAll(" ", "\u00a0");
  if (type === "payment")
    return status === "completed"
      ? { at, tone: "good", what: steps.paid(phone) }
      : {
          at,
          tone: "bad",
          what: steps.failed(phone),
          note: error === null ? undefined : words.errors[error],
        };
  const proposal = proposals.get(id);
  const nameOf = (personId: string) => emails.get(personId) ?? words.someone;
  const decision = proposal?.decision;
  const people = [
    ...(proposal === undefined ? [steps.byApi] : [steps.prepared(nameOf(proposal.madeBy))]),
    ...(decision?.verdict === "approved" ? [steps.approved(nameOf(decision.decidedBy))] : []),
  ];
  return {
    at,
    tone: "idle",
    what: steps.refunded(formatAmount(frame, amount)),
    note: [people.join(", "), ...(reason === null ? [] : [steps.reason(reason)])].join(". "),
  };
}
