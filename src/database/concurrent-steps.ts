import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Queryable } from "./database.ts";
import { isDeadlock, TableKeptLocked } from "./errors.ts";
import { type Query, sql } from "./sql.ts";

/**
 * A statement of a migration that PostgreSQL runs outside a transaction, so that writes to the table go on meanwhile. Whether it is done is
 * what the catalog says. So a process that is killed leaves nothing to undo: the next one reads the catalog and goes on from there.
 */
export interface ConcurrentStep {
  readonly kind: "create" | "drop" | "validate";
  readonly table: string | undefined;
  /** Of the index or the constraint. */
  readonly name: string;
  readonly text: string;
}

/** Told, for people, what is under way. */
export type Tell = (message: string) => void;

/** For a test: how soon people are told how far it is, and how soon the lock is asked for again. */
export interface StepTimes {
  readonly progressEveryMs: number;
  readonly lockPauseMs: number;
}

const timesDefault: StepTimes = { progressEveryMs: 10_000, lockPauseMs: 500 };
/**
 * Not the lock of the other migrations: a node that waits for that one waits inside a statement, with a snapshot, and the build of an index
 * waits for every snapshot that is older than it. The two would wait for each other.
 */
const stepsLock = 7_260_418;
const lockWaitMaxMs = 24 * 3_600_000;
const deadlocksMax = 10;

/** The statements of a migration file whose mark says `-- no-transaction`. */
export function parseSteps(file: string, text: string): ConcurrentStep[] {
  const statements = text
    .split("\n")
    .filter((line) => !line.startsWith("--"))
    .join("\n")
    .split(";")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
  if (statements.length === 0) throw new Error(`migration ${file} has no statement`);
  return statements.map((statement) => parseStep(file, statement));
}

function parseStep(file: string, text: string): ConcurrentStep {
  const create = /^create (?:unique )?index concurrently (\w+)\s+on (\w+)\s/.exec(text);
  const [, index, table] = create ?? [];
  if (index !== undefined && index !== "if" && table !== "only")
    return { kind: "create", table, name: index, text };
  const drop = /^drop index concurrently if exists (\w+)$/.exec(text)?.[1];
  if (drop !== undefined) return { kind: "drop", table: undefined, name: drop, text };
  const [, altered, constraint] =
    /^alter table (\w+)\s+validate constraint (\w+)$/.exec(text) ?? [];
  if (constraint !== undefined) return { kind: "validate", table: altered, name: constraint, text };
  throw new Error(
    `migration ${file}: "${text}" cannot be done again after a kill; see CONTRIBUTING.md for what may stand outside a transaction`,
  );
}

/** Whether everything that these statements make is there, and usable. */
export async function areDone(
  database: Queryable,
  steps: readonly ConcurrentStep[],
): Promise<boolean> {
  for (const step of steps) if ((await readState(database, step)) !== "done") return false;
  return true;
}

/**
 * Runs the statements that are not done yet. One node at a time: the lock belongs to the session that builds, and is held for as long as
 * PostgreSQL works on it, also when the process that asked for it was killed. Others wait between statements, with no snapshot.
 */
export async function runSteps(
  database: Database,
  steps: readonly ConcurrentStep[],
  tell: Tell,
  times: Partial<StepTimes> = {},
): Promise<void> {
  const { progressEveryMs, lockPauseMs } = { ...timesDefault, ...times };
  await database.session(async (session) => {
    const pid = await prepareSession(session);
    await takeLock(session, lockPauseMs, tell);
    for (const step of steps) {
      const timer = setInterval(() => {
        describeProgress(database, pid, step).then(tell, () => {});
      }, progressEveryMs);
      try {
        await runStep(session, step);
      } finally {
        clearInterval(timer);
      }
    }
  });
}

