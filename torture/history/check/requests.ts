import type { Outcome } from "../../traffic/client.ts";
import { isWrite, nameOf, type Operation, type Write } from "../operation.ts";
import { groupBy } from "./group-by.ts";

/** All tries of one request: they carry the same reference or key, so that together they happen at most once. */
export interface Request {
  readonly name: string;
  readonly act: Write;
  readonly tries: readonly Operation[];
  /** How often it may have happened, by all that its sender was told. */
  readonly least: 0 | 1;
  readonly most: 0 | 1;
  /** Before that it cannot have happened. */
  readonly begunMs: number;
  /** From then on its sender knows that it has. */
  readonly knownMs: number;
}

export function requestsOf(operations: readonly Operation[]): readonly Request[] {
  const writes = operations.flatMap((one) => (isWrite(one.act) ? [{ ...one, act: one.act }] : []));
  return [...groupBy(writes, ({ id, act }) => nameOf(id, act))].map(([name, tries]) => {
    const made = tries.filter(({ outcome }) => outcome.kind !== "refused");
    const sure = tries.filter(({ outcome }) => outcome.kind === "ok" || isConflict(outcome));
    return {
      name,
      act: (tries[0] as (typeof tries)[number]).act,
      tries,
      least: sure.length > 0 ? 1 : 0,
      most: made.length > 0 ? 1 : 0,
      begunMs: Math.min(...made.map(({ begunMs }) => begunMs)),
      knownMs: Math.min(...sure.map(({ endedMs }) => endedMs)),
    };
  });
}

/** "It is there already": an earlier try of the same has made it. */
function isConflict(outcome: Outcome): boolean {
  return outcome.kind === "refused" && outcome.code.startsWith("duplicate_");
}

/** What its sender was told, in order. */
export function saying({ tries }: Request): string {
  const said = tries.map(({ outcome }) => {
    if (outcome.kind === "ok") return `${outcome.status}`;
    return outcome.kind === "refused" ? `${outcome.status} ${outcome.code}` : outcome.why;
  });
  return `its sender was told ${said.join(", then ")}`;
}

/** The bodies of its successes. */
// oxlint-disable-next-line typescript/no-explicit-any -- whoever reads a field compares it with what the books say.
export function answersOf({ tries }: Request): any[] {
  return tries.flatMap(({ outcome }) => (outcome.kind === "ok" ? [outcome.body] : []));
}
