import { setTimeout as sleep } from "node:timers/promises";
import type { Node } from "../crash/node.ts";
import type { Random } from "../random.ts";
import { stop } from "../stall/stop.ts";
import { type DatabaseFault, pauseMs } from "./base.ts";
import type { Recorder } from "./recorder.ts";

export interface NemesisOptions {
  readonly nodes: readonly Node[];
  readonly faults: readonly DatabaseFault[];
  readonly random: Random;
  readonly recorder: Recorder;
  /** So many faults, spread over so many operations. */
  readonly count: number;
  readonly operations: number;
  readonly tell: (what: string) => void;
  readonly deadline: AbortSignal;
}

const pollMs = 20;

/** What goes wrong, spread over the operations: the number of those that were decided says when, and no clock. */
export class Nemesis {
  readonly #options: NemesisOptions;
  readonly counts: Record<string, number> = {};
  isDone = false;

  constructor(options: NemesisOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { count, operations, recorder, random, deadline, tell } = this.#options;
    for (const [place, fault] of this.#plan().entries()) {
      const due = ((place + 1) * operations) / (count + 1);
      while (recorder.decided < due && !deadline.aborted) await sleep(pollMs);
      if (deadline.aborted) break;
      tell(`fault ${place + 1} of ${count}: ${fault.name}`);
      recorder.fault(fault.name);
      await fault.inflict(random);
      recorder.fault(`over: ${fault.name}`);
      this.counts[fault.name] = (this.counts[fault.name] ?? 0) + 1;
    }
    this.isDone = true;
  }

  /** Each before any comes again. */
  #plan(): DatabaseFault[] {
    const { random, count } = this.#options;
    const all = [...this.#options.faults, ...this.#nodeFaults()];
    const plan: DatabaseFault[] = [];
    while (plan.length < count) plan.push(...random.shuffle(all));
    return plan.slice(0, count);
  }

  #nodeFaults(): DatabaseFault[] {
    const { nodes } = this.#options;
    return [
      {
        name: "a node is killed",
        inflict: (random) => killAndStart(random.pick(nodes)),
      },
      {
        name: "both nodes are killed",
        async inflict() {
          await Promise.all(nodes.map((node) => killAndStart(node)));
        },
      },
      {
        name: "a node stands still",
        inflict: (random) => stallOne(random.pick(nodes), random),
      },
    ];
  }
}

async function killAndStart(node: Node): Promise<void> {
  await node.kill();
  await node.start();
}

async function stallOne(node: Node, random: Random): Promise<void> {
  const goOn = stop(node.pid);
  await sleep(pauseMs(random));
  await goOn?.();
}
