import { decidedAtOf, type HeldDecision } from "../../approvals/held.ts";
import type { Proposal } from "../../approvals/proposal.ts";
import { timeOfUuid } from "../../kernel/ids.ts";
import { createdAtOf, type Transfer } from "../../transfers/transfer.ts";
import type { History } from "../../webhooks/find-history.ts";
import { toldSteps } from "../told-steps.ts";
import type { Step } from "../views/steps.tsx";
import type { FrameWords } from "../words/frame.ts";
import type { TransferWords } from "../words/transfers.ts";

export interface TimelineRequest {
  readonly transfer: Transfer;
  /** What a person asked for that led to it; undefined: it came through the API. */
  readonly proposal: Proposal | undefined;
  /** It came by a key and had to wait for a person, or still does; undefined: it was never held. */
  readonly hold: { readonly decision: HeldDecision | null } | undefined;
  readonly history: History;
  readonly emails: ReadonlyMap<string, string>;
  readonly words: TransferWords;
  readonly frame: FrameWords;
  readonly timeZone: string;
}

/** Who asked, who approved, when it was accepted, how it ended, and who was told: in the order of time. */
export function toTimeline(request: TimelineRequest): Step[] {
  const { transfer, proposal, words } = request;
  const { steps } = words;
  const accepted: Step = {
    at: createdAtOf(transfer),
    tone: "good",
    what: steps.accepted,
    note:
      proposal !== undefined
        ? steps.byPerson
        : transfer.batchId === null
          ? steps.byApi
          : steps.byBatch,
  };
  const isHeld = request.hold?.decision === null;
  const ended: Step =
    transfer.status === "pending"
      ? { at: null, tone: "wait", what: isHeld ? steps.held : steps.pending }
      : {
          at: transfer.endedAt,
          tone: transfer.status === "completed" ? "good" : "bad",
          what: steps[transfer.status],
          note:
            transfer.failureReason === null || request.hold?.decision?.verdict === "refused"
              ? undefined
              : words.reasons[transfer.failureReason].what,
        };
  const { history, frame, timeZone } = request;
  const aboutOf = (topic: string) =>
    (steps.topics as Readonly<Record<string, string>>)[topic] ?? topic;
  const told = toldSteps(history, { words: steps, frame, timeZone, aboutOf });
  return [...proposalSteps(request), accepted, ...holdSteps(request), ended, ...told];
}

/** What a person has said of what was held. */
function holdSteps({ hold, emails, words }: TimelineRequest): Step[] {
  const decision = hold?.decision ?? null;
  if (decision === null) return [];
  const who = emails.get(decision.decidedBy) ?? words.someone;
  const isApproved = decision.verdict === "approved";
  return [
    {
      at: decidedAtOf(decision),
      tone: isApproved ? "good" : "bad",
      what: isApproved ? words.steps.approved(who) : words.steps.refused(who),
      note: decision.comment ?? undefined,
    },
  ];
}

function proposalSteps({ proposal, emails, words }: TimelineRequest): Step[] {
  if (proposal === undefined) return [];
  const nameOf = (personId: string) => emails.get(personId) ?? words.someone;
  const { decision } = proposal;
  return [
    {
      at: new Date(timeOfUuid(proposal.id)),
      tone: "good",
      what: words.steps.proposed(nameOf(proposal.madeBy)),
    },
    ...(decision?.verdict === "approved"
      ? [
          {
            at: decision.decidedAt,
            tone: "good" as const,
            what: words.steps.approved(nameOf(decision.decidedBy)),
          },
        ]
      : []),
  ];
}
