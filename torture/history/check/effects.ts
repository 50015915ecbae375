import { type CompanyIndex, movedOf } from "./company-index.ts";
import type { Request } from "./requests.ts";

/** A write that is in the books, with the time in which it happened as its senders know it. */
export interface Effect {
  readonly name: string;
  readonly begunMs: number;
  readonly knownMs: number;
  /** Of its postings. */
  readonly first: number;
  readonly last: number;
}

export function effectsOf(index: CompanyIndex, requests: readonly Request[]): readonly Effect[] {
  return [
    ...requests.flatMap((request) => {
      const { name, begunMs, knownMs } = request;
      const numbers = numbersOf(index, request).filter(Number.isFinite);
      if (numbers.length === 0 || begunMs === Infinity) return [];
      return [{ name, begunMs, knownMs, first: Math.min(...numbers), last: Math.max(...numbers) }];
    }),
    ...paymentsOf(index, requests),
  ];
}

function numbersOf(index: CompanyIndex, { act }: Request): number[] {
  if (act.kind === "transfer" || act.kind === "batch")
    return act.rows
      .flatMap(({ reference }) => index.transfersByReference.get(reference) ?? [])
      .map((transfer) => index.reservedAt(transfer));
  if (act.kind === "fund" || act.kind === "withdraw")
    return index.state.movements
      .filter(({ kind, reference }) => kind === act.kind && reference === act.reference)
      .map(({ uuid, kind }) => index.movementAt(uuid, kind));
  if (act.kind !== "refund") return [];
  const refunds = index.chargesById
    .get(act.chargeId)
    ?.transactions.filter(({ type, amount }) => type === "refund" && amount === act.amount);
  return refunds?.map((one) => index.movedAt(one)) ?? [];
}

/** Which of several requests without a key made the payment is not known: it was one of them. */
function paymentsOf(index: CompanyIndex, requests: readonly Request[]): Effect[] {
  const tries = requests.flatMap(({ act, tries: all }) =>
    act.kind === "pay" ? all.map((one) => ({ ...one, chargeId: act.chargeId })) : [],
  );
  const triesOf = new Map<string, typeof tries>();
  for (const one of tries) triesOf.set(one.chargeId, [...(triesOf.get(one.chargeId) ?? []), one]);
  return index.state.charges.flatMap((charge) => {
    const payment = movedOf(charge).find(({ type }) => type === "payment");
    if (payment === undefined) return [];
    const possible = (triesOf.get(charge.id) ?? []).filter(
      ({ outcome }) => outcome.kind !== "refused",
    );
    const showing = possible.filter(
      ({ outcome }) =>
        outcome.kind === "ok" &&
        outcome.body.transactions.some(({ id }: { id: string }) => id === payment.id),
    );
    const at = index.movedAt(payment);
    const begunMs = Math.min(...possible.map((one) => one.begunMs));
    const knownMs = Math.min(...showing.map(({ endedMs }) => endedMs));
    if (!Number.isFinite(at) || begunMs === Infinity) return [];
    return [{ name: `payment of ${charge.id}`, begunMs, knownMs, first: at, last: at }];
  });
}

/** What was acknowledged before another was begun was posted before it. */
export function checkRealTime(effects: readonly Effect[]): string[] {
  const findings: string[] = [];
  const byKnown = effects.toSorted((one, other) => one.knownMs - other.knownMs);
  let place = 0;
  let latest: Effect | undefined;
  for (const effect of effects.toSorted((one, other) => one.begunMs - other.begunMs)) {
    for (let next = byKnown[place]; next !== undefined; next = byKnown[place]) {
      if (next.knownMs >= effect.begunMs) break;
      if (latest === undefined || next.last > latest.last) latest = next;
      place += 1;
    }
    if (latest !== undefined && latest.last >= effect.first)
      findings.push(
        `${latest.name} was acknowledged before ${effect.name} was begun, and is posted as ${latest.last}, behind ${effect.first}`,
      );
  }
  return findings;
}
