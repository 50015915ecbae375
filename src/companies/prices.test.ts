import { describe, expect, onTestFinished } from "vitest";
import { ChargeClient, chargeRequest } from "../../test/charges.ts";
import {
  auditDifferences,
  makeCompany,
  startService,
  type TestDatabase,
  test,
} from "../../test/fixtures.ts";
import { holdLock, untilLockAwaited } from "../../test/locks.ts";
import { passTriggers } from "../../test/past-triggers.ts";
import { shiftDate } from "../../torture/clock/shift-date.ts";
import { Database } from "../database/database.ts";
import { DatabaseUnavailable } from "../database/errors.ts";
import { sql } from "../database/sql.ts";
import { changeCompany, pricesOf } from "./change-company.ts";
import { CrossedBounds } from "./errors.ts";
import { getCompany } from "./find-company.ts";

const onePercent = { transferFee: { ratePpm: 10_000 }, chargeFeeRatePpm: 10_000 };
const twoPercent = { transferFee: { ratePpm: 20_000 }, chargeFeeRatePpm: 20_000 };

/** A node that is never told that anything changed. */
async function deafNode({ url }: TestDatabase) {
  const database = new Database({ url, poolSize: 5 });
  const node = await startService({ url, database }, { ROLES: "api" });
  onTestFinished(async () => {
    await node.stop();
    await database.close();
  });
  return node;
}

function transferOf(reference: string, amount = 10_000) {
  return { type: "transfer", amount, msisdn: "2250700000000", reference };
}

