import pg from "pg";
import type { Database } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import type { Program } from "../program.ts";
import type { Random } from "../random.ts";
import { Hold, holderName, lockOfSomeRows, lockOfTable } from "./hold.ts";
import type { Scene } from "./scene.ts";
import { isStopped, stop } from "./stop.ts";

/** Something that stands still for a while and then goes on as if nothing had been. */
export interface Stall {
  readonly kind: "services stopped" | "backends stopped" | "tables locked" | "sets of rows locked";
  /** Begins it, and resolves to what ends it; undefined when there was nothing to stop or a lock was not had. */
  begin(): Promise<(() => Promise<void>) | undefined>;
}

/** The names of sessions that are the attack's own. */
export const ownSessions = [holderName, `cauri:${process.pid}`];

const modes = ["access exclusive", "exclusive", "share row exclusive", "share"];
const rowsMax = 5;
/** Whatever holds a lock for longer than this is itself stalled. */
const lockPatienceMs = 8_000;

/** How many of each; of tables at most as many as there are, each once. */
export interface Amounts {
  readonly services: number;
  readonly backends: number;
  readonly tables: number;
  readonly rows: number;
}

/** Rows of the wallets and the books are locked more often than others. */
export async function planStalls(scene: Scene, random: Random, amounts: Amounts): Promise<Stall[]> {
  const names = scene.catalog.map(({ name }) => name);
  const filled = await findFilled(scene.place.database, names);
  const rowsOf = () => random.pick(["wallets", "books", random.pick(filled), random.pick(filled)]);
  const times = <Item>(count: number, make: (index: number) => Item) =>
    Array.from({ length: count }, (_, index) => make(index));
  return random.shuffle([
    ...times(amounts.services, (index) => stopService(scene.programs[index % 2 === 0 ? 0 : 1])),
    ...times(amounts.backends, () => stopBackend(scene.place.database, random.fork())),
    ...random
      .shuffle(names)
      .slice(0, amounts.tables)
      .map((name) => lock(scene, "tables locked", lockOfTable(name, random.pick(modes)))),
    ...times(amounts.rows, () => {
      const values = [random.next(), random.integer(1, rowsMax)];
      return lock(scene, "sets of rows locked", lockOfSomeRows(rowsOf()), values);
    }),
  ]);
}

function stopService({ process: service }: Program): Stall {
  return { kind: "services stopped", begin: async () => stop(service.pid) };
}

/** One that is in the middle of something, if there is one. */
function stopBackend(database: Database, random: Random): Stall {
  return {
    kind: "backends stopped",
    async begin() {
      const backends = await database.query<{ pid: number; is_busy: boolean }>(sql`
        select pid, xact_start is not null as is_busy from pg_stat_activity
        where backend_type = 'client backend' and application_name <> all (${ownSessions})
        order by pid`);
      const free = backends.filter(({ pid }) => !isStopped(pid));
      const busy = free.filter(({ is_busy }) => is_busy);
      const among = busy.length > 0 ? busy : free;
      return among.length === 0 ? undefined : stop(random.pick(among).pid);
    },
  };
}

function lock(
  { place }: Scene,
  kind: Stall["kind"],
  text: string,
  values: readonly unknown[] = [],
): Stall {
  return {
    kind,
    async begin() {
      const hold = await Hold.take(place.databaseUrl, lockPatienceMs, text, values);
      return hold === undefined ? undefined : () => hold.release();
    },
  };
}

async function findFilled(database: Database, tables: readonly string[]): Promise<string[]> {
  const filled: string[] = [];
  for (const name of tables) {
    const text = `select 1 from ${pg.escapeIdentifier(name)} limit 1`;
    if ((await database.query({ text, values: [] })).length > 0) filled.push(name);
  }
  return filled;
}