/** A build takes the time it takes, whatever limits the role or the database has. */
async function prepareSession(session: Queryable): Promise<number> {
  await session.query(sql`
    select set_config(name, '0', false) from pg_settings
    where name in ('statement_timeout', 'lock_timeout', 'idle_session_timeout', 'transaction_timeout')`);
  // The lock of a machine that is gone without a word is free again soon after the build.
  await session.query(sql`
    select set_config(name, '10', false) from pg_settings
    where name in ('tcp_keepalives_idle', 'tcp_keepalives_interval')`);
  const [row] = await session.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  return row?.pid ?? 0;
}

async function takeLock(session: Queryable, pauseMs: number, tell: Tell): Promise<void> {
  for (let waitedMs = 0; waitedMs < lockWaitMaxMs; waitedMs += pauseMs) {
    const [row] = await session.query<{ isTaken: boolean }>(
      sql`select pg_try_advisory_lock(${stepsLock}) as "isTaken"`,
    );
    if (row?.isTaken === true) return;
    if (waitedMs === 0)
      tell("Another connection is building an index for this version; waiting for its end.");
    await sleep(pauseMs);
  }
  throw new TableKeptLocked();
}

async function runStep(session: Queryable, step: ConcurrentStep): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const state = await readState(session, step);
    if (state === "done") return;
    if (state === "broken") await session.query(dropIndex(step));
    try {
      await session.query({ text: step.text, values: [] });
    } catch (error) {
      // A unique index that could not be finished would go on refusing rows.
      if (step.kind === "create") await session.query(dropIndex(step)).catch(() => {});
      if (attempt === deadlocksMax || !isDeadlock(error)) throw error;
      continue;
    }
    if ((await readState(session, step)) !== "done")
      throw new Error(`"${step.text}" ended well and is not done`);
    return;
  }
}

/** "broken": an index that was begun and not finished, which costs every write and serves no read. */
async function readState(
  database: Queryable,
  { kind, table, name }: ConcurrentStep,
): Promise<"done" | "missing" | "broken"> {
  if (kind === "validate") {
    const [row] = await database.query<{ isValid: boolean }>(sql`
      select convalidated as "isValid" from pg_constraint
      where conrelid = to_regclass(${table}) and conname = ${name}`);
    return row?.isValid === true ? "done" : "missing";
  }
  const [row] = await database.query<{ isValid: boolean }>(sql`
    select indisvalid as "isValid" from pg_index where indexrelid = to_regclass(${name})`);
  if (kind === "drop") return row === undefined ? "done" : "missing";
  if (row === undefined) return "missing";
  return row.isValid ? "done" : "broken";
}

/** The name was read from a migration of ours by a pattern of letters. */
function dropIndex({ name }: ConcurrentStep): Query {
  return { text: `drop index concurrently if exists ${name}`, values: [] };
}

interface Progress {
  readonly phase: string;
  readonly percent: number | null;
  readonly waitsFor: number | null;
  readonly application: string | null;
  readonly seconds: number | null;
}

/** From another connection than the one that builds. */
async function describeProgress(
  database: Database,
  pid: number,
  { name }: ConcurrentStep,
): Promise<string> {
  const [progress] = await database.query<Progress>(sql`
    select p.phase, nullif(p.current_locker_pid, 0) as "waitsFor", a.application_name as application,
      round(extract(epoch from clock_timestamp() - a.xact_start))::integer as seconds,
      (case when p.blocks_total > 0 then p.blocks_done * 100 / p.blocks_total
        when p.tuples_total > 0 then p.tuples_done * 100 / p.tuples_total end)::integer as percent
    from pg_stat_progress_create_index p
    left join pg_stat_activity a on a.pid = nullif(p.current_locker_pid, 0)
    where p.pid = ${pid}`);
  if (progress === undefined) return `${name}: under way.`;
  const { phase, percent, waitsFor, application, seconds } = progress;
  if (waitsFor !== null)
    return `${name}: ${phase}; the connection ${waitsFor} (${application ?? "of another role"}) has a transaction open${seconds === null ? "" : ` for ${seconds} seconds`}.`;
  return `${name}: ${phase}${percent === null ? "" : `, ${percent} %`}.`;
}
