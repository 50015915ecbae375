import type { Random } from "./random.ts";

/** Short: seconds, in the test suite. Full: minutes, in the campaign. */
export type Scale = "short" | "full";

/** What every part of a campaign is given. */
export interface Campaign {
  readonly seed: number;
  /** Whatever a part leaves to chance comes from here, so that a seed names a run. */
  readonly random: Random;
  readonly scale: Scale;
  /** Aborted when the time is up or somebody stops the campaign: end soon, and leave nothing behind. */
  readonly deadline: AbortSignal;
  /** How long something stands still in a campaign that stalls: longer than anybody's lease. */
  readonly stallMs: number;
  /** The checkout whose program is tried, where a part can try another; undefined: this one. */
  readonly program: string | undefined;
  /** Which database a history is recorded on. */
  readonly on: string;
  /** Where the recorded history goes; undefined: nowhere, unless something was found. */
  readonly historyFile: string | undefined;
  /** What is being done right now, in a few words. */
  readonly progress: (text: string) => void;
  /** A line that stays, whatever is done next. */
  readonly note: (text: string) => void;
}

export interface PartReport {
  readonly counts: Readonly<Record<string, number>>;
  /** What did not hold, each as one sentence. Empty: nothing was found. */
  readonly findings: readonly string[];
}

export interface Part {
  readonly name: string;
  /** One sentence: what it tries to break. */
  readonly promises: string;
  run(campaign: Campaign): Promise<PartReport>;
}
