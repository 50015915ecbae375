import type { Call, Outcome } from "./client.ts";

/** One request as its sender knows it: sent once, or again while no answer came. */
export interface Sent {
  readonly call: Call;
  readonly outcomes: readonly Outcome[];
}

interface SentRow {
  readonly reference: string;
  readonly amount: number;
  readonly msisdn: string;
}

/** One transfer, or the rows of a batch. */
export interface SentTransfers extends Sent {
  readonly rows: readonly SentRow[];
}

interface SentRefund extends Sent {
  /** Different for every refund of a charge, so that it can be told from the others. Undefined: all that is left. */
  readonly amount: number | undefined;
}

export interface SentCharge extends Sent {
  readonly externalId: string;
  readonly amount: number;
  readonly payments: Sent[];
  readonly refunds: SentRefund[];
}

/** Everything the callers of a campaign did and heard. */
export class Journal {
  readonly transfers: SentTransfers[] = [];
  readonly charges: SentCharge[] = [];

  /** How many requests ended how, for the report. */
  counts(): Record<string, number> {
    const sent = [
      ...this.transfers,
      ...this.charges,
      ...this.charges.flatMap(({ payments, refunds }) => [...payments, ...refunds]),
    ];
    const counts = {
      requests: 0,
      successes: 0,
      refusals: 0,
      "without a known outcome": 0,
      "never sent": 0,
    };
    for (const outcome of sent.flatMap(({ outcomes }) => outcomes)) {
      counts.requests += 1;
      counts[nameOf(outcome)] += 1;
    }
    return counts;
  }
}

function nameOf(outcome: Outcome) {
  if (outcome.kind === "ok") return "successes";
  if (outcome.kind === "unknown") return "without a known outcome";
  return outcome.status === 0 ? "never sent" : "refusals";
}

/** How often a request may have happened, by everything its sender was told. */
export interface Claim {
  readonly least: 0 | 1;
  readonly most: 0 | 1;
}

/**
 * A success or a conflict with itself says once. A refusal says never, for that try. No answer says
 * nothing. All tries of one request carry the same reference or key, so together they happen at most once.
 */
export function claimOf({ outcomes }: Sent): Claim {
  const isSure = outcomes.some(
    (outcome) =>
      outcome.kind === "ok" ||
      (outcome.kind === "refused" && outcome.code.startsWith("duplicate_")),
  );
  const isPossible = isSure || outcomes.some(({ kind }) => kind === "unknown");
  return { least: isSure ? 1 : 0, most: isPossible ? 1 : 0 };
}

export function fits(count: number, { least, most }: Claim): boolean {
  return count >= least && count <= most;
}

/** The body of its success, if its sender saw one. */
// oxlint-disable-next-line typescript/no-explicit-any -- whoever reads a field compares it with what the books say.
export function answerOf({ outcomes }: Sent): any {
  return outcomes.find((outcome) => outcome.kind === "ok")?.body;
}