describe("a price", () => {
  test("holds for what comes after it; what was there before keeps its own, and the audit tells them apart", async ({
    db,
    service,
    company,
  }) => {
    const { accessToken: token } = company;
    const send = async (reference: string) =>
      (await service.call("POST", "/v1/transactions", { token, body: transferOf(reference) })).body
        .fee;
    const charges = new ChargeClient(service, company);
    const charge = async (externalId: string) =>
      (await charges.get(await charges.made({ externalId, amount: 10_000 }))).body.fees.value;

    const fees = [await send("free"), await charge("free")];
    await changeCompany(db.database, company.id, { price: onePercent });
    fees.push(await send("one"), await charge("one"));
    await changeCompany(db.database, company.id, { price: twoPercent });
    fees.push(await send("two"), await charge("two"));
    expect(fees).toEqual([0, 0, 100, 100, 200, 200]);

    const prices = await pricesOf(db.database, company.id);
    expect(prices.map(({ number, chargeFeeRatePpm }) => [number, chargeFeeRatePpm])).toEqual([
      [3, 20_000],
      [2, 10_000],
      [1, 0],
    ]);
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("is judged by under the company's lock: a request that waited while it was changed costs the new one", async ({
    db,
    service,
    company,
  }) => {
    const { accessToken: token } = company;
    const isAccepted = (answer: { status: number }) => answer.status === 201;
    // The node has seen the company before, and remembers it.
    await service.call("GET", "/v1/balance", { token });
    const release = await holdLock(db, `select 1 from books where company_id = '${company.id}'`);
    const changing = changeCompany(db.database, company.id, { price: onePercent });
    await untilLockAwaited(db.database);
    const body = { transactions: [transferOf("b1"), transferOf("b2")] };
    const sent = [
      service.call("POST", "/v1/transactions", { token, body: transferOf("single") }),
      service.call("POST", "/v1/transactions/batch", { token, body }),
      service.call("POST", "/v1/charges", { token, body: { ...chargeRequest, amount: 10_000 } }),
    ];
    await untilLockAwaited(db.database, 3);
    await release();
    await changing;

    const [single, batch, charge] = await Promise.all(sent);
    expect(
      [single, batch, charge].every((answer) => answer !== undefined && isAccepted(answer)),
    ).toBe(true);
    expect([single?.body.fee, batch?.body.totalFee, charge?.body.fees.value]).toEqual([
      100, 200, 100,
    ]);
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("reaches a node that was told nothing: what it knew is neither charged nor refused by", async ({
    db,
    company,
  }) => {
    const node = await deafNode(db);
    const { accessToken: token } = company;
    const post = (path: string, body: unknown) => node.call("POST", path, { token, body });
    expect((await post("/v1/transactions", transferOf("before"))).body.fee).toBe(0);

    // No signal is sent: only the command does that.
    await changeCompany(db.database, company.id, {
      price: { ...onePercent, transferAmount: { min: 100 }, chargeAmount: { max: 20_000 } },
    });

    const small = await post("/v1/transactions", transferOf("small", 150));
    expect([small.status, small.body.fee]).toEqual([201, 2]);
    const batch = await post("/v1/transactions/batch", { transactions: [transferOf("row", 200)] });
    expect([batch.status, batch.body.totalFee]).toEqual([201, 2]);
    const large = await post("/v1/charges", { ...chargeRequest, amount: 20_001 });
    expect([large.status, large.body.code]).toEqual([400, "invalid_request"]);
    const charge = await post("/v1/charges", { ...chargeRequest, amount: 20_000 });
    expect(charge.body.fees).toMatchObject({ rate: 0.01, value: 200 });
    const tooSmall = await post("/v1/transactions", transferOf("too small", 99));
    expect(tooSmall.body.details[0].message).toContain("100");
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("does not matter to a repetition: it answers what was accepted at the old one", async ({
    db,
    service,
    company,
  }) => {
    const { accessToken: token } = company;
    const headers = { "idempotency-key": "once" };
    const send = () =>
      service.call("POST", "/v1/transactions", { token, headers, body: transferOf("once") });
    const first = await send();
    await changeCompany(db.database, company.id, { price: { transferFee: { flat: 500 } } });

    const second = await send();
    expect(second.body).toEqual(first.body);
    const reused = await service.call("POST", "/v1/transactions", {
      token,
      body: transferOf("once"),
    });
    expect(reused.body.code).toBe("duplicate_reference");
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("that two nodes change at once is changed twice, one after the other, and nothing is lost", async ({
    db,
    company,
  }) => {
    const release = await holdLock(db, `select 1 from books where company_id = '${company.id}'`);
    const changes = [
      changeCompany(db.database, company.id, { price: { transferFee: { flat: 5 } } }),
      changeCompany(db.database, company.id, { price: { transferAmount: { max: 400_000 } } }),
      changeCompany(db.database, company.id, { name: "Boutique Awa" }),
    ];
    await untilLockAwaited(db.database, 2);
    await release();
    await Promise.all(changes);

    expect(await getCompany(db.database, company.id)).toMatchObject({
      name: "Boutique Awa",
      priceNumber: 3,
      transferFee: { flat: 5 },
      transferAmount: { min: 5_000, max: 400_000 },
    });
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("whose bounds would cross is refused, and one that is what it was changes nothing", async ({
    db: { database },
    company: { id },
  }) => {
    const set = (price: object) => changeCompany(database, id, { price });
    await expect(set({ transferAmount: { min: 500_001 } })).rejects.toThrow(CrossedBounds);
    await set({ transferFee: { max: 200 } });
    await expect(set({ transferFee: { min: 300 } })).rejects.toThrow("--transfer-fee-max");
    await set({ transferFee: { max: 200 } });
    await set({ transferFee: { min: 300, max: null } });

    expect((await pricesOf(database, id)).map(({ number }) => number)).toEqual([3, 2, 1]);
    expect(await auditDifferences(database)).toEqual([]);
  });

  test("that was changed is not for a node of the release before: it is asked to come again", async ({
    db: { database },
  }) => {
    const { id } = await makeCompany(database);
    const submit = () =>
      database.query(sql`
        select places from submit_transfers(${id}, false, null, 1, '{a}', '{2250700000000}', '{5000}', '{0}',
          null, null, null, null, null)`);
    await changeCompany(database, id, { price: onePercent });
    await expect(submit()).rejects.toThrow(DatabaseUnavailable);
    expect(await database.query(sql`select 1 from transfers where company_id = ${id}`)).toEqual([]);
  });

  test("of a company that has no row of its first one gets it with the first change", async ({
    db: { database },
    company: { id },
  }) => {
    await database.transaction(async (tx) => {
      await passTriggers(tx);
      await tx.query(sql`delete from prices where company_id = ${id}`);
    });
    expect(await auditDifferences(database)).toEqual([]);
    await changeCompany(database, id, { price: onePercent });

    expect((await pricesOf(database, id)).map(({ number }) => number)).toEqual([2, 1]);
    expect(await auditDifferences(database)).toEqual([]);
  });
});

test("a company is made at the database's time, so that a program whose clock is ahead makes no price of the future", async ({
  db,
}) => {
  const putRight = shiftDate(() => 3_600_000);
  onTestFinished(putRight);
  const { id } = await makeCompany(db.database);
  await changeCompany(db.database, id, { price: { transferFee: { flat: 3 } } });
  const [made] = await db.database.query<{ apart: number }>(sql`
    select abs(extract(epoch from created_at - now()))::float8 as apart from companies where company_id = ${id}`);
  expect(made?.apart).toBeLessThan(600);
  expect(await auditDifferences(db.database)).toEqual([]);
});
