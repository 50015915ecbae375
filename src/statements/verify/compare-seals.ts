import { companyIdPrefix } from "../../companies/company.ts";
import { toPublicId } from "../../kernel/ids.ts";
import type { OpeningFacts } from "../export/facts.ts";
import { type Seal, type SealedTrails, sealText, trailLines } from "../seal.ts";
import type { ExpectedSeal } from "./chain-follower.ts";

/** Why a file cannot be true together with the seals that were kept. */
export interface Contradiction {
  readonly what: "forked" | "truncated";
  readonly message: string;
}

/** Of what a file has: its company, where it begins and ends, and until when nothing can be missing in it. */
export interface Extent extends Pick<OpeningFacts, "from" | "until" | "after" | "upto"> {
  readonly closedUntil: Date | undefined;
}

/**
 * Two seals of which at most one is true: of one company and day, and not of the same history; of a later day and fewer postings, or
 * fewer entries of a trail; or of the same entry of a trail, and not with the same hash.
 * Signatures do not matter here: an operator who has signed both is what this looks for.
 */
export function findFork(seals: readonly ExpectedSeal[]): Contradiction | undefined {
  const ordered = seals.toSorted(
    (one, other) =>
      compareTexts(one.seal.companyId, other.seal.companyId) ||
      compareTexts(one.seal.day, other.seal.day),
  );
  for (const [index, second] of ordered.entries()) {
    const first = ordered[index - 1];
    if (first?.seal.companyId !== second.seal.companyId) continue;
    if (first.seal.day === second.seal.day && sealText(first.seal) !== sealText(second.seal))
      return fork(
        `Two seals of ${nameOf(second.seal)} for ${second.seal.day} differ`,
        first,
        second,
      );
    if (second.seal.number < first.seal.number)
      return fork(
        `The later of two seals of ${nameOf(second.seal)} is of fewer postings`,
        first,
        second,
      );
    if (isCutTrail(first.seal.trails, second.seal.trails))
      return fork(
        `The later of two seals of ${nameOf(second.seal)} is of fewer entries of the audit log`,
        first,
        second,
      );
  }
  return findForkedTrail(ordered);
}

function isCutTrail(first: SealedTrails | undefined, second: SealedTrails | undefined): boolean {
  if (first === undefined || second === undefined) return false;
  return (
    second.company.number < first.company.number ||
    second.installation.number < first.installation.number
  );
}

/** The installation's is one for all companies. */
function findForkedTrail(seals: readonly ExpectedSeal[]): Contradiction | undefined {
  const seen = new Map<string, { readonly hash: Buffer; readonly by: ExpectedSeal }>();
  for (const by of seals) {
    const { companyId, trails } = by.seal;
    if (trails === undefined) continue;
    for (const [name, { number, hash }] of [
      [companyId, trails.company],
      ["installation", trails.installation],
    ] as const) {
      const before = seen.get(`${name} ${number}`);
      if (before?.hash.equals(hash) === false)
        return fork(`Two seals name another entry ${number} of an audit log`, before.by, by);
      seen.set(`${name} ${number}`, { hash, by });
    }
  }
  return undefined;
}

/** Whether a file has as many postings as it must, when this is what was posted until the day of a kept seal was over. */
export function findMisfit(file: Extent, seal: Seal): Contradiction | undefined {
  const kept = `the seal kept for ${seal.day} is of posting ${seal.number}`;
  if (file.closedUntil !== undefined && seal.until <= file.closedUntil && seal.number > file.upto)
    return {
      what: "truncated",
      message: `The history was cut: ${kept}, the file ends at ${file.upto}. If it was exported before that day was over, export it again.`,
    };
  const putIn = (number: number) => ({
    what: "forked" as const,
    message: `Postings were put in: ${kept}, the file has up to ${number} of the time before.`,
  });
  if (file.until !== null && new Date(file.until) <= seal.until && file.upto > seal.number)
    return putIn(file.upto);
  if (file.from !== null && new Date(file.from) <= seal.until && file.after > seal.number)
    return putIn(file.after);
  return undefined;
}

function fork(what: string, first: ExpectedSeal, second: ExpectedSeal): Contradiction {
  return {
    what: "forked",
    message: `${what}: ${describe(first)}; ${describe(second)}. One of them is of another history.`,
  };
}

function describe({ seal, isWitness }: ExpectedSeal): string {
  const { day, number, balance, hash, keyId, trails } = seal;
  const facts = [
    day,
    `posting ${number}`,
    `balance ${balance}`,
    `hash ${hash.toString("hex")}`,
    ...(trails === undefined ? [] : trailLines(trails)),
    `key ${keyId}`,
  ];
  return `${isWitness ? "one that was kept" : "one in the file"} (${facts.join(", ")})`;
}

function nameOf({ companyId }: Seal): string {
  return toPublicId(companyIdPrefix, companyId);
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
