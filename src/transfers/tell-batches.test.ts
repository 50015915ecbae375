import { expect } from "vitest";
import { paymentsOf } from "../../test/charges.ts";
import {
  auditDifferences,
  makeCompany,
  startService,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import { holdLock, untilLockAwaited } from "../../test/locks.ts";
import { startReceiver, subscribe } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { toPayload } from "../webhooks/event.ts";
import { settle } from "./settle-store.ts";

const [person, nobody] = ["2250700000000", "2250700000001"];

test("whoever subscribes is told once how a batch ended, with what the API says of it", async ({
  db,
  service,
}) => {
  const company = await makeCompany(db.database, {
    transferFee: { ratePpm: 10_000, flat: 0, min: 0, max: null },
  });
  const receiver = await startReceiver();
  await subscribe(service, company, receiver.url, ["batches/completed"]);
  const logo = { name: "Shop", logoUrl: "https://shop.example/logo.png" };
  const { accessToken: token } = company;
  const sub = await service.call("POST", "/v1/sub-companies", { token, body: logo });
  const ended = {
    completed: await send(service, company, [person, person]),
    partially_completed: await send(service, company, [person, nobody], sub.body.id),
    failed: await send(service, company, [nobody, nobody]),
  };
  await untilSettled(db.database);

  const received = (await receiver.until(3)).map(({ raw }) => raw);
  for (const [status, id] of Object.entries(ended)) {
    const { body } = await service.call("GET", `/v1/batches/${id}`, { token });
    const { transactions: _, ...batch } = body;
    expect(batch).toMatchObject({ status, totalFee: 100, completedFee: batch.completedCount * 50 });
    expect(received.filter((raw) => raw.includes(id))).toEqual([
      toPayload("batches/completed", { ...batch, completedAt: batch.updatedAt }),
    ]);
  }
  expect(await eventsOf(db)).toEqual(Object.values(ended).map(toUuid));
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("settled in parts by workers that race, a batch is told by the one that ends its last transfer", async ({
  db,
  company,
}) => {
  const batch = await sendUnsettled(db, company, [person, nobody, person, person, nobody, person]);
  const { policy } = paymentsOf(db);
  const request = { companyId: company.id, limit: 1 };
  for (let left = 6; left > 0; ) {
    expect(await eventsOf(db)).toEqual([]);
    const sets = await Promise.all([1, 2, 3].map(() => settle(db.database, policy, request)));
    left -= sets.flatMap(({ reasons }) => reasons ?? []).length;
  }

  expect(await eventsOf(db)).toEqual([toUuid(batch)]);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("a worker that dies at the end of a batch has told nothing, and the next one tells it once", async ({
  db,
  company,
}) => {
  const batch = await sendUnsettled(db, company, [person, nobody]);
  const { policy } = paymentsOf(db);
  const settleAll = () => settle(db.database, policy, { companyId: company.id, limit: 10 });

  for (const dies of [true, false]) {
    const release = await holdLock(db, `select 1 from batches where company_id = '${company.id}'`);
    const settling = Promise.allSettled([settlePatiently(db, company)]);
    await untilLockAwaited(db.database);
    expect(await settleAll()).toMatchObject({ looked_at: null });
    if (dies)
      await db.database.query(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
    else await release();
    const [outcome] = await settling;
    expect(outcome.status).toBe(dies ? "rejected" : "fulfilled");
    if (dies) await release();
    expect(await eventsOf(db)).toEqual(dies ? [] : [toUuid(batch)]);
  }
  expect(await settleAll()).toMatchObject({ looked_at: 0 });
  expect(await eventsOf(db)).toHaveLength(1);
  expect(await auditDifferences(db.database)).toEqual([]);
});

/** As a worker does, waiting for locks as long as a test may need. */
function settlePatiently({ database }: TestDatabase, { id }: TestCompany) {
  return database.query(sql`
    select looked_at from settle_transfers(
      ${id}, 10, null, null, false, 30000, 1000000, 1000000, ${person}, ${nobody})`);
}

async function sendUnsettled(db: TestDatabase, company: TestCompany, msisdns: readonly string[]) {
  const api = await startService(db, { ROLES: "api" });
  try {
    return await send(api, company, msisdns);
  } finally {
    await api.stop();
  }
}

async function send(
  service: TestService,
  { accessToken: token }: TestCompany,
  msisdns: readonly string[],
  subCompanyId?: string,
): Promise<string> {
  const transactions = msisdns.map((msisdn) => ({
    amount: 5_000,
    msisdn,
    reference: crypto.randomUUID(),
  }));
  const body = { transactions, ...(subCompanyId === undefined ? {} : { subCompanyId }) };
  const answer = await service.call("POST", "/v1/transactions/batch", { token, body });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

async function eventsOf({ database }: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ subject_id: string }>(sql`
    select subject_id from events where topic = 'batches/completed' order by number`);
  return rows.map(({ subject_id }) => subject_id);
}

function toUuid(publicId: string): string {
  return publicId
    .replace("bat_", "")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
