import { type Family, Metrics } from "../kernel/metrics.ts";
import type { Child } from "./child.ts";
import { countsOf, mergeFamilies } from "./merge-metrics.ts";
import type { Supervisor } from "./supervisor.ts";

/** Less than whoever asked waits for the sum. */
const answerLimitMs = 1_000;

/** The metrics of all processes of this node, in the one that started them. */
export class NodeMetrics {
  readonly #supervisor: () => Supervisor;
  /** What each has told last, for when it does not answer or ends. */
  readonly #told = new Map<Child, readonly Family[]>();
  #ended: readonly Family[] = [];

  constructor(supervisor: () => Supervisor) {
    this.#supervisor = supervisor;
  }

  watch(child: Child): void {
    child.channel.on("metrics of all", (own) => this.#gather(child, own as readonly Family[]));
    // Its last words.
    child.channel.on("metrics", (own) => void this.#told.set(child, own as readonly Family[]));
    void child.ended.then(() => this.#keepCountsOf(child));
  }

  #keepCountsOf(child: Child): void {
    this.#ended = mergeFamilies([this.#ended, countsOf(this.#told.get(child) ?? [])]);
    this.#told.delete(child);
  }

  async #gather(asked: Child, own: readonly Family[]): Promise<Family[]> {
    this.#told.set(asked, own);
    const others = this.#supervisor().children.filter((child) => child !== asked);
    const serving = others.filter(({ readyAtMs }) => readyAtMs !== undefined);
    await Promise.all(
      serving.map(async (child) => {
        // Too busy, or just gone: what it told before still counts.
        const asking = child.channel.ask("metrics", undefined, answerLimitMs);
        const told = await asking.catch(() => undefined);
        if (told !== undefined && !child.hasEnded) this.#told.set(child, told as readonly Family[]);
      }),
    );
    const told = others.flatMap((child) => this.#told.get(child) ?? []);
    return mergeFamilies([own, told, this.#ended, this.#ofNode()]);
  }

  #ofNode(): Family[] {
    const supervisor = this.#supervisor();
    const metrics = new Metrics();
    const processes = metrics.gauge(
      "cauri_processes",
      "Processes of this node that are ready, those that are about to leave left out.",
      "same",
    );
    processes.set(
      supervisor.children.filter((child) => child.readyAtMs !== undefined && !child.isLeaving)
        .length,
    );
    const restarts = metrics.counter(
      "cauri_process_restarts_total",
      "Processes of this node that ended by themselves and were started again.",
    );
    restarts.add({}, supervisor.restarts);
    return metrics.families();
  }
}
