import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import {
  auditDifferences,
  makeCompany,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
} from "../../test/fixtures.ts";
import { sqlState } from "../database/errors.ts";
import { sql } from "../database/sql.ts";
import { forgetIdempotencyKeys } from "./forget-keys.ts";
import { turnKeys } from "./store.ts";

const transfer = (reference: string) => ({
  path: "/v1/transactions",
  body: { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference },
});
const shop = (name: string) => ({
  path: "/v1/sub-companies",
  body: { name, logoUrl: "https://shop.example/logo.png" },
});

test("a key answers for 30 days at least, through a change of generations, and is forgotten with the second", async ({
  db,
  service,
  company,
}) => {
  const requests = [transfer("r1"), shop("Shop")];
  const first = await Promise.all(requests.map((one) => send(service, company, one)));
  expect(first.map(({ status, replayed }) => [status, replayed])).toEqual([
    [201, null],
    [201, null],
  ]);
  expect(await forgetIdempotencyKeys(db.database)).toBe(false);
  await growOld(db, 29);
  expect(await forgetIdempotencyKeys(db.database)).toBe(false);
  await growOld(db, 31);
  expect(await forgetIdempotencyKeys(db.database)).toBe(true);
  expect(await forgetIdempotencyKeys(db.database)).toBe(false);
  expect(await keysIn(db)).toEqual({ idempotency_keys: 0, former_idempotency_keys: 2 });

  for (const [index, one] of requests.entries())
    expect(await send(service, company, one)).toEqual({ ...first[index], replayed: "true" });
  for (const other of [transfer("r2"), shop("Other")])
    expect((await send(service, company, other)).status).toBe(422);
  expect(await keysIn(db)).toEqual({ idempotency_keys: 0, former_idempotency_keys: 2 });

  await growOld(db, 31);
  expect(await forgetIdempotencyKeys(db.database)).toBe(true);
  expect(await keysIn(db)).toEqual({ idempotency_keys: 0, former_idempotency_keys: 0 });
  // The key is new again; the reference pays once, for ever.
  expect((await send(service, company, transfer("r1"))).status).toBe(409);
  expect((await send(service, company, shop("Shop"))).replayed).toBeNull();
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("generations do not change while a request has its key in hand", async ({ db, company }) => {
  await forgetIdempotencyKeys(db.database);
  await growOld(db, 31);
  for (const touch of [
    sql`insert into idempotency_keys (company_id, key, request_hash, made_id)
      values (${company.id}, 'k', '\\x00', gen_random_uuid())`,
    sql`select * from judge_keys(${company.id}, array['k'], array['\\x00'::bytea])`,
  ])
    await db.database.transaction(async (tx) => {
      await tx.query(touch);
      const error = await turnKeys(db.database, 30, 50).catch((refusal: unknown) => refusal);
      expect(sqlState(error)).toBe("55P03");
    });
  // PostgreSQL says that it gave up before it lets go of what it holds, and whoever seems to be at it is not waited for.
  await expect.poll(() => turnKeys(db.database, 30, 200)).toBe(true);
  const [judged] = await db.database.query(sql`
    select * from judge_keys(${company.id}, array['k'], array['\\x00'::bytea])`);
  expect(judged).toMatchObject({ problems: ["replayed"] });
});

test("201 once under each key, however often generations change meanwhile", async ({
  db,
  service,
}) => {
  const company = await makeCompany(db.database, { fund: 100_000_000 });
  const done = new AbortController();
  let turns = 0;
  const turning = (async () => {
    while (!done.signal.aborted) {
      // The former generation is as young as the present one: no key may be lost by this one change.
      if (turns < 1) await growOld(db, 31);
      if (await turnKeys(db.database, 30, 1_000).catch(() => false)) turns += 1;
    }
  })();
  await forgetIdempotencyKeys(db.database);
  const keys = Array.from({ length: 60 }, (_, index) => `key ${index}`);
  const made = await Promise.all(
    keys.flatMap((key, index) =>
      Array.from({ length: 4 }, async () => {
        const request = index % 2 === 0 ? transfer(`r${index}`) : shop(`Shop ${index}`);
        return { key, ...(await send(service, company, request, key)) };
      }),
    ),
  );
  done.abort();
  await turning;
  expect(turns).toBe(1);
  for (const key of keys) {
    const answers = made.filter((one) => one.key === key);
    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  }
  const [counts] = await db.database.query(sql`
    select (select count(*) from transfers) as transfers, (select count(*) from sub_companies) as shops`);
  expect(counts).toEqual({ transfers: 30, shops: 30 });
});

/** Lets the last change have been so many days ago. */
async function growOld({ database }: TestDatabase, days: number): Promise<void> {
  await database.query(sql`
    update turns set turned_at = now() - make_interval(days => ${days}) where subject = 'idempotency keys'`);
}

async function keysIn({ database }: TestDatabase) {
  const [row] = await database.query(sql`
    select (select count(*) from idempotency_keys) as idempotency_keys,
      (select count(*) from former_idempotency_keys) as former_idempotency_keys`);
  return row;
}

/** A busy machine turns some away. */
const triesMax = 30;

/** What was refused because there was too much is sent again, some times: nothing was done. Any other answer stands. */
async function send(
  service: TestService,
  company: TestCompany,
  request: { readonly path: string; readonly body: object },
  key = request.path,
): Promise<KeyedAnswer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await sendOnce(service, company, request, key);
    const isTurnedAway = answer.status === 503 && answer.text.includes('"code":"overloaded"');
    if (!isTurnedAway || tries === triesMax) return answer;
    await sleep(500);
  }
}

interface KeyedAnswer {
  readonly status: number;
  readonly text: string;
  readonly replayed: string | null;
}

async function sendOnce(
  service: TestService,
  company: TestCompany,
  { path, body }: { readonly path: string; readonly body: object },
  key: string,
): Promise<KeyedAnswer> {
  const answer = await fetch(service.url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${company.accessToken}`,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify(body),
  });
  const replayed = answer.headers.get("idempotency-replayed");
  return { status: answer.status, text: await answer.text(), replayed };
}
