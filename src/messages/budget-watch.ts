import type { Logger } from "pino";
import type { Metrics } from "../kernel/metrics.ts";
import { maskMsisdn } from "../kernel/msisdn.ts";

export type BudgetScope = "phone" | "address" | "company" | "country" | "all";
export type BudgetSpan = "hour" | "day";

interface Watched {
  readonly scope: BudgetScope;
  readonly subject: string;
}

export interface BudgetWatch {
  /** Four fifths of a budget are used; told once in its hour or day, on whichever node it happens. */
  near(budget: Watched, span: BudgetSpan, max: number): void;
  refused(budget: Watched, span: BudgetSpan): void;
}

const complainEveryMs = 60_000;
/** Those for which somebody should be woken. */
const knownSeries = (["company", "country", "all"] as const).flatMap((scope) =>
  (["hour", "day"] as const).flatMap((span) =>
    (["near", "refused"] as const).map((state) => ({ scope, span, state })),
  ),
);

/** Counts what happens to budgets and writes it to the log: refusals once a minute for each kind of budget. */
export function watchBudgets(logger: Logger, metrics: Metrics): BudgetWatch {
  const events = metrics.counter(
    "cauri_message_budgets_total",
    "Budgets of messages that came near their end (80 %), and messages refused by one.",
    knownSeries,
  );
  const complaints = new Map<string, { saidAt: number; unsaid: number }>();
  return {
    near(budget, span, max) {
      events.add({ scope: budget.scope, span, state: "near" });
      logger.warn(
        { budget: nameOf(budget), span, max },
        "four fifths of a message budget are used",
      );
    },
    refused(budget, span) {
      events.add({ scope: budget.scope, span, state: "refused" });
      const kind = `${budget.scope} ${span}`;
      const complaint = complaints.get(kind) ?? { saidAt: Number.NEGATIVE_INFINITY, unsaid: 0 };
      complaints.set(kind, complaint);
      complaint.unsaid += 1;
      const now = performance.now();
      if (now - complaint.saidAt < complainEveryMs) return;
      const refused = complaint.unsaid;
      logger.warn(
        { budget: nameOf(budget), span, refused },
        "a message budget is spent: none was sent",
      );
      complaint.saidAt = now;
      complaint.unsaid = 0;
    },
  };
}

/** The subject, without the digits of a phone number. */
function nameOf({ scope, subject }: Watched): string {
  return scope === "phone" ? `phone:${maskMsisdn(subject.slice("phone:".length))}` : subject;
}
