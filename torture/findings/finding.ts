import type { Site } from "../cost/site.ts";

/** One thing that was seen while somebody tried, and whether it is as it should be. */
export interface Observation {
  readonly seen: string;
  readonly isGood: boolean;
}

/** A weakness that a release once had. It is tried through addresses, commands and files alone, so that any release can be tried. */
export interface Finding {
  readonly name: string;
  /** What has to hold, in one sentence. */
  readonly promise: string;
  readonly reproduce: (site: Site) => Promise<readonly Observation[]>;
}

export function good(isGood: boolean, seen: string): Observation {
  return { isGood, seen };
}
