import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Watcher } from "./watcher.ts";

/** What a backend that accepts transfers was seen doing; no wait means that it runs. */
export interface Sighting {
  readonly type: string | null;
  readonly event: string | null;
  /** The tables of the rows whose lock it waits for. */
  readonly tables: string | null;
  /** The statement that holds the lock. */
  readonly holder: string | null;
}

const everyMs = 5;

const sightings = {
  name: "sightings",
  text: `
    select a.wait_event_type as type, a.wait_event as event,
      case when a.wait_event_type = 'Lock' then (
        select string_agg(distinct l.relation::regclass::text, ', ') from pg_locks l
        where l.pid = a.pid and l.locktype = 'tuple') end as tables,
      case when a.wait_event_type = 'Lock' then (
        select min(h.query) from pg_stat_activity h where h.pid = any (pg_blocking_pids(a.pid))) end as holder
    from pg_stat_activity a
    where a.datname = current_database() and a.pid <> pg_backend_pid() and a.state = 'active'
      and a.query like '%submit\\_transfers%'`,
};

/**
 * Looks every 5 ms at what the call that accepts transfers is doing. There is one company, so there is one
 * such call at a time, or none.
 */
export function waitSampler(): Watcher {
  const shares = new Shares();
  let sampling = Promise.resolve();
  let isOver = false;
  return {
    nodeOptions: [],
    start: async (postgres, database) => {
      sampling = postgres.inside(database, (client) => sample(client, shares, () => isOver));
      // It is waited for when the load has ended.
      sampling.catch(() => {});
    },
    stop: async () => {
      isOver = true;
      await sampling;
    },
    end: async () => {},
    describe: () => shares.describe(),
  };
}

async function sample(client: pg.Client, shares: Shares, isOver: () => boolean): Promise<void> {
  for (let next = performance.now(); !isOver(); next += everyMs) {
    shares.add((await client.query<Sighting>(sightings)).rows);
    await sleep(Math.max(0, next + everyMs - performance.now()));
  }
}

/** How often the call was seen doing what. */
export class Shares {
  readonly #counts = new Map<string, Map<string, number>>();
  #samples = 0;

  add(calls: readonly Sighting[]): void {
    this.#samples += 1;
    if (calls.length === 0) this.#count(["no call under way", ""], 1);
    for (const call of calls) this.#count(kindOf(call), 1 / calls.length);
  }

  /** The largest share first; below a kind of wait what it was for. */
  describe(): string {
    if (this.#counts.size <= 1) throw new Error("no call of submit_transfers was seen");
    const share = (count: number) => (count / this.#samples).toFixed(3);
    const falling = (counts: Iterable<readonly [string, number]>) =>
      [...counts].toSorted(([, one], [, other]) => other - one);
    const kinds = [...this.#counts].map(([kind, details]) => [kind, sumOf(details)] as const);
    return falling(kinds)
      .flatMap(([kind, sum]) => [
        `${share(sum)}  ${kind}`,
        ...falling(this.#counts.get(kind) ?? [])
          .filter(([detail]) => detail !== "")
          .map(([detail, count]) => `         ${share(count)}  ${detail}`),
      ])
      .join("\n");
  }

  #count([kind, detail]: readonly [string, string], weight: number): void {
    const details = this.#counts.get(kind) ?? new Map<string, number>();
    this.#counts.set(kind, details.set(detail, (details.get(detail) ?? 0) + weight));
  }
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** A kind, and what there is to say of it. */
function kindOf({ type, event, tables, holder }: Sighting): readonly [string, string] {
  if (type === null) return ["running", ""];
  // One that waits for another's write of the log waits for the same disk.
  if (/^wal_?(?:sync|write)/i.test(event ?? "")) return ["waiting for the disk (log)", ""];
  if (type !== "Lock") return ["waiting for something else", `${type}: ${event}`];
  return ["waiting for a lock", `on ${tables ?? event}, held by ${nameOf(holder)}`];
}

/** A function by its name, another statement by its beginning. */
function nameOf(statement: string | null): string {
  const text = (statement ?? "somebody who was gone").replaceAll(/\s+/g, " ").trim();
  return /\b(?:select|from|call) (\w+)\s*\(/i.exec(text)?.[1] ?? text.slice(0, 60);
}
