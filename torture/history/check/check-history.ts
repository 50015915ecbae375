import type { History } from "../recorder.ts";
import { checkBooks, checkWallets } from "./check-books.ts";
import { checkEvents } from "./check-events.ts";
import { checkFreezes } from "./check-freezes.ts";
import { checkOnce } from "./check-once.ts";
import { checkReads } from "./check-reads.ts";
import { checkStatements } from "./check-statements.ts";
import { checkStatuses } from "./check-statuses.ts";
import { CompanyIndex } from "./company-index.ts";
import { checkRealTime, effectsOf } from "./effects.ts";
import { requestsOf } from "./requests.ts";
import { sightsOf } from "./sights.ts";

export interface Verdict {
  readonly counts: Readonly<Record<string, number>>;
  /** Each as one sentence. */
  readonly findings: readonly string[];
}

/** Judges a history by itself and by what is in the books afterwards. It asks nobody and waits for nothing. */
export function checkHistory({ operations, told, state }: History): Verdict {
  const findings = [...checkWallets(state), ...state.auditFindings];
  let explained = 0;
  let unknown = 0;
  let repeated = 0;
  for (const companyState of state.companies) {
    const { company } = companyState;
    const index = new CompanyIndex(companyState);
    const own = operations.filter((operation) => operation.company === company);
    const requests = requestsOf(own);
    const effects = effectsOf(index, requests);
    const seen = sightsOf(index, own);
    explained += seen.sights.length;
    unknown += requests.filter(({ least, most }) => least < most).length;
    repeated += requests.filter(({ tries }) => tries.length > 1).length;
    findings.push(
      ...checkOnce(index, requests),
      ...checkBooks(index),
      ...checkRealTime(effects),
      ...seen.findings,
      ...checkReads(index, effects, seen.sights),
      ...checkStatuses(index, own),
      ...checkFreezes(own, requests),
      ...checkEvents(
        index,
        own,
        told.filter((one) => one.company === company),
      ),
      ...checkStatements(index, own),
    );
  }
  return {
    counts: {
      operations: operations.length,
      ...countOutcomes(operations),
      "requests repeated": repeated,
      "never known": unknown,
      "answers placed in one order": explained,
      notifications: told.length,
    },
    findings,
  };
}

function countOutcomes(operations: History["operations"]): Record<string, number> {
  const counts = { ok: 0, refused: 0, "turned away": 0, unknown: 0 };
  for (const { outcome } of operations) {
    const isAway = outcome.kind === "refused" && (outcome.status === 0 || outcome.status === 503);
    counts[isAway ? "turned away" : outcome.kind] += 1;
  }
  return counts;
}
