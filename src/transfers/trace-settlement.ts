import type { Database } from "../database/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { timeOfUuid, toPublicId } from "../kernel/ids.ts";
import { countOfId, nonceOfId, orderedId } from "../kernel/ordered-id.ts";
import { parseTraceparent } from "../tracing/trace-parent.ts";
import type { Made } from "../tracing/trace-relay.ts";
import type { Tracing } from "../tracing/tracing.ts";
import { type EndedRow, selectEnded } from "./ended-store.ts";

/** One call that settled a set: from when to when, by the tracer's clock and by the database's. */
interface Call {
  readonly startMs: number;
  readonly fromMs: number;
  endMs: number;
  toMs: number;
  size: number;
}

interface Unsettled {
  readonly made: Made;
  /** Transfers that are not known to have ended. */
  left: number;
  /** When parts of it ended that were told already. */
  readonly told: Set<number>;
}

/** The signal that names the trace of a transfer may come after the transfer was settled. */
const reportAfterMs = 250;
const callsMax = 20;
/** Nobody waits longer for the answer to a call that has committed: what ended earlier was ended by another node. */
const callMaxMs = 5_000;
const unsettledMax = 5_000;
const askedTogetherMax = 200;
/** How exactly a node knows the database's time. */
const clockErrorMs = 25;

/**
 * Tells traces of settlement: which of the calls that this node made ended the transfers of a request that is recorded. It is
 * found out a moment later and beside the work, so that settling neither waits for it nor does anything else because of it.
 */
export class SettlementTraces {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #tracing: Tracing;
  readonly #unsettled = new Map<string, Unsettled[]>();
  readonly #calls = new Map<string, Call[]>();
  #count = 0;

  constructor(database: Database, clock: Clock, tracing: Tracing) {
    this.#database = database;
    this.#clock = clock;
    this.#tracing = tracing;
    tracing.relay.onMade((made) => this.#await(made));
  }

  /** A call is about to be made; what it answers is called with how many transfers it looked at. */
  begin(companyId: string): (size: number | null) => void {
    const call = this.#newCall();
    return (size) => {
      // Null: somebody else is settling this company, and tells of it.
      if (size === null || size === 0) return;
      const { tracer } = this.#tracing;
      const ended = { size, endMs: tracer.nowMs(), toMs: this.#clock().getTime() + clockErrorMs };
      const calls = this.#calls.get(companyId);
      if (calls === undefined) {
        this.#calls.set(companyId, [Object.assign(call, ended)]);
        setTimeout(() => void this.#report(companyId), reportAfterMs).unref();
      } else if (calls.length < callsMax) calls.push(Object.assign(call, ended));
    };
  }

  #newCall(): Call {
    const fromMs = this.#clock().getTime() - clockErrorMs;
    return { startMs: this.#tracing.tracer.nowMs(), fromMs, endMs: 0, toMs: 0, size: 0 };
  }

  #await(made: Made): void {
    if (made.kind !== "transfers") return;
    const unsettled = this.#unsettled.get(made.companyId) ?? [];
    // A batch has the first number of its set, and its transfers the others.
    const left = Math.max(1, made.size - 1);
    unsettled.push({ made, left, told: new Set() });
    this.#unsettled.set(made.companyId, unsettled);
    this.#count += 1;
    for (const [companyId, oldest] of this.#unsettled) {
      if (this.#count <= unsettledMax) return;
      this.#unsettled.delete(companyId);
      this.#count -= oldest.length;
    }
  }

  async #report(companyId: string): Promise<void> {
    const calls = this.#calls.get(companyId) ?? [];
    this.#calls.delete(companyId);
    const unsettled = this.#unsettled.get(companyId)?.slice(0, askedTogetherMax) ?? [];
    if (unsettled.length === 0) return;
    const ranges = unsettled.map(({ made }) => ({ first: made.id, last: lastIdOf(made) }));
    const rows = await selectEnded(this.#database, companyId, ranges).catch(() => []);
    const nowMs = this.#clock().getTime();
    const news = rows.flatMap((row) => {
      const one = unsettled[row.place - 1];
      if (one === undefined || one.told.has(row.ended_ms)) return [];
      // Committed by a call of ours that has not come back yet: the report after that call tells of it.
      const isEarly = row.ended_ms > nowMs - callMaxMs && !calls.some((call) => isOf(call, row));
      if (isEarly) return [];
      one.told.add(row.ended_ms);
      one.left -= row.completed + row.failed;
      return { one, row };
    });
    for (const call of calls)
      this.#tell(
        call,
        companyId,
        news.filter(({ row }) => isOf(call, row)),
      );
    this.#forgetSettled(companyId);
  }

  #tell(
    call: Call,
    companyId: string,
    ended: readonly { readonly one: Unsettled; readonly row: EndedRow }[],
  ): void {
    const traced = ended.flatMap(({ one, row }) => {
      const parent = parseTraceparent(one.made.traceparent);
      return parent === undefined ? [] : { parent, row };
    });
    const parents = traced.map(({ parent }) => parent);
    const spans = this.#tracing.tracer.startTogether("settle transfers", parents, call.startMs);
    for (const [index, span] of spans.entries()) {
      const attributes = {
        "cauri.company.id": toPublicId("com", companyId),
        "cauri.set.size": call.size,
        "cauri.transfers.completed": traced[index]?.row.completed ?? 0,
        "cauri.transfers.failed": traced[index]?.row.failed ?? 0,
      };
      span.end(attributes, { endMs: call.endMs });
    }
  }

  #forgetSettled(companyId: string): void {
    const before = this.#unsettled.get(companyId) ?? [];
    const after = before.filter(({ left }) => left > 0);
    this.#count -= before.length - after.length;
    if (after.length === 0) this.#unsettled.delete(companyId);
    else this.#unsettled.set(companyId, after);
  }
}

/** Only one call at a time settles a company, so the moment says which one it was. */
function isOf({ fromMs, toMs }: Call, { ended_ms }: EndedRow): boolean {
  return fromMs <= ended_ms && ended_ms <= toMs;
}

function lastIdOf({ id, size }: Made): string {
  return orderedId(timeOfUuid(id), countOfId(id) + size - 1, nonceOfId(id));
}
