import type { Operation } from "../operation.ts";
import type { CompanyIndex } from "./company-index.ts";
import { groupBy } from "./group-by.ts";

const ranks: Readonly<Record<string, number>> = {
  pending: 0,
  completed: 1,
  failed: 1,
  created: 0,
  due: 0,
  paid: 1,
  dropped: 1,
  refunded_partially: 2,
  refunded: 3,
};

interface StatusSeen {
  readonly id: string;
  readonly status: string;
  readonly begunMs: number;
  readonly endedMs: number;
}

/** No status goes back, whichever node is asked; and what has ended stays as it ended. */
export function checkStatuses(index: CompanyIndex, operations: readonly Operation[]): string[] {
  const seen = operations.flatMap(statusesOf);
  const findings: string[] = [];
  for (const [id, all] of groupBy(seen, (one) => one.id)) {
    const final = index.transfersById.get(id) ?? index.chargesById.get(id);
    const inTime = all.toSorted((one, other) => one.begunMs - other.begunMs);
    const byEnd = all.toSorted((one, other) => one.endedMs - other.endedMs);
    let place = 0;
    let furthest: StatusSeen | undefined;
    for (const one of inTime) {
      for (let next = byEnd[place]; next !== undefined; next = byEnd[place]) {
        if (next.endedMs >= one.begunMs) break;
        if (furthest === undefined || rankOf(next.status) > rankOf(furthest.status))
          furthest = next;
        place += 1;
      }
      if (furthest !== undefined && isBefore(one.status, furthest.status))
        findings.push(`${id} was ${furthest.status} and went back to ${one.status}`);
    }
    const last = inTime.find(({ status }) => final !== undefined && isBefore(final.status, status));
    if (last !== undefined) findings.push(`${id} was ${last.status} and is ${final?.status}`);
  }
  return findings;
}

function isBefore(status: string, other: string): boolean {
  const [rank, otherRank] = [rankOf(status), rankOf(other)];
  const isOtherEnd = rank === 1 && otherRank === 1 && status !== other;
  return rank < otherRank || isOtherEnd;
}

function rankOf(status: string): number {
  const rank = ranks[status];
  if (rank === undefined) throw new Error(`there is no status ${status}`);
  return rank;
}

/** Of reads alone: a repeated request is answered as it was answered first. */
function statusesOf({ act, outcome, begunMs, endedMs }: Operation): StatusSeen[] {
  if (outcome.kind !== "ok") return [];
  const { body } = outcome;
  const rows: readonly { id: string; status: string }[] =
    act.kind === "list transfers" || act.kind === "find transfer"
      ? body.data
      : act.kind === "read transfer" || act.kind === "read charge"
        ? [body]
        : [];
  return rows.map(({ id, status }) => ({ id, status, begunMs, endedMs }));
}
