import type { Signals } from "../database/signals.ts";
import { uuidShape } from "../kernel/ids.ts";
import { countOfId, nonceOfId } from "../kernel/ordered-id.ts";
import { parseTraceparent } from "./trace-parent.ts";

/** What was made for a request that is recorded: one thing, or many that were numbered together. */
export interface Made {
  readonly kind: "transfers" | "charges";
  readonly companyId: string;
  /** The first id; the others follow it by their count. */
  readonly id: string;
  readonly size: number;
  /** The span that made it. */
  readonly traceparent: string;
}

const channel = "traces";
const announceEveryMs = 20;
/** As many as fit into a signal, which holds 8 000 bytes. */
const announcedTogetherMax = 50;
const waitingMax = 1_000;
const rememberedMax = 20_000;
/** A notification that is tried again later than this is told without its trace. */
const rememberedForMs = 3_600_000;

interface Remembered extends Made {
  readonly atMs: number;
}

/**
 * Which trace a transfer, batch or charge belongs to, on every node that records traces: whoever settles it or tells of it goes
 * on with the trace of its request. Nodes tell each other by signals and remember it for an hour. A signal can be lost, and
 * then a trace ends early: docs/decisions/0181-traces-by-signals.md says why that is the better bargain.
 */
export class TraceRelay {
  readonly #signals: Signals;
  /** By what all ids of one call have in common, the oldest first. */
  readonly #made = new Map<string, Remembered[]>();
  #count = 0;
  #waiting: Made[] = [];
  #isAnnouncing = false;
  #onMade: (made: Made) => void = () => {};

  constructor(signals: Signals) {
    this.#signals = signals;
    signals.on(channel, (payload) => {
      for (const made of readMade(payload)) this.#remember(made);
    });
  }

  /** Called with everything that becomes known, once, wherever it was made. */
  onMade(listener: (made: Made) => void): void {
    this.#onMade = listener;
  }

  /** Remembers it here, and tells the other nodes. */
  announce(made: Made): void {
    this.#remember(made);
    if (this.#waiting.length >= waitingMax) return;
    this.#waiting.push(made);
    if (this.#isAnnouncing) return;
    this.#isAnnouncing = true;
    setTimeout(() => void this.#send(), announceEveryMs).unref();
  }

  /** The span that made it, if its request was recorded and that is known here. */
  find(id: string): string | undefined {
    const count = countOfId(id);
    return this.#made.get(keyOf(id))?.find((made) => {
      const first = countOfId(made.id);
      return first <= count && count < first + made.size;
    })?.traceparent;
  }

  #remember(made: Made): void {
    const key = keyOf(made.id);
    const known = this.#made.get(key) ?? [];
    if (known.some(({ id }) => id === made.id)) return;
    this.#made.set(key, [...known, { ...made, atMs: performance.now() }]);
    this.#count += 1;
    this.#forget();
    this.#onMade(made);
  }

  #forget(): void {
    const latestMs = performance.now() - rememberedForMs;
    for (const [key, entries] of this.#made) {
      const isOld = (entries[0]?.atMs ?? 0) < latestMs;
      if (!isOld && this.#count <= rememberedMax) return;
      this.#made.delete(key);
      this.#count -= entries.length;
    }
  }

  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const told = this.#waiting.splice(0, announcedTogetherMax);
      // A lost signal costs the end of a trace, nothing more.
      await this.#signals.send(channel, told.map(toLine).join("\n")).catch(() => {});
    }
    this.#isAnnouncing = false;
  }
}

/** The time and the nonce of the call that made an id. */
function keyOf(id: string): string {
  return `${id.slice(0, 13)} ${nonceOfId(id)}`;
}

function toLine({ kind, companyId, id, size, traceparent }: Made): string {
  return `${kind} ${companyId} ${id} ${size} ${traceparent}`;
}

/** Whoever may connect to the database may send a signal: what is not as we write it is passed over. */
function readMade(payload: string): Made[] {
  return payload.split("\n").flatMap((line) => {
    const [kind, companyId = "", id = "", size = "", traceparent = ""] = line.split(" ");
    if (kind !== "transfers" && kind !== "charges") return [];
    const isSound = uuidShape.test(companyId) && uuidShape.test(id) && /^[1-9]\d{0,4}$/.test(size);
    if (!isSound || parseTraceparent(traceparent)?.isSampled !== true) return [];
    return [{ kind, companyId, id, size: Number(size), traceparent }];
  });
}
