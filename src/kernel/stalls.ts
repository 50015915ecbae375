/** Shorter ones are not told: a large set of work can hold the event loop up for a moment. */
export const stallMinMs = 250;

/** `work`: what it was doing took so long. `machine`: it waited for the CPU, or for a disk. */
export const stallCauses = ["work", "machine"] as const;

/** The event loop was held up. */
export interface Stall {
  /** What was worked on: a route, or something that runs beside the requests; empty when it is not known. */
  readonly what: string;
  readonly companyId: string;
  readonly ms: number;
  /** That the whole process used meanwhile. */
  readonly cpuMs: number;
  readonly cause: (typeof stallCauses)[number];
}

/** Work that is a stall by itself stays one on a machine that was slow besides. */
export function causeOf(ms: number, cpuMs: number): Stall["cause"] {
  return cpuMs >= Math.min(ms / 2, stallMinMs) ? "work" : "machine";
}

interface StallSum {
  count: number;
  ms: number;
}

/** All of this process. */
export const stallSums: Readonly<Record<Stall["cause"], StallSum>> = {
  work: { count: 0, ms: 0 },
  machine: { count: 0, ms: 0 },
};

export function countStall({ cause, ms }: Stall): void {
  stallSums[cause].count += 1;
  stallSums[cause].ms += ms;
}
