import { expect } from "vitest";
import { test } from "../../test/fixtures.ts";
import { sql } from "../database/sql.ts";
import { newNonce } from "../kernel/ordered-id.ts";
import { measurePending } from "../transfers/settle-transfers.ts";
import { submitTransfers } from "../transfers/submit-store.ts";
import { findStuckWork } from "./stuck-work.ts";

test("a transfer that the workers have passed by is watched like any other that waits", async ({
  db,
  company,
}) => {
  const transfer = {
    msisdn: "2250700000000",
    amount: 5_000,
    fee: 0,
    reference: "passed by",
    description: null,
    metadata: null,
    subCompanyId: null,
  };
  const submission = { transfer, key: undefined, priceNumber: 1 };
  await submitTransfers(db.database, company.id, newNonce(), [submission]);
  await db.database.execute(sql`
    update settling set settled_upto = (select id from pending_transfers) where company_id = ${company.id}`);
  const later = new Date(Date.now() + 3_600_000);

  expect(await findStuckWork(db.database, later)).toMatchObject([
    { companyId: company.id, queue: "transfers", inFlight: 5_000 },
  ]);
  await db.database.query(sql`select pg_sleep(0.01)`);
  expect((await measurePending(db.database)).ageSeconds).toBeGreaterThan(0);
});
