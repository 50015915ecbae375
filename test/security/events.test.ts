import { expect, onTestFinished } from "vitest";
import { rotateKey } from "../../src/companies/credentials.ts";
import { freezeCompany, unfreezeCompany } from "../../src/companies/freeze-company.ts";
import { Signals } from "../../src/database/signals.ts";
import { operator } from "../../src/trail/actor.ts";
import { ChargeClient } from "../charges.ts";
import {
  box,
  makeCompany,
  startService,
  type TestCompany,
  type TestService,
  test,
  untilSettled,
} from "../fixtures.ts";
import { atOnce, patience, send } from "../receiver.ts";

const digits = "9".repeat(400);
const arabicOne = "%D9%A1";
/** Of each parameter, with | between them, what a program in between could read differently, or this one read wrongly. */
const wrong: Readonly<Record<string, string>> = {
  after: `|-1|+1|%2B1|%201|1%20|1%0A|1.0|1e3|0x10|${arabicOne}|1,2|1;limit=1|null|NaN|LATEST|latest%0A|%00|%F0|1'--|${"9".repeat(16)}|${digits}|txn_1|1&after=2`,
  limit: `|0|-1|-0|101|1.5|1.0|1e1|0x10|0b1|%201|1%20|%2B1|007|${arabicOne}|null|NaN|true|Infinity|1e400|-1e400|${digits}|1&limit=2`,
  wait: `|-1|-0|31|0.5|1.0|1e1|0x1|%201|%2B1|01|${arabicOne}|null|NaN|true|Infinity|1e400|${digits}|1&wait=2`,
  topics: `|,|,,|*|transactions/completed,|,transactions/completed|transactions/completed%00|TRANSACTIONS/COMPLETED|%7Btransactions/completed%7D|transactions/completed'--|transactions|__proto__|constructor|toString|${"x".repeat(301)}|charge/events&topics=charge/events`,
};
const unknown = [
  "after[]=1",
  "after[x]=1",
  "cursor=x",
  "companyId=x",
  "company_id=x",
  "__proto__=1",
  "=1",
];

function ask(service: TestService, { accessToken: token }: TestCompany, query = "", headers = {}) {
  return service.call("GET", `/v1/events${query}`, { token, headers });
}

test("400 at once: every parameter in its worst shapes, and every parameter that is none", async ({
  service,
  company,
}) => {
  await send(service, company, "r1");
  const queries = [
    ...Object.entries(wrong).flatMap(([name, values]) =>
      values.split("|").map((value) => `${name}=${value}`),
    ),
    ...unknown,
  ];
  for (const query of queries) {
    const since = performance.now();
    // What is wrong is told before anything is waited for.
    const waiting = query.startsWith("wait") ? "" : "&wait=30";
    const { status, body } = await ask(service, company, `?${query}${waiting}`);
    expect([status, body.data, typeof body.code], query.slice(0, 60)).toEqual([
      400,
      undefined,
      "string",
    ]);
    expect(performance.now() - since, query.slice(0, 60)).toBeLessThan(29_000);
  }
});

