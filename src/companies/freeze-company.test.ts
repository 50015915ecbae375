import pg from "pg";
import { describe, expect, onTestFinished } from "vitest";
import { ChargeClient, chargeEvents, fillWallet, walletOf } from "../../test/charges.ts";
import { deskOf, member, trusted } from "../../test/desk.ts";
import {
  auditDifferences,
  makeCustomer,
  startService,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import { holdLock, untilLockAwaited } from "../../test/locks.ts";
import { atOnce, patience } from "../../test/receiver.ts";
import { approve } from "../approvals/decide.ts";
import { propose } from "../approvals/propose.ts";
import { Signals } from "../database/signals.ts";
import { sql } from "../database/sql.ts";
import { operator } from "../trail/actor.ts";
import { freezeCompany, unfreezeCompany } from "./freeze-company.ts";

const by = operator("company freeze");
const phone = "2250711111111";
const noWorkers = { ROLES: "api" };

function freezing({ url, database }: TestDatabase, { id }: TestCompany) {
  const signals = new Signals(url, database);
  return {
    freeze: () => freezeCompany(database, signals, id, by),
    unfreeze: () => unfreezeCompany(database, signals, id, by),
  };
}

function send(service: TestService, { accessToken: token }: TestCompany, reference: string) {
  const body = { type: "transfer", amount: 5_000, msisdn: phone, reference };
  return service.call("POST", "/v1/transactions", { token, body });
}

/** A freeze that has written everything and not yet committed: what others do now waits, and must see it. */
async function frozenUncommitted({ url }: TestDatabase, { id }: TestCompany) {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("set idle_in_transaction_session_timeout = '30s'");
  await client.query("begin");
  await client.query("select take_places($1, 'charges', 1)", [id]);
  await client.query("update books set is_frozen = true where company_id = $1", [id]);
  await client.query(
    `insert into company_trail (company_id, id, operator, via, action, subject)
      values ($1, gen_random_uuid(), 'awa', 'company freeze', 'company.frozen', '')`,
    [id],
  );
  return () => client.query("commit");
}

async function serviceWith(db: TestDatabase, settings: Record<string, string>) {
  const service = await startService(db, settings);
  onTestFinished(() => service.stop());
  return service;
}

describe("a frozen company", () => {
  test("403: every request, on every node, until it is unfrozen; its neighbour goes on", async ({
    db,
    service,
    company,
  }) => {
    const other = await serviceWith(db, {});
    const { freeze, unfreeze } = freezing(db, company);
    const read = (from: TestService) =>
      from.call("GET", "/v1/balance", { token: company.accessToken });
    for (const node of [service, other]) expect((await read(node)).status).toBe(200);

    expect(await freeze()).toBe(true);
    expect(await freeze()).toBe(false);
    for (const node of [service, other])
      await expect.poll(async () => (await read(node)).status, atOnce).toBe(403);
    expect((await read(service)).body).toMatchObject({
      error: "Forbidden",
      code: "company_frozen",
    });
    for (const [method, path] of [
      ["GET", "/v1/transactions"],
      ["POST", "/v1/charges"],
      ["POST", "/v1/webhooks"],
      ["GET", "/v1/nothing"],
    ] as const)
      expect((await service.call(method, path, { token: company.accessToken })).status).toBe(403);

    expect(await unfreeze()).toBe(true);
    for (const node of [service, other])
      await expect.poll(async () => (await read(node)).status, atOnce).toBe(200);
    const rows = await db.database.query<{ action: string }>(sql`
      select action from company_trail where company_id = ${company.id} order by id`);
    expect(rows.map(({ action }) => action)).toEqual([
      "company.created",
      "company.frozen",
      "company.unfrozen",
    ]);
  });

  test("what is pending ends: transfers fail and their money comes back, charges are dropped and told", async ({
    db,
    company,
  }) => {
    await makeCustomer(db.database, phone);
    const api = await serviceWith(db, noWorkers);
    const charges = new ChargeClient(api, company);
    const chargeId = await charges.made();
    expect((await send(api, company, "one")).status).toBe(201);

    await freezing(db, company).freeze();
    await serviceWith(db, {});
    await untilSettled(db.database);

    expect(await walletOf(db, phone)).toBe(0);
    const outcomes = await db.database.query(sql`
      select status, failure_reason from outcomes where company_id = ${company.id}`);
    expect(outcomes).toEqual([{ status: "failed", failure_reason: "UNKNOWN_ERROR" }]);
    await expect
      .poll(async () => (await chargeEvents(db, company.id)).map(({ data }) => data), patience)
      .toMatchObject([{ id: chargeId, status: "dropped", droppedReason: "CANCELED" }]);
    const [books] = await db.database.query(sql`
      select available, in_flight from books where company_id = ${company.id}`);
    expect(books).toEqual({ available: 1_000_000, in_flight: 0 });
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("a charge that was created after the company was unfrozen stays due, whatever a late worker saw", async ({
    db,
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const { freeze, unfreeze } = freezing(db, company);
    const first = await charges.made({ externalId: "first" });
    await freeze();
    await expect
      .poll(
        async () => (await chargeEvents(db, company.id)).map(({ subject }) => subject),
        patience,
      )
      .toEqual([first]);
    await unfreeze();
    await expect.poll(async () => (await charges.get(first)).status, patience).toBe(200);
    const second = await charges.made({ externalId: "second" });
    expect((await charges.get(second)).body.status).toBe("due");
    expect((await charges.pay(second)).body.status).toBe("paid");
  });
});

describe("a freeze that commits first wins", () => {
  test("over a transfer and a charge that were let in by a node that did not know yet", async ({
    db,
    company,
  }) => {
    const api = await serviceWith(db, noWorkers);
    const charges = new ChargeClient(api, company);
    expect(await charges.balance()).toBe(1_000_000);
    const commit = await frozenUncommitted(db, company);

    const [transfer, charge] = [send(api, company, "one"), charges.create()];
    await untilLockAwaited(db.database);
    await commit();

    for (const answer of [await transfer, await charge])
      expect([answer.status, answer.body.code]).toEqual([403, "company_frozen"]);
    expect(
      await db.database.query(sql`select 1 from transfers union select 1 from charges`),
    ).toEqual([]);
  });

  test("over a payment, a refund and an approved refund that wait for the company's books", async ({
    db,
    service,
    company,
  }) => {
    // Each of its own person, so that none of the three waits for another.
    const people = [phone, "2250711111112", "2250711111113"] as const;
    for (const person of people) {
      await makeCustomer(db.database, person);
      await fillWallet(db, service, company, person, 20_000);
    }
    const charges = new ChargeClient(service, company);
    const [paid, approved] = [
      await charges.made({ externalId: "paid" }),
      await charges.made({ externalId: "approved" }),
    ];
    expect((await charges.pay(paid, people[0])).body.status).toBe("paid");
    expect((await charges.pay(approved, people[1])).body.status).toBe("paid");
    const due = await charges.made({ externalId: "due" });
    const desk = deskOf(db.database);
    const checker = await member(db.database, company.id);
    const waiting = await propose(desk, {
      companyId: company.id,
      by: await member(db.database, company.id),
      title: "Commande",
      asked: { kind: "refund", chargeId: approved, amount: undefined },
    });
    const commit = await frozenUncommitted(db, company);

    const refunds = [
      charges.refund(paid),
      approve(desk, {
        companyId: company.id,
        proposalId: waiting.id,
        reviewedHash: waiting.hash,
        by: checker,
        checkPerson: trusted,
      }),
    ] as const;
    await untilLockAwaited(db.database, 2);
    const payment = charges.pay(due, people[2]);
    await untilLockAwaited(db.database, 3);
    await commit();
    for (const answer of [await payment, await refunds[0]])
      expect([answer.status, answer.body.code]).toEqual([403, "company_frozen"]);
    expect(await refunds[1]).toMatchObject({ state: "stopped", problem: "company_frozen" });
    // This node was not told, so it still believes the token.
    const hook = { topic: "charge/events", url: "http://127.0.0.1:9/" };
    for (const answer of [
      await charges.refund(paid),
      await service.call("POST", "/v1/webhooks", { token: company.accessToken, body: hook }),
    ])
      expect([answer.status, answer.body.code]).toEqual([403, "company_frozen"]);
    for (const [index, balance] of [10_000, 10_000, 20_000].entries())
      expect(await walletOf(db, people[index] ?? "")).toBe(balance);
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("over a settlement that has credited the wallet already", async ({ db, company }) => {
    await makeCustomer(db.database, phone);
    const api = await serviceWith(db, noWorkers);
    expect((await send(api, company, "one")).status).toBe(201);
    const commit = await frozenUncommitted(db, company);

    await serviceWith(db, { ROLES: "worker" });
    await untilLockAwaited(db.database);
    await commit();
    await untilSettled(db.database);

    expect(await walletOf(db, phone)).toBe(0);
    const outcomes = await db.database.query(sql`
      select status, failure_reason from outcomes where company_id = ${company.id}`);
    expect(outcomes).toEqual([{ status: "failed", failure_reason: "UNKNOWN_ERROR" }]);
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test.for([
    { first: "a transfer", list: "books where true" },
    { first: "a charge", list: "list_ends where list = 'charges'" },
  ])(
    "and $first that came first is waited for, and then ends with the rest",
    async ({ list }, { db, service, company }) => {
      await new ChargeClient(service, company).made();
      const release = await holdLock(db, `select 1 from ${list} and company_id = '${company.id}'`);
      let isFrozen = false;
      const freeze = freezing(db, company)
        .freeze()
        .then(() => (isFrozen = true));
      await untilLockAwaited(db.database);
      expect(isFrozen).toBe(false);
      await release();
      await freeze;
      expect(isFrozen).toBe(true);
    },
  );
});
