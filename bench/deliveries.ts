import { setTimeout as sleep } from "node:timers/promises";
import { createCompany } from "../src/companies/create-company.ts";
import { sql } from "../src/database/sql.ts";
import { newUuid } from "../src/kernel/ids.ts";
import { newNonce } from "../src/kernel/ordered-id.ts";
import { submitTransfers } from "../src/transfers/submit-store.ts";
import { createWebhook } from "../src/webhooks/manage-webhooks.ts";
import { benchBox } from "./keys.ts";
import type { Plan } from "./options.ts";
import type { Book, Postgres } from "./postgres.ts";
import { measureBareSender, type Receiver, startReceiver } from "./receiver.ts";
import { type Finding, rounded, whole } from "./report.ts";
import { startService } from "./service.ts";

/** Transfers are accepted and never settled, so that each is told of once. */
const topic = "transactions/started";
const endpointsPerCompany = 20;
const companies = 5;
const hangingPerCompany = 2;
const waitLimitMs = 180_000;

/** What the bare client posts: as long as a real one. */
const body = JSON.stringify({
  data: {
    id: "txn_019b2d5f3a7c7c0f8000a1b2c3d4e5f6",
    status: "pending",
    amount: 25_000,
    msisdn: "2250710000000",
    description: "January salary",
    type: "transfer",
    reference: "019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6",
    fee: 0,
    totalAmount: 25_000,
    failureReason: null,
    createdAt: "2026-01-31T09:15:00.000Z",
    updatedAt: "2026-01-31T09:15:00.000Z",
  },
  topic,
});

/**
 * Part f: how fast a backlog is delivered, durably, against the same HTTP client posting the same bodies
 * without the database; then how soon notifications arrive at half of that rate, and what the dispatcher
 * costs when there is nothing to tell.
 */
export async function deliverBacklog(
  postgres: Postgres,
  plan: Plan,
  stopped: AbortSignal,
): Promise<Finding[]> {
  const receiver = await startReceiver(stopped);
  const urls = [0, 1, 2, 3].map((place) => `${receiver.url}/shop/${place}`);
  const count = Math.round(plan.settleSeconds * 1_000);
  const warmUp = Math.round(plan.warmUpSeconds * 2_000);
  const rounds: { durable: number; bare: number }[] = [];
  const book = await postgres.makeBook("backlog");
  await subscribe(book, book.companyId, urls);
  const service = await startService(book, "webhooks", stopped);
  try {
    await deliver(book, urls.length, warmUp);
    for (let round = 0; round < Math.min(3, plan.rounds); round += 1) {
      const bare = await measureBareSender({ urls, body, warmUp, count }, stopped);
      rounds.push({ bare, durable: await deliver(book, urls.length, count) });
    }
    const median = rounds.toSorted((a, b) => a.durable / a.bare - b.durable / b.bare)[
      rounds.length >> 1
    ];
    if (median === undefined) throw new Error("nothing was measured");
    const half = median.durable / 2;
    const arrival = await measureLatency(book, [book.companyId], plan.settleSeconds, {
      perSecond: half / urls.length,
    });
    const idle = await idleCpu(service, book);
    return [
      {
        id: "f",
        what: "(f) notifications delivered from a backlog, durable",
        measured: `${whole(median.durable)}/s`,
        against: `same client without database: ${whole(median.bare)}/s`,
        ratio: median.durable / median.bare,
        target: 0.5,
        numbers: {
          rounds: rounds.map(({ durable, bare }) => ({
            durable: Math.round(durable),
            bare: Math.round(bare),
          })),
        },
      },
      {
        id: "h",
        what: "(h) from commit to 2xx at half of that rate; 120 ms of it are a promise to the caller",
        measured: `p50 ${whole(arrival.p50)} ms, p99 ${whole(arrival.p99)} ms`,
        against: `${whole(half)}/s offered`,
        numbers: { ...arrival, offeredPerSecond: Math.round(half) },
      },
      {
        id: "i",
        what: "(i) the dispatcher with nothing to tell",
        measured: `${rounded(idle, 1)} % of a core`,
        against: "",
        numbers: { idleCpuPercent: rounded(idle, 2) },
      },
    ];
  } finally {
    await service.stop();
    await book.close();
    receiver.stop();
  }
}

/** What arrived at the first try is written down with its delivery, everything else by itself. */
const attempts = sql`(
  select company_id, webhook_id, event_number, started_at, duration_ms, status_code from attempts
  union all
  select company_id, webhook_id, event_number, told_at, told_ms, told_code from deliveries where told_at is not null
) as a`;

/** Lets a backlog of so many notifications build up, then go; returns how many were told a second. */
async function deliver(book: Book, endpoints: number, count: number): Promise<number> {
  const events = Math.ceil(count / endpoints);
  const since = new Date();
  await book.database.query(sql`
    insert into work as w (company_id, queue, ready_at, leased_until)
    values (${book.companyId}, 'webhooks', now(), now() + interval '1 hour')
    on conflict (company_id, queue) do update set leased_until = excluded.leased_until`);
  await publish(book, book.companyId, events);
  await book.database.query(sql`update work set leased_until = null, ready_at = now()`);
  await book.database.query(sql`select pg_notify('work_ready', 'webhooks')`);

  await untilTold(book);
  const [span] = await book.database.query<{ seconds: number; count: number }>(sql`
    select count(*) as count,
      extract(epoch from max(a.started_at + a.duration_ms * interval '1 millisecond') - min(a.started_at))::float8 as seconds
    from ${attempts} where a.started_at >= ${since}`);
  if (span?.count !== events * endpoints) throw new Error("not every notification was sent once");
  return span.count / span.seconds;
}