test("another company's numbers lead to nothing of it, and tell neither how much happens there nor whether it is there", async ({
  db,
  service,
  company,
}) => {
  const busy = await makeCompany(db.database, { name: "Busy" });
  for (const reference of ["b1", "b2", "b3"]) await send(service, busy, reference);
  await send(service, company, "own");
  await untilSettled(db.database);
  const theirs = await ask(service, busy);
  expect(theirs.body.lastSequence).toBe(6);

  const own = await ask(service, company);
  expect(own.body.data.map((one: Told) => one.payload.data.reference)).toEqual(["own", "own"]);
  for (const after of [3, theirs.body.lastSequence, 999_999_999_999_999]) {
    const { status, body } = await ask(service, company, `?after=${after}&wait=30`);
    expect([status, body.code]).toEqual([409, "events_unknown"]);
    expect(body.message).toContain("the last is 2");
    expect(JSON.stringify(body)).not.toMatch(/Busy|b[123]"/);
  }
  const between = await ask(service, company, "?after=2");
  expect(between.body).toEqual({ count: 0, lastSequence: 2, hasMore: false, data: [] });

  const nobodys = "com_00000000000000000000000000000000";
  const answers = await Promise.all(
    [`com_${busy.id.replaceAll("-", "")}`, busy.id, nobodys].map((id) =>
      ask(service, company, "", { "x-company-id": id }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  expect(new Set(answers.map(({ body }) => body.message)).size).toBe(1);
});

test("what waits for one company does not wake for another, nor hear its events", async ({
  db,
  service,
  company,
}) => {
  const busy = await makeCompany(db.database);
  const waiting = ask(service, company, "?after=latest&wait=2");
  await untilWaiting(service, 1);
  for (const reference of ["b1", "b2"]) await send(service, busy, reference);

  expect((await waiting).body).toEqual({ count: 0, lastSequence: 0, hasMore: false, data: [] });
});

test("403: a company that is frozen hears nothing, waiting or not; 200 when it may work again, and nothing was lost", async ({
  db,
  service,
  company,
}) => {
  const signals = new Signals(db.url, db.database);
  await new ChargeClient(service, company).made();
  const waiting = ask(service, company, "?after=latest&wait=30");
  await untilWaiting(service, 1);
  await freezeCompany(db.database, signals, company.id, operator());
  await expect.poll(async () => (await ask(service, company)).status, atOnce).toBe(403);

  // The freeze drops the charge, and that is an event: the wait ends by it, and not by its half minute.
  const since = performance.now();
  const { status, body } = await waiting;
  expect(performance.now() - since).toBeLessThan(29_000);
  expect([status, body.code, body.data]).toEqual([403, "company_frozen", undefined]);
  for (const query of ["?after=latest&wait=30", "?after=0", "?after=7"])
    expect((await ask(service, company, query)).status, query).toBe(403);

  await unfreezeCompany(db.database, signals, company.id, operator());
  await expect.poll(async () => (await ask(service, company)).status, atOnce).toBe(200);
  const { body: told } = await ask(service, company);
  expect(told.data.map(({ payload }: Told) => payload.data.status)).toEqual(["dropped"]);
});

test("401: a key whose time is over while it waits hears of nothing that happens afterwards", async ({
  db,
  service,
  company,
}) => {
  const signals = new Signals(db.url, db.database);
  const waiting = ask(service, company, "?after=latest&wait=30");
  await untilWaiting(service, 1);
  const rotation = { companyId: company.id, overlapSeconds: 1 };
  const { accessToken } = await rotateKey(db.database, signals, box, new Date(), rotation);
  await expect.poll(async () => (await ask(service, company)).status, atOnce).toBe(401);
  await send(service, { ...company, accessToken }, "after");

  const { status, body } = await waiting;
  expect([status, body.code, body.data]).toEqual([401, "invalid_token", undefined]);
});

test("a thousand events are looked at for one answer, whatever is asked for, and every one of them is met once", async ({
  db,
  company,
}) => {
  const service = await startService(db);
  onTestFinished(() => service.stop());
  const transactions = Array.from({ length: 1_500 }, (_, row) => ({
    amount: 5_000,
    msisdn: "2250700000000",
    reference: `row-${row}`,
  }));
  const rich = await makeCompany(db.database, { fund: 10_000_000 });
  const body = { transactions };
  const made = await service.call("POST", "/v1/transactions/batch", {
    token: rich.accessToken,
    body,
  });
  expect(made.status).toBe(201);
  await untilSettled(db.database, 120_000);
  const { lastSequence: last } = (await ask(service, rich, "?after=latest")).body;
  expect(last).toBeGreaterThanOrEqual(3_000);

  // None of them is wanted: the answer comes before all were looked at, waits for nothing, and says that there is more.
  const topics = Array.from({ length: 20 }, () => "charge/events").join(",");
  const first = await ask(service, rich, `?topics=${topics}&wait=30`);
  expect(first.body).toEqual({ count: 0, lastSequence: 1_000, hasMore: true, data: [] });

  const seen = new Map<string, number>();
  for (let after = 0; after < last; ) {
    const { text, answer } = await read(service, rich, `?after=${after}`);
    expect(answer.count).toBeLessThanOrEqual(100);
    expect(text.length).toBeLessThan(200_000);
    expect(answer.data.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: answer.count }, (_, place) => after + 1 + place),
    );
    for (const { topic, payload } of answer.data) {
      const name = `${topic} ${payload.data.reference}`;
      seen.set(name, (seen.get(name) ?? 0) + 1);
    }
    after = answer.lastSequence;
  }
  expect([...seen.values()].filter((times) => times !== 1)).toEqual([]);
  expect((await ask(service, company)).body.count).toBe(0);
});

interface Told {
  readonly sequence: number;
  readonly topic: string;
  readonly payload: { readonly data: { readonly reference?: string; readonly status?: string } };
}

async function read(service: TestService, { accessToken }: TestCompany, query: string) {
  const headers = { authorization: `Bearer ${accessToken}` };
  const text = await (await fetch(`${service.url}/v1/events${query}`, { headers })).text();
  const answer = JSON.parse(text) as {
    readonly count: number;
    readonly lastSequence: number;
    readonly data: readonly Told[];
  };
  return { text, answer };
}

async function untilWaiting(service: TestService, count: number): Promise<void> {
  const line = `cauri_events_waiting ${count}\n`;
  await expect
    .poll(async () => String((await service.call("GET", "/metrics")).body), patience)
    .toContain(line);
}
