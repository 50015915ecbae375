import { createWriteStream, type WriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import type { Outcome } from "../traffic/client.ts";
import type { FinalState } from "./final-state.ts";
import type { Act, Operation, Told } from "./operation.ts";

/** What happened and what is in the books afterwards: all that the checker looks at. */
export interface History {
  readonly operations: readonly Operation[];
  readonly told: readonly Told[];
  readonly state: FinalState;
}

type Invocation = Pick<Operation, "client" | "node" | "company"> & { readonly act: Act };

const unheard: Outcome = { kind: "unknown", why: "nothing was heard" };

/**
 * Writes every invocation down before it is sent and every answer when it has come, one JSON value a line. The file alone is enough to
 * check the history again (check-file.ts).
 */
export class Recorder {
  readonly operations: Operation[] = [];
  readonly #file: WriteStream;
  readonly #startedMs = performance.now();
  readonly #open = new Map<number, Operation>();
  #count = 0;
  /** Operations that somebody decided about, or may have: refused before anybody looked at them does not count. */
  decided = 0;

  constructor(path: string) {
    this.#file = createWriteStream(path);
  }

  async run(invocation: Invocation, send: () => Promise<Outcome>): Promise<Outcome> {
    this.#count += 1;
    const id = this.#count;
    const open = { id, ...invocation, begunMs: this.now(), endedMs: Infinity, outcome: unheard };
    this.#open.set(id, open);
    this.#write({ type: "invoke", id, at: open.begunMs, ...invocation });
    const outcome = await send();
    const endedMs = this.now();
    this.#open.delete(id);
    this.operations.push({ ...open, endedMs, outcome });
    this.#write({ type: "return", id, at: endedMs, outcome });
    if (!isTurnedAway(outcome)) this.decided += 1;
    return outcome;
  }

  fault(what: string): void {
    this.#write({ type: "fault", at: this.now(), what });
  }

  async close(told: readonly Told[], state: FinalState): Promise<History> {
    for (const one of told) this.#write({ type: "told", ...one });
    this.#write({ type: "state", state });
    this.#file.end();
    await finished(this.#file);
    return { operations: [...this.operations, ...this.#open.values()], told, state };
  }

  now(): number {
    return performance.now() - this.#startedMs;
  }

  #write(line: object): void {
    this.#file.write(`${JSON.stringify(line)}\n`);
  }
}

/** Nobody was there, or somebody was too busy to look at it. */
export function isTurnedAway(outcome: Outcome): boolean {
  return outcome.kind === "refused" && (outcome.status === 0 || outcome.status === 503);
}

/** A history as it was written to a file. */
export function readHistory(text: string): History {
  const open = new Map<number, Operation>();
  const told: Told[] = [];
  let state: FinalState | undefined;
  for (const line of text.trim().split("\n")) {
    const { type, at, ...entry } = JSON.parse(line);
    if (type === "invoke")
      open.set(entry.id, { ...entry, begunMs: at, endedMs: Infinity, outcome: unheard });
    else if (type === "return") {
      const invoked = open.get(entry.id);
      if (invoked === undefined) throw new Error(`operation ${entry.id} ended and never began`);
      open.set(entry.id, { ...invoked, endedMs: at, outcome: entry.outcome });
    } else if (type === "told") told.push(entry);
    else if (type === "state") state = entry.state;
  }
  if (state === undefined) throw new Error("the history has no final state");
  return { operations: [...open.values()], told, state };
}