/** Until nothing is waiting, unfinished or in hand. Asked through indexes, so that asking costs next to nothing. */
async function untilTold(book: Book): Promise<void> {
  const deadline = Date.now() + waitLimitMs;
  while (Date.now() < deadline) {
    await sleep(200);
    const [left] = await book.database.query<{ count: number }>(sql`
      select count(*) as count from (
        select 1 from event_cursors c join books n on n.company_id = c.company_id
        where c.last_event < n.last_event
        union all
        (select 1 from deliveries d
        where d.company_id = ${book.companyId} and d.status in ('pending', 'blocked') and d.event_number > 0
        limit 1)
        union all
        select 1 from claims k where k.company_id = ${book.companyId}
      ) as waiting`);
    if (left?.count === 0) return;
  }
  throw new Error("the backlog was not delivered in time");
}

/** Part g: a hundred endpoints under a steady load, first all healthy, then ten of them hanging. */
export async function isolateEndpoints(
  postgres: Postgres,
  plan: Plan,
  stopped: AbortSignal,
): Promise<Finding[]> {
  const receiver = await startReceiver(stopped);
  const book = await postgres.makeBook("isolation");
  const ids = [book.companyId];
  while (ids.length < companies) {
    const { company } = await createCompany(book.database, benchBox, {
      name: "Bench",
      fund: 1_000_000_000_000,
    });
    ids.push(company.id);
  }
  for (const id of ids) await subscribe(book, id, urlsOf(receiver));
  const service = await startService(book, "webhooks", stopped);
  try {
    await steadyLoad(book, ids, plan.warmUpSeconds);
    const healthy = await measureLatency(book, ids, plan.settleSeconds);
    receiver.hang(true);
    const beside = await measureLatency(book, ids, plan.settleSeconds);
    return [
      {
        id: "g",
        what: `(g) healthy endpoints' p99 from commit to 2xx, ${hangingPerCompany * companies} of 100 hanging`,
        measured: `p50 ${whole(beside.p50)} ms, p99 ${whole(beside.p99)} ms`,
        against: `none hanging: p50 ${whole(healthy.p50)} ms, p99 ${whole(healthy.p99)} ms`,
        // At most 1.2 times as long.
        ratio: healthy.p99 / beside.p99,
        target: rounded(1 / 1.2, 2),
        numbers: { healthy, beside },
      },
    ];
  } finally {
    await service.stop();
    await book.close();
    receiver.stop();
  }
}

function urlsOf(receiver: Receiver): string[] {
  return Array.from(
    { length: endpointsPerCompany },
    (_, place) => `${receiver.url}/${place < hangingPerCompany ? "hang" : "shop"}/${place}`,
  );
}

/** Events for a while, by default ten a second for each company, each to all of its endpoints. */
async function steadyLoad(
  book: Book,
  ids: readonly string[],
  seconds: number,
  { perSecond = 10 }: { readonly perSecond?: number } = {},
): Promise<void> {
  const tickMs = 100;
  const end = performance.now() + seconds * 1_000;
  let owed = 0;
  for (let next = performance.now(); next < end; next += tickMs) {
    owed += (perSecond * tickMs) / 1_000;
    for (const id of ids) await publish(book, id, Math.floor(owed));
    owed -= Math.floor(owed);
    await book.database.query(sql`select pg_notify('work_ready', 'webhooks')`);
    await sleep(Math.max(0, next + tickMs - performance.now()));
  }
}

async function measureLatency(
  book: Book,
  ids: readonly string[],
  seconds: number,
  rate?: { readonly perSecond: number },
) {
  const since = new Date();
  await steadyLoad(book, ids, seconds, rate);
  await sleep(2_000);
  const [row] = await book.database.query<{ p50: number; p99: number; count: number }>(sql`
    select count(*) as count,
      percentile_cont(0.5) within group (order by t.ms) as p50,
      percentile_cont(0.99) within group (order by t.ms) as p99
    from (
      select extract(epoch from a.started_at + a.duration_ms * interval '1 millisecond' - e.created_at)::float8 * 1000 as ms
      from ${attempts}
      join events e on e.company_id = a.company_id and e.number = a.event_number
      join webhooks w on w.company_id = a.company_id and w.id = a.webhook_id
      where a.started_at >= ${since} and a.status_code = 200 and w.url like '%/shop/%'
    ) as t`);
  if (row === undefined || row.count === 0) throw new Error("nothing was delivered");
  return { p50: row.p50, p99: row.p99, count: row.count };
}

/** Some time after the last one was told, when nobody has to be asked any more whether its sender has died. */
async function idleCpu(service: { cpuMs(): Promise<number> }, { database }: Book): Promise<number> {
  const seconds = 5;
  await database.query(sql`update work set ready_at = now() where queue = 'webhooks'`);
  await database.query(sql`select pg_notify('work_ready', 'webhooks')`);
  await sleep(1_000);
  const before = await service.cpuMs();
  await sleep(seconds * 1_000);
  return ((await service.cpuMs()) - before) / (seconds * 10);
}

async function subscribe(book: Book, companyId: string, urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    await book.database.transaction((tx) => createWebhook(tx, companyId, { topic, url }));
  }
}

/** Accepts so many transfers: an event is nothing without what it tells of. */
async function publish(book: Book, companyId: string, count: number): Promise<void> {
  const chunk = 500;
  for (let done = 0; done < count; done += chunk) {
    const submissions = Array.from({ length: Math.min(chunk, count - done) }, (_, place) => ({
      transfer: {
        reference: newUuid(Date.now()),
        msisdn: `2250710${String(place).padStart(6, "0")}`,
        amount: 25_000,
        fee: 0,
        description: "January salary",
        metadata: null,
        subCompanyId: null,
      },
      key: undefined,
      priceNumber: 1,
    }));
    await submitTransfers(book.database, companyId, newNonce(), submissions);
  }
}
