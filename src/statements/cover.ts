import type { Changes, Fields } from "../trail/trail.ts";
import type { TrailHead } from "./trail-chain.ts";

/** The trails that seals reach through an entry of the installation's: they are no company's. */
export const coveredTrails = ["staff", "customers"] as const;

export type CoveredTrail = (typeof coveredTrails)[number];

/** An entry of the installation's trail that says how far the others were. */
export interface Cover {
  readonly day: string;
  /** Undefined where the entry names none that can be read. */
  readonly heads: Readonly<Record<CoveredTrail, TrailHead | undefined>>;
}

/** The heads as the fields of an entry. */
export function toCoverFields(heads: Readonly<Record<CoveredTrail, TrailHead>>): Fields {
  return Object.fromEntries(
    coveredTrails.flatMap((trail) => [
      [`${trail}Number`, heads[trail].number],
      [`${trail}Hash`, heads[trail].hash.toString("hex")],
    ]),
  );
}

export function toCover(day: string, changes: string | null): Cover {
  const said = readChanges(changes);
  const headOf = (trail: CoveredTrail): TrailHead | undefined => {
    const [number, hash] = [said[`${trail}Number`]?.to, said[`${trail}Hash`]?.to];
    if (typeof number !== "number" || typeof hash !== "string") return undefined;
    if (!Number.isSafeInteger(number)) return undefined;
    return { number, hash: Buffer.from(hash, "hex") };
  };
  return { day, heads: { staff: headOf("staff"), customers: headOf("customers") } };
}

/** An entry that somebody else has written may say anything. */
function readChanges(changes: string | null): Partial<Changes> {
  try {
    return (JSON.parse(changes ?? "{}") ?? {}) as Partial<Changes>;
  } catch {
    return {};
  }
}
