import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { ChargeClient, decliner } from "../../test/charges.ts";
import {
  makeCompany,
  startService,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import { notOnCluster } from "../../test/on-cluster.ts";
import { passTriggers } from "../../test/past-triggers.ts";
import { send } from "../../test/receiver.ts";
import { sealAll, sealingOf } from "../../test/seals.ts";
import { giveClock } from "../../test/settable-clock.ts";
import { isFoundAt } from "../../test/spoil.ts";
import { makeSubCompany } from "../../test/statements.ts";
import { fundCompany } from "../companies/fund-company.ts";
import { sql } from "../database/sql.ts";
import { statementChecks } from "./audit-chain.ts";
import { type Verification, verifyFile } from "./verify/verify-file.ts";
import type { Witness } from "./verify/verify-ledger.ts";

const other = "2250744444444";
const first = "id = (select min(id::text)::uuid from transfers)";
const isPayment = "type = 'payment' and status = 'completed'";

/** The money goes to somebody else, in the wallet's history and in both wallets. */
function moved(event: string, which: string): readonly string[] {
  const entry = `event = '${event}' and ${which}`;
  return [
    `insert into wallets (msisdn, may_overdraw) values ('${other}', true) on conflict do nothing`,
    `update wallets w set balance = balance - e.amount from wallet_entries e where e.msisdn = w.msisdn and ${entry}`,
    `update wallets w set balance = balance + e.amount from wallet_entries e where w.msisdn = '${other}' and ${entry}`,
    `update wallet_entries set msisdn = '${other}' where ${entry}`,
  ];
}

/** A moment that two tables have, in both. */
const dayBefore = "created_at = created_at - interval '1 ms'";
const paymentAt = `update wallet_entries set ${dayBefore} where event = 'charge.paid'`;

/** What somebody with all rights changes in every table that says it, and by which subject the audit names it. */
const tamperings: Readonly<Record<string, { texts: readonly string[]; subject: string }>> = {
  "the recipient of a completed transfer": {
    texts: [
      `update transfers set msisdn = '${other}' where ${first}`,
      ...moved("transfer.completed", "subject_id = (select min(id::text)::uuid from transfers)"),
    ],
    subject: "transfer.reserved",
  },
  "how a recipient was written": {
    texts: [`update transfers set msisdn_has_plus = false where ${first}`],
    subject: "transfer.reserved",
  },
  "the reference of a transfer": {
    texts: [`update transfers set reference = 'salary 2' where ${first}`],
    subject: "transfer.reserved",
  },
  "the sub-company of a transfer": {
    texts: [`update transfers set sub_company_id = null where ${first}`],
    subject: "transfer.reserved",
  },
  "the description of a transfer": {
    texts: [`update transfers set description = 'Loan' where ${first}`],
    subject: "transfer.reserved",
  },
  "the metadata of a transfer": {
    texts: [`update transfers set metadata = '{"order":8}' where ${first}`],
    subject: "transfer.reserved",
  },
  "the batch of a transfer": {
    texts: [
      "update transfers set batch_id = null where batch_id is not null",
      "delete from batches",
    ],
    subject: "transfer.reserved",
  },
  "when a transfer ended": {
    texts: [`update outcomes set ended_at = ended_at + interval '1 ms' where ${first}`],
    subject: "transfer.completed",
  },
  "why a transfer failed": {
    texts: ["update outcomes set failure_reason = 'INTERNAL_ERROR' where status = 'failed'"],
    subject: "transfer.released",
  },
  "who paid a charge": {
    texts: [
      `update charge_transactions set msisdn = '${other}', msisdn_given = '${other}' where status = 'completed'`,
      ...moved("charge.paid", "true"),
      ...moved("charge.refunded", "true"),
    ],
    subject: "charge.paid",
  },
  "the sub-company of a paid charge": {
    texts: ["update charges set sub_company_id = null where paid > 0"],
    subject: "charge.paid",
  },
  "the external id of a paid charge": {
    texts: ["update charges set external_id = 'order 9' where paid > 0"],
    subject: "charge.paid",
  },
  "when a charge was paid": {
    texts: [`update charge_transactions set ${dayBefore} where ${isPayment}`, paymentAt],
    subject: "charge.paid",
  },
  "an attempt to pay that failed": {
    texts: [
      "delete from charge_transactions where status = 'failed'",
      "update charges set attempts = attempts - 1 where attempts > 1",
    ],
    subject: "charge.paid",
  },
  "the phone of an attempt to pay that failed": {
    texts: [
      `update charge_transactions set msisdn = '${other}', msisdn_given = '${other}' where status = 'failed'`,
    ],
    subject: "charge.paid",
  },
  "why a payment was refunded": {
    texts: ["update charge_transactions set reason = 'broken' where type = 'refund'"],
    subject: "charge.refunded",
  },
  "the reference of a funding": {
    texts: ["update fundings set reference = 'bank 9' where reference is not null"],
    subject: "company.funded",
  },
  "when money came in": {
    texts: [`update fundings set ${dayBefore} where reference is not null`],
    subject: "company.funded",
  },
};

test("what postings were for, changed in every table that says it: the audit names the posting and its subject", async ({
  db,
  skip,
}) => {
  notOnCluster({ skip }, "forgeries");
  await trade(db);
  // Nothing is said where nothing is changed, and all sets have facts: the times are as they were.
  expect(await isFoundAt(db.database, [], () => true)).toBe(false);

  const unseen: string[] = [];
  for (const [what, { texts, subject }] of Object.entries(tamperings)) {
    const isNamed = await isFoundAt(
      db.database,
      texts,
      ({ where, expected }) =>
        /^posting \d+ of company/.test(where) && expected.includes(`with ${subject} of `),
      statementChecks,
    );
    if (!isNamed) unseen.push(what);
  }
  expect(unseen).toEqual([]);
});

test("where one transaction writes a time twice, the audit finds them equal", async ({
  db,
  skip,
}) => {
  notOnCluster({ skip }, "forgeries");
  await trade(db);
  for (const [text, place] of [
    [paymentAt, "payment"],
    [`update wallet_entries set ${dayBefore} where event = 'charge.refunded'`, "refund"],
    [`update charges set updated_at = updated_at + interval '1 ms' where paid > 0`, "charge"],
    [
      `update wallet_entries set created_at = created_at + interval '1 day' where event = 'transfer.completed'`,
      "transfer",
    ],
  ] as const)
    expect(await isFoundAt(db.database, [text], ({ where }) => where.startsWith(place)), text).toBe(
      true,
    );
});

test("an export that was made after the facts of a sealed day were changed does not verify", async ({
  db,
  skip,
}) => {
  notOnCluster({ skip }, "forgeries");
  const { company, service, witness } = await trade(db);
  const kept = { ...witness, keys: undefined };
  expect(await verify(service, company, kept)).toMatchObject({
    problem: undefined,
    witnesses: 1,
    isAuthenticated: true,
  });
  const before = await verify(service, company, witness);
  expect(before).toMatchObject({ problem: undefined, seals: 1 });

  for (const what of [
    "the recipient of a completed transfer",
    "the reference of a transfer",
    "the sub-company of a transfer",
    "the metadata of a transfer",
    "why a transfer failed",
    "who paid a charge",
    "the external id of a paid charge",
    "the reference of a funding",
  ]) {
    await db.database.query(sql`create schema kept`);
    const tables = ["transfers", "outcomes", "charges", "charge_transactions", "fundings"];
    for (const table of tables) await spoil(db, `create table kept.${table} as table ${table}`);
    await spoil(db, ...(tamperings[what]?.texts ?? []));
    const { problem } = await verify(service, company, witness);
    expect(problem?.message, what).toMatch(
      /a history that was rewritten|another hash of the ledger/,
    );
    for (const table of tables)
      await spoil(db, `delete from ${table}`, `insert into ${table} select * from kept.${table}`);
    await db.database.query(sql`drop schema kept cascade`);
  }
  expect((await verify(service, company, witness)).problem).toBeUndefined();
});

/** A company that has done everything that a line can be about, on a day that is sealed. */
async function trade(db: TestDatabase): Promise<{
  company: TestCompany;
  service: TestService;
  witness: Witness;
}> {
  const clock = await giveClock(db, new Date("2026-03-01T08:00:00Z"));
  const service = await startService(db);
  onTestFinished(() => service.stop());
  const prices = {
    transferFee: { ratePpm: 10_000, flat: 0, min: 0, max: null },
    chargeFeeRatePpm: 20_000,
  };
  const company = await makeCompany(db.database, { ...prices, fund: 100_000 });
  const funding = { companyId: company.id, amount: 500, reference: "bank 1" };
  await fundCompany(db.database, new Date(), funding);
  const subCompanyId = await makeSubCompany(service, company, "Plateau");
  const said = {
    msisdn: "+2250700000000",
    description: 'Salary, "March"\nsecond part',
    metadata: { order: 7 },
    subCompanyId,
  };
  await send(service, company, "salary 1", said);
  await send(service, company, "nobody", { msisdn: "2250733333333" });
  const row = { type: "transfer", amount: 5_000, msisdn: "2250700000000" };
  const transactions = [1, 2, 3].map((n) => ({ ...row, reference: `row ${n}` }));
  const token = company.accessToken;
  await service.call("POST", "/v1/transactions/batch", { token, body: { transactions } });
  const client = new ChargeClient(service, company);
  const charge = await client.made({ subCompanyId });
  await client.pay(charge, decliner);
  await client.pay(charge);
  await client.refund(charge, { amount: 4_000, reason: "late" });
  await untilSettled(db.database);
  await clock.moveTo(new Date("2026-03-02T08:00:00Z"));
  const sealing = await sealingOf(db);
  const seals = await sealAll(sealing, company.id);
  expect(seals).toHaveLength(1);
  return { company, service, witness: { keys: [sealing.key], sealKeys: [sealing.key], seals } };
}

async function verify(
  service: TestService,
  { accessToken }: TestCompany,
  witness: Witness,
): Promise<Verification> {
  const folder = await mkdtemp(join(tmpdir(), "cauri-facts-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const answer = await fetch(`${service.url}/v1/statement.csv`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  await writeFile(join(folder, "file"), Buffer.from(await answer.arrayBuffer()));
  return verifyFile(join(folder, "file"), witness);
}

/** As superuser, past the triggers. */
async function spoil({ database }: TestDatabase, ...texts: readonly string[]): Promise<void> {
  await database.transaction(async (tx) => {
    await passTriggers(tx);
    for (const text of texts) await tx.query({ text, values: [] });
  });
}
