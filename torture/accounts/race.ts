import type { Act } from "./act.ts";
import { differences } from "./compare.ts";
import { type State, Violation } from "./state.ts";
import type { World } from "./world.ts";

/**
 * Two things at once, one on each node. What came of them must be what one of the two orders allows, and what the database holds
 * tells which one it was. Its state is answered.
 */
export async function race(state: State, world: World, first: Act, second: Act): Promise<State> {
  const answers = await Promise.all([first, second].map((one) => one.perform(world.next())));
  for (const [index, { kind, words }] of [first, second].entries()) {
    const answer = answers[index];
    const when = index === 0 ? "at once" : "and";
    if (answer !== undefined) world.say(kind, `${when}: ${words}`, answer);
  }
  const held = await world.look();
  const [one, other] = [inOrder(state, [first, second]), inOrder(state, [second, first])];
  if (one instanceof Violation) {
    if (other instanceof Violation) throw one;
    return other;
  }
  if (other instanceof Violation) return one;
  const left = differences(one, world, held).length;
  return left <= differences(other, world, held).length ? one : other;
}

function inOrder(state: State, acts: readonly Act[]): State | Violation {
  const copy = structuredClone(state);
  try {
    for (const one of acts) one.judge(copy);
    return copy;
  } catch (error) {
    if (error instanceof Violation) return error;
    throw error;
  }
}
