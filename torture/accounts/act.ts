import type { Answer, At } from "./adapter.ts";
import type { State } from "./state.ts";
import type { World } from "./world.ts";

/** What is counted apart: a campaign in which one of them is always refused would show nothing of it. */
export const kinds = [
  "signed in",
  "factors set",
  "grown stale",
  "stepped up",
  "companies chosen",
  "invited",
  "links leaked",
  "joined",
  "removed",
  "roles changed",
  "rules changed",
  "requests decided",
  "reset",
  "keys made",
  "payments asked for",
  "payments decided",
] as const;
type Kind = (typeof kinds)[number];

/** One thing that somebody tries to do. */
export interface Act {
  readonly kind: Kind;
  /** Who does what, in words. */
  readonly words: string;
  perform(at: At): Promise<Answer>;
  /** Writes what was done into the state. Throws Violation when the rules do not allow it. */
  judge(state: State): void;
}

/** What somebody is about to try; undefined: there is nothing to try it with. It may sign in first. */
export type Plan = (state: State, world: World) => Promise<Act | undefined>;

/** An act whose answer, when it was done, is judged; a refusal is always within the rules. */
export function act<Value>(
  kind: Kind,
  words: string,
  attempt: (at: At) => Promise<Answer<Value>>,
  judge: (state: State, done: Value) => void,
): Act {
  let given: Answer<Value> | undefined;
  return {
    kind,
    words,
    async perform(at) {
      given = await attempt(at);
      return given;
    },
    judge(state) {
      if (given?.isDone === true) judge(state, given);
    },
  };
}

export async function perform(state: State, world: World, planned: Act): Promise<boolean> {
  const answer = await planned.perform(world.next());
  world.say(planned.kind, planned.words, answer);
  planned.judge(state);
  return answer.isDone;
}

export function pick<Item>(items: readonly Item[], number: number): Item | undefined {
  return items.length === 0 ? undefined : items[number % items.length];
}

/** The newest first: what has just been made is used most. */
export function pickLast<Item>(items: readonly Item[], number: number): Item | undefined {
  return pick(items.toReversed(), number);
}
