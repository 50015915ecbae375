import { randomUUID } from "node:crypto";
import { expect, onTestFinished } from "vitest";
import { ChargeClient } from "../../test/charges.ts";
import {
  auditDifferences,
  makeCompany,
  startService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import { rewriteHistory } from "../../test/history.ts";
import { send } from "../../test/receiver.ts";
import { isFoundAt } from "../../test/spoil.ts";
import { ask, makeSubCompany, readAll } from "../../test/statements.ts";
import { fundCompany } from "../companies/fund-company.ts";
import { sql } from "../database/sql.ts";
import { statementChecks } from "./audit-chain.ts";
import { readStatement } from "./read-statement.ts";
import type { StatementLine } from "./statement.ts";

const stranger = "2250733333333";
const fees = {
  transferFee: { ratePpm: 10_000, flat: 0, min: 0, max: null },
  chargeFeeRatePpm: 20_000,
};

test("200: every change of the balance is a line, with what it belongs to and how much of it was a fee", async ({
  db,
  service,
}) => {
  const company = await makeCompany(db.database, { ...fees, fund: 100_000 });
  const charges = new ChargeClient(service, company);
  const sent = await send(service, company, "sent", { description: "January" });
  await untilSettled(db.database);
  await send(service, company, "back", { msisdn: `+${stranger}` });
  await untilSettled(db.database);
  const paid = await charges.paid({ amount: 10_000 });
  expect((await charges.refund(paid, { amount: 5_000 })).status).toBeLessThan(300);

  const statement = await readAll(service, company);

  const told = statement.lines.map(({ kind, amount, fee, balanceAfter }: StatementLine) => [
    kind,
    amount,
    fee,
    balanceAfter,
  ]);
  expect(told).toEqual([
    ["funding", 100_000, 0, 100_000],
    ["transfer", -5_050, 50, 94_950],
    ["transfer", -5_050, 50, 89_900],
    ["transfer_returned", 5_050, -50, 94_950],
    ["payment", 9_800, 200, 104_750],
    ["refund", -4_900, -100, 99_850],
  ]);
  expect(statement).toMatchObject({ from: null, to: null, currency: "XOF", openingBalance: 0 });
  expect(statement.closingBalance).toBe(await charges.balance());
  expect(statement.totals).toEqual([
    { kind: "funding", count: 1, amount: 100_000, fee: 0 },
    { kind: "transfer", count: 2, amount: -10_100, fee: 100 },
    { kind: "transfer_returned", count: 1, amount: 5_050, fee: -50 },
    { kind: "payment", count: 1, amount: 9_800, fee: 200 },
    { kind: "refund", count: 1, amount: -4_900, fee: -100 },
  ]);
  expect(statement.lines[1]).toMatchObject({
    id: sent.id,
    reference: "sent",
    serviceTransactionReference: sent.serviceTransactionReference,
    msisdn: "2250700000000",
    memo: "January",
    externalId: null,
    chargeId: null,
  });
  expect(statement.lines[3]).toMatchObject({ reference: "back", msisdn: `+${stranger}` });
  const { transactions } = (await charges.get(paid)).body;
  expect(statement.lines.slice(4).map(({ id }: StatementLine) => id)).toEqual(
    transactions.map(({ id }: { id: string }) => id),
  );
  expect(statement.lines[4]).toMatchObject({
    chargeId: paid,
    externalId: "order-1",
    serviceTransactionReference: transactions[0].providerTransactionReference,
    memo: "Order 1",
    reference: null,
  });
});

test("200: a statement adds up while money moves, and its pages stay cut where the first was", async ({
  db,
}) => {
  const service = await startService(db);
  onTestFinished(() => service.stop());
  const company = await makeCompany(db.database, { ...fees, fund: 10_000_000 });
  const charges = new ChargeClient(service, company);
  const stop = new AbortController();
  let sent = 0;
  const traffic = Array.from({ length: 4 }, async (_, worker) => {
    while (!stop.signal.aborted) {
      sent += 1;
      const msisdn = sent % 3 === 0 ? stranger : "2250700000000";
      await send(service, company, `${worker} ${sent}`, { msisdn });
      if (worker === 0) await charges.paid({ externalId: `order ${sent}` });
    }
  });

  for (let round = 0; round < 5; round += 1) {
    const { closingBalance } = await readAll(service, company, { limit: "7" });
    const whole = await readStatement(db.database, { companyId: company.id, period: {} });
    let sum = whole.head.opening;
    for await (const lines of whole.lines) for (const line of lines) sum += line.amount;
    expect(sum).toBe(whole.head.closing);
    expect(closingBalance).toBeGreaterThan(0);
  }
  stop.abort();
  await Promise.all(traffic);
  await untilSettled(db.database);

  const { closingBalance } = await readAll(service, company, { limit: "1000" });
  expect(closingBalance).toBe(await charges.balance());
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("200: back and forth through the pages of a company with thousands of postings, and through those of its sub-companies", async ({
  db,
  service,
}) => {
  const company = await makeCompany(db.database, { ...fees, fund: 100_000_000 });
  const [often = "", seldom = "", never = ""] = await Promise.all(
    ["Often", "Seldom", "Never"].map((name) => makeSubCompany(service, company, name)),
  );
  for (let batch = 0; batch < 3; batch += 1) {
    const transactions = Array.from({ length: 250 }, (_, row) => ({
      type: "transfer",
      amount: 5_000 + row,
      msisdn: row % 10 === 0 ? stranger : "2250700000000",
      reference: `${batch} ${row}`,
      ...(row % 2 === 0 ? { subCompanyId: often } : {}),
      ...(row === 201 ? { subCompanyId: seldom } : {}),
    }));
    const answer = await service.call("POST", "/v1/transactions/batch", {
      token: company.accessToken,
      body: { transactions },
    });
    expect(answer.status).toBe(201);
    await untilSettled(db.database);
  }
  const charges = new ChargeClient(service, company);
  await charges.paid({ subCompanyId: seldom });

  const whole = await readAll(service, company, { limit: "400" });
  expect(whole.lines).toHaveLength(1 + 750 + 75 + 1);
  const ofOften = await readAll(service, company, { limit: "300", subCompanyId: often });
  const isOften = (line: Partial<StatementLine>) => line.subCompanyId === often;
  expect(ofOften.lines.map(({ number }: StatementLine) => number)).toEqual(
    whole.lines.filter(isOften).map(({ number }: StatementLine) => number),
  );
  const ofSeldom = await readAll(service, company, { limit: "1", subCompanyId: seldom });
  expect(
    ofSeldom.lines.map(({ kind, subCompanyName }: StatementLine) => [kind, subCompanyName]),
  ).toEqual(["transfer", "transfer", "transfer", "payment"].map((kind) => [kind, "Seldom"]));
  const ofNever = await readAll(service, company, { subCompanyId: never });
  expect(ofNever).toMatchObject({ openingBalance: 0, closingBalance: 0, totals: [], lines: [] });

  for (const query of [`limit=3&subCompanyId=${seldom}`, "limit=500"]) {
    const first = await ask(service, company, `?${query}`);
    const second = await ask(service, company, `?${query}&cursor=${first.cursor.next}`);
    const back = await ask(service, company, `?${query}&cursor=${second.cursor.prev}`);
    expect(back.data).toEqual(first.data);
    expect(back.cursor.prev).toBe(null);
    expect(back.cursor.next).toBe(first.cursor.next);
  }
  // What was summed on the way is what the audit sums.
  const kept = sql`select 1 from statement_totals where company_id = ${company.id}`;
  expect((await db.database.query(kept)).length).toBeGreaterThan(5);
  expect(await auditDifferences(db.database)).toEqual([]);
  const sums = statementChecks.filter(({ name }) => name.startsWith("the sums of statements"));
  const [at] = await db.database.query<{ number: number; sub: string }>(sql`
    select number, sub_company_id as sub from statement_totals where company_id = ${company.id}
    order by random() limit 1`);
  const one = `where company_id = '${company.id}' and sub_company_id = '${at?.sub}' and number = ${at?.number}`;
  for (const change of [
    `update statement_totals set amounts[1] = amounts[1] + 1 ${one}`,
    `update statement_totals set fees[1] = fees[1] + 1 ${one}`,
    `update statement_totals set counts[1] = counts[1] + 1 ${one}`,
    `update statement_totals set events[1] = 'charge.refunded' ${one}`,
    `update statement_totals set number = number + 500 ${one}`,
    `update statement_totals set sub_company_id = '${randomUUID()}' ${one}`,
    "delete from statement_totals",
  ])
    expect(await isFoundAt(db.database, [change], () => true, sums), change).toBe(true);
});

test("200: days are the company's own, and statements of neighbouring days meet", async ({
  db,
  service,
}) => {
  const { database } = db;
  const company = await makeCompany(database, { fund: 100_000 });
  for (const amount of [20_000, 3_000, 400])
    await fundCompany(database, new Date(), { companyId: company.id, amount });
  // The third was posted half an hour before midnight of 30 January in Dakar: on 31 January further east.
  const moments = ["2026-01-30T10:00:00Z", "2026-01-30T22:59:59.999Z", "2026-01-30T23:30:00Z"];
  await rewriteHistory(database, company.id, (posting) => ({
    ...posting,
    at: new Date(moments[posting.number - 1] ?? "2026-01-31T12:00:00.123Z"),
  }));
  const numbers = async (query: string) =>
    (await ask(service, company, `?limit=100&${query}`)).data.map(
      ({ number }: StatementLine) => number,
    );

  expect(await numbers("from=2026-01-30&to=2026-01-30")).toEqual([1, 2, 3]);
  await database.query(sql`update companies set time_zone = 'Africa/Niamey'`);
  const other = await startService(db);
  onTestFinished(() => other.stop());
  const ofDay = await ask(other, company, "?from=2026-01-30&to=2026-01-30&limit=1");
  expect(ofDay).toMatchObject({
    from: "2026-01-29T23:00:00.000Z",
    to: "2026-01-30T22:59:59.999Z",
    openingBalance: 0,
    closingBalance: 120_000,
  });
  const next = await readAll(other, company, { from: "2026-01-31", to: "2026-01-31" });
  expect(next).toMatchObject({ openingBalance: 120_000, closingBalance: 123_400 });
  expect(next.lines.map(({ number }: StatementLine) => number)).toEqual([3, 4]);
  // Moments, both included.
  expect(await numbers("to=2026-01-30T23:30:00Z")).toEqual([1, 2, 3]);
  expect(await numbers("to=2026-01-30T23:29:59.999Z")).toEqual([1, 2]);
  expect(await numbers("from=2026-01-31T12:00:00.123Z")).toEqual([4]);
  expect(await numbers("from=2026-01-31T12:00:00.124Z")).toEqual([]);
  for (const query of [
    "?from=2200-01-01",
    "?from=9999-12-31",
    "?from=9999-12-31T23:59:59.999-14:00",
  ])
    expect(await ask(other, company, query)).toMatchObject({
      openingBalance: 123_400,
      closingBalance: 123_400,
      data: [],
    });
  expect((await ask(other, company, "?to=0000-01-01")).closingBalance).toBe(0);
});
