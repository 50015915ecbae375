import { expect } from "vitest";
import {
  auditDifferences,
  makeCompany,
  makeCustomer,
  startService,
  type TestService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import { setBack } from "../../test/set-back.ts";
import { sql } from "../database/sql.ts";

const known = "2250711111111";
const unknownNumber = (place: number) => `22507${String(90_000_000 + place)}`;
const transfer = (reference: string, msisdn: string) => ({
  type: "transfer",
  amount: 5_000,
  msisdn,
  reference,
});
const rows = (name: string, count: number) =>
  Array.from({ length: count }, (_, place) => transfer(`${name}-${place}`, unknownNumber(place)));
const spent = sql`select spent from quotas where name = 'unknown_recipients'`;

const send = (service: TestService, token: string, body: object) =>
  service.call("POST", "/v1/transactions", { token, body });
const sendBatch = (service: TestService, token: string, transactions: readonly object[]) =>
  service.call("POST", "/v1/transactions/batch", { token, body: { transactions } });

test("429: of two batches to unknown numbers the second is refused whole, though its money would come back", async ({
  db,
}) => {
  const { accessToken: token } = await makeCompany(db.database, { fund: 100_000_000 });
  const service = await startService(db);
  try {
    expect((await sendBatch(service, token, rows("a", 10_000))).status).toBe(201);
    const refused = await sendBatch(service, token, rows("b", 10_000));
    expect([refused.status, refused.body.code]).toEqual([429, "quota_exceeded"]);
    expect(refused.body.message).toContain("10000 transactions a day");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(80_000);
    // What was there before is told before that.
    const again = await sendBatch(service, token, rows("a", 10));
    expect([again.status, again.body.code]).toEqual([409, "duplicate_reference"]);
    expect(await db.database.query(sql`select 1 from transfers`)).toHaveLength(10_000);

    await setBack(db.database, "quotas", "since", "1 day");
    expect((await sendBatch(service, token, rows("c", 10))).status).toBe(201);
    await untilSettled(db.database);
    expect(await auditDifferences(db.database)).toEqual([]);
  } finally {
    await service.stop();
  }
});

test("429: racing on two nodes, single transfers to unknown numbers stop at the quota; others go on", async ({
  db,
  company: { accessToken: token },
}) => {
  await makeCustomer(db.database, known);
  const environment = { UNKNOWN_RECIPIENTS_PER_DAY: "7" };
  const nodes = [await startService(db, environment), await startService(db, environment)];
  try {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, place) =>
        send(
          nodes[place % 2] as TestService,
          token,
          transfer(`r${place}`, place % 4 === 0 ? known : unknownNumber(place)),
        ),
      ),
    );
    const statuses = (isKnown: boolean) =>
      answers.filter((_, place) => (place % 4 === 0) === isKnown).map(({ status }) => status);
    expect(statuses(true)).toEqual(statuses(true).map(() => 201));
    expect(statuses(false).filter((status) => status === 201)).toHaveLength(7);
    expect(statuses(false).filter((status) => status === 429)).toHaveLength(23);
    expect(await db.database.query(spent)).toEqual([{ spent: 7 }]);
    const made = answers.findIndex(({ status }, place) => status === 201 && place % 4 !== 0);
    const again = await send(
      nodes[0] as TestService,
      token,
      transfer(`r${made}`, unknownNumber(made)),
    );
    expect([again.status, again.body.code]).toEqual([409, "duplicate_reference"]);
    await untilSettled(db.database);
    expect(await auditDifferences(db.database)).toEqual([]);
  } finally {
    for (const node of nodes) await node.stop();
  }
});

test("only what was made counts: a refused transfer does not, nor do registered and test numbers", async ({
  db,
  service,
}) => {
  const { accessToken: token } = await makeCompany(db.database, { fund: 20_000 });
  await makeCustomer(db.database, known);
  for (const [reference, msisdn] of [
    ["r1", known],
    ["r2", "2250700000000"],
    ["r3", "+2250700000001"],
    ["r4", unknownNumber(1)],
  ] as const)
    expect((await send(service, token, transfer(reference, msisdn))).status).toBe(201);
  expect((await send(service, token, transfer("r4", unknownNumber(1)))).status).toBe(409);
  const dear = { ...transfer("r5", unknownNumber(2)), amount: 500_000 };
  expect((await send(service, token, dear)).status).toBe(402);
  expect(await db.database.query(spent)).toEqual([{ spent: 1 }]);
});

test("in a set that the money does not suffice for, the row is refused that was too dear, and no other", async ({
  db,
}) => {
  const { id } = await makeCompany(db.database, { fund: 11_000 });
  const [row] = await db.database.query(sql`
    select places, problems from submit_transfers(
      ${id}, false, null, 1, array['a', 'b', 'c'], array['22507001', '22507002', '22507003'],
      array[5000, 500000, 6000]::bigint[], array[0, 0, 0]::bigint[], null, null, null, null, null)`);
  expect(row).toEqual({ places: [2], problems: ["insufficient_funds"] });
});
