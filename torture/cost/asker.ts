import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { packageRoot } from "../../src/kernel/root.ts";
import type { Probe, ProberTask } from "./prober.ts";

/** Somebody who asks the service again and again, and says how long it took. */
export class Asker {
  readonly #thread: Worker;

  constructor(task: ProberTask) {
    this.#thread = new Worker(join(packageRoot, "dist/torture/cost/prober.js"), {
      workerData: task,
    });
    this.#thread.unref();
  }

  /** All since the last report, with the one that is under way now. */
  async report(): Promise<Probe[]> {
    return this.#say("report");
  }

  async stop(): Promise<Probe[]> {
    const ended = once(this.#thread, "exit");
    const probes = await this.#say("stop");
    await ended;
    return probes;
  }

  async #say(what: "report" | "stop"): Promise<Probe[]> {
    const said = once(this.#thread, "message");
    this.#thread.postMessage(what);
    const [probes] = (await said) as [Probe[]];
    return probes;
  }
}
