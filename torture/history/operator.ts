import { setTimeout as sleep } from "node:timers/promises";
import type { CommandResult } from "../program.ts";
import type { Random } from "../random.ts";
import type { Outcome } from "../traffic/client.ts";
import type { Act } from "./operation.ts";
import type { Recorder } from "./recorder.ts";

export interface OperatorOptions {
  readonly company: string;
  readonly random: Random;
  readonly recorder: Recorder;
  readonly command: (args: readonly string[]) => Promise<CommandResult>;
  readonly isOver: () => boolean;
}

const triesMax = 40;
const pauseMs = 600;
const frozenMs = 1_200;
const amounts = [200_000, 500_000];

/** Puts money in and takes it out by the command line, under references, and now and then freezes the company. */
export class Operator {
  readonly #options: OperatorOptions;
  #count = 0;

  constructor(options: OperatorOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { random, isOver } = this.#options;
    while (!isOver()) {
      this.#count += 1;
      const chance = random.next();
      if (chance < 0.1) await this.#freeze();
      else {
        const kind = chance < 0.7 ? "fund" : "withdraw";
        const reference = `${kind}-${this.#count}`;
        await this.#insist({ kind, reference, amount: random.pick(amounts) });
      }
      await sleep(random.integer(0, 2 * pauseMs));
    }
  }

  async #freeze(): Promise<void> {
    await this.#insist({ kind: "freeze" });
    await sleep(this.#options.random.integer(0, frozenMs));
    // It is frozen, or it may be: it does not stay so.
    await this.#insist({ kind: "unfreeze" });
  }

  async #insist(act: Act): Promise<void> {
    for (let tries = 0; tries < triesMax; tries += 1) {
      if ((await this.#send(act)).kind !== "unknown") return;
      await sleep(pauseMs);
    }
  }

  #send(act: Act): Promise<Outcome> {
    const { company, recorder, command } = this.#options;
    const invocation = { client: "operator", node: "command line", company, act };
    return recorder.run(invocation, async () => toOutcome(await command(argsOf(act, company))));
  }
}

function argsOf(act: Act, company: string): string[] {
  if (act.kind === "fund")
    return ["company", "fund", company, String(act.amount), "--reference", act.reference, "--yes"];
  if (act.kind === "withdraw")
    return [
      "company",
      "withdraw",
      company,
      String(act.amount),
      "--reference",
      act.reference,
      "--yes",
    ];
  return ["company", act.kind, company, "--yes"];
}

/** A command that failed has done nothing or did not hear of it: only that there is too little money is certain. */
function toOutcome({ code, stdout, stderr }: CommandResult): Outcome {
  if (code === 0) return { kind: "ok", status: 0, body: stdout };
  return /Nothing was moved/.test(stderr)
    ? { kind: "refused", status: 402, code: "nothing_moved" }
    : { kind: "unknown", why: stderr.trim() };
}
