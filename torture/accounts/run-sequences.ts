import fc, { type AsyncCommand } from "fast-check";
import type { Random } from "../random.ts";
import { type Plan, perform } from "./act.ts";
import { differences } from "./compare.ts";
import { invite, inviteByOperator, leak, reset, tryLinkPassword, useLink } from "./link-acts.ts";
import { createKey, decide, propose } from "./payment-acts.ts";
import { race } from "./race.ts";
import { goStale, renewFactor, tryPassword, trySecondStep, tryStepUp } from "./sign-in-acts.ts";
import { type Rule, type State, Violation } from "./state.ts";
import { Tally } from "./tally.ts";
import {
  changeRole,
  changeRule,
  decideByOperator,
  decideRequest,
  remove,
  removeByOperator,
} from "./team-acts.ts";
import type { World } from "./world.ts";

const commandsPerSequence = 24;

/** More often what opens a way than what closes one. */
const weighted: readonly [weight: number, plan: fc.Arbitrary<Plan>][] = [
  [6, invite],
  [8, useLink],
  [2, leak],
  [2, inviteByOperator],
  [3, reset],
  [3, remove],
  [1, removeByOperator],
  [3, changeRole],
  [1, changeRule],
  [4, decideRequest],
  [4, decideByOperator],
  [1, tryLinkPassword],
  [5, propose],
  [8, decide],
  [2, createKey],
  [2, tryPassword],
  [1, trySecondStep],
  [1, renewFactor],
  [1, goStale],
  [1, tryStepUp],
];
const plan = fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })));

interface Situation {
  state: State;
  readonly rules: ReadonlySet<Rule>;
}

/** One thing after the other, or two at once. */
class One implements AsyncCommand<Situation, World> {
  readonly #plans: readonly Plan[];

  constructor(plans: readonly Plan[]) {
    this.#plans = plans;
  }

  check(): boolean {
    return true;
  }

  async run(situation: Situation, world: World): Promise<void> {
    const acts = [];
    for (const one of this.#plans) {
      const planned = await one(situation.state, world);
      if (planned !== undefined) acts.push(planned);
    }
    const [first, second] = acts;
    if (first === undefined) return;
    if (second === undefined) await perform(situation.state, world, first);
    else situation.state = await race(situation.state, world, first, second);
    if (!situation.rules.has("state")) return;
    const [difference] = differences(situation.state, world, await world.look());
    if (difference !== undefined) throw new Violation("state", difference);
  }

  toString(): string {
    return `${this.#plans.length}`;
  }
}

const commands = fc.commands(
  [
    plan.map((one) => new One([one])),
    // A race that is not needed to show something shrinks to one of the two.
    fc.array(plan, { minLength: 1, maxLength: 2 }).map((plans) => new One(plans)),
  ],
  { maxCommands: commandsPerSequence, size: "max" },
);

export interface Sequences {
  /** A world that no other sequence knows. */
  readonly open: () => Promise<{ readonly world: World; readonly state: State }>;
  readonly random: Random;
  readonly deadline: AbortSignal;
  readonly progress: (text: string) => void;
  readonly target: number;
  readonly atOnce: number;
  /** What is looked for. */
  readonly rules: ReadonlySet<Rule>;
}

/** Sequences until there are enough, or one breaks a rule: it is shrunk to the shortest that does. */
export async function runSequences(sequences: Sequences): Promise<{
  readonly counts: Readonly<Record<string, number>>;
  readonly findings: readonly string[];
}> {
  const { random, deadline, progress, target, atOnce } = sequences;
  const tally = new Tally();
  const findings: string[] = [];
  let started = 0;
  const lanes = Array.from({ length: atOnce }, async () => {
    while (started < target && findings.length === 0 && !deadline.aborted) {
      started += 1;
      const seed = random.integer(0, 2 ** 31 - 1);
      const details = await fc.check(oneSequence(sequences, tally), { seed, numRuns: 1 });
      progress(`${started} of ${target} sequences`);
      if (details.failed)
        findings.push(
          `sequence ${seed}: ${String(details.errorInstance)} (shrunk ${details.numShrinks} times)`,
        );
    }
  });
  await Promise.all(lanes);
  if (findings.length === 0 && !deadline.aborted)
    findings.push(...tally.missing.map((kind) => `${kind}: never, so nothing was shown of it`));
  return { counts: { sequences: started, ...tally.counts }, findings };
}

function oneSequence(sequences: Sequences, tally: Tally) {
  return fc.asyncProperty(commands, async (sequence) => {
    const { world, state } = await sequences.open();
    try {
      const situation = { state, rules: sequences.rules };
      await fc.asyncModelRun(() => ({ model: situation, real: world }), sequence);
    } catch (error) {
      if (error instanceof Violation && !sequences.rules.has(error.rule)) return;
      const story = world.story.map((line, index) => `${index + 1}. ${line}`).join("\n");
      throw new Error(`${String(error)}\n${story}`, { cause: error });
    } finally {
      tally.add(world);
    }
  });
}
