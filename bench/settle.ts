import { setTimeout as sleep } from "node:timers/promises";
import { auditChecks } from "../src/audit-checks.ts";
import { sql } from "../src/database/sql.ts";
import { audit } from "../src/ledger/audit.ts";
import { bareContender, contender, describe, path, summary } from "./accept.ts";
import { toCost } from "./costs.ts";
import type { Plan } from "./options.ts";
import type { Book } from "./postgres.ts";
import { type Finding, rounded, whole } from "./report.ts";
import { mean } from "./rounds.ts";
import type { Service } from "./service.ts";

const connections = 64;
const settleLimitMs = 120_000;
const pollMs = 20;

interface Settled {
  readonly count: number;
  readonly completed: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/** Part d: from the first accepted transfer to the last settled one, with both going on at once. */
export async function acceptAndSettle(
  service: Service,
  book: Book,
  plan: Plan,
): Promise<Finding[]> {
  const accept = contender(service, book, path, connections);
  const bare = bareContender(service, book, connections);
  await bare(plan.warmUpSeconds);
  await accept(plan.warmUpSeconds);
  await untilSettled(book);

  const bareBefore = await bare(plan.roundSeconds);
  const walSince = await book.startWal();
  const countsBefore = await service.counts();
  const start = new Date();
  const accepted = await accept(plan.settleSeconds);
  await untilSettled(book);
  const seconds = (Date.now() - start.getTime()) / 1_000;
  const counts = await service.counts();
  const wal = await walSince();
  const bareAfter = await bare(plan.roundSeconds);

  const settled = await readSettled(book, start);
  if (settled.completed !== settled.count) throw new Error("not every transfer was completed");
  await expectSoundBooks(book);
  const bareRate = mean([bareBefore.transfersPerSecond, bareAfter.transfersPerSecond]);
  return [
    {
      id: "a-settling",
      what: `(a) single, ${connections} connections, settling on`,
      measured: describe([accepted]),
      against: `without database: ${whole(bareRate)}/s`,
      ratio: accepted.transfersPerSecond / bareRate,
      numbers: { accept: summary([accepted]), bare: summary([bareBefore, bareAfter]) },
    },
    {
      id: "d",
      what: `(d) single, ${connections} connections, accepted to settled`,
      measured: `${whole(settled.count / seconds)}/s`,
      against: `each within p50 ${whole(settled.p50_ms)} ms, p99 ${whole(settled.p99_ms)} ms`,
      numbers: {
        transfers: settled.count,
        seconds: rounded(seconds, 2),
        settledPerSecond: Math.round(settled.count / seconds),
        acceptedPerSecond: Math.round(accepted.transfersPerSecond),
        toSettledP50Ms: Math.round(settled.p50_ms),
        toSettledP99Ms: Math.round(settled.p99_ms),
      },
    },
    toCost("e-settled", "accepted and settled", settled.count, wal, countsBefore, counts),
  ];
}

export async function untilSettled(book: Book): Promise<void> {
  const deadline = Date.now() + settleLimitMs;
  while (Date.now() < deadline) {
    const pending = await book.database.query(sql`
      select 1 from pending_transfers where company_id = ${book.companyId} limit 1`);
    if (pending.length === 0) return;
    await sleep(pollMs);
  }
  throw new Error("transfers are still pending long after the last one was accepted");
}

async function readSettled(book: Book, since: Date): Promise<Settled> {
  const [settled] = await book.database.query<Settled>(sql`
    select count(*) as count, count(*) filter (where status = 'completed') as completed,
      percentile_cont(0.5) within group (
        order by extract(epoch from ended_at - time_of_id(id))::float8 * 1000) as p50_ms,
      percentile_cont(0.99) within group (
        order by extract(epoch from ended_at - time_of_id(id))::float8 * 1000) as p99_ms
    from outcomes where company_id = ${book.companyId} and time_of_id(id) >= ${since}`);
  if (settled === undefined) throw new Error("nothing was settled");
  return settled;
}

/** Fast and wrong is worth nothing: every franc of the load has to be where it belongs. */
export async function expectSoundBooks(book: Pick<Book, "database">): Promise<void> {
  const results = await audit(book.database, auditChecks);
  const found = results.filter(({ differences }) => differences.length > 0);
  if (found.length > 0) throw new Error(`the audit found differences: ${JSON.stringify(found)}`);
}
