import { expect } from "vitest";
import { paymentsOf } from "../../test/charges.ts";
import { auditDifferences, startService, test } from "../../test/fixtures.ts";
import { sql } from "../database/sql.ts";
import { selectOldestPending, settle } from "./settle-store.ts";

test("ending the transfer that could not be settled ends no other, if somebody has settled it meanwhile", async ({
  db,
  company,
}) => {
  const api = await startService(db, { ROLES: "api" });
  try {
    for (const reference of ["r1", "r2"]) {
      const body = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference };
      await api.call("POST", "/v1/transactions", { token: company.accessToken, body });
    }
  } finally {
    await api.stop();
  }
  const { policy } = paymentsOf(db);
  const failed = (await selectOldestPending(db.database, company.id)) ?? "";
  const request = { companyId: company.id, limit: 1 };

  // Between its failure and the decision to give it up, another worker settles it.
  expect((await settle(db.database, policy, request)).reasons).toEqual([null]);
  const late = { ...request, only: failed, force: "INTERNAL_ERROR" } as const;
  expect(await settle(db.database, policy, late)).toMatchObject({ looked_at: 0, reasons: null });

  expect(await db.database.query(sql`select id, status from outcomes`)).toEqual([
    { id: failed, status: "completed" },
  ]);
  expect(await db.database.query(sql`select 1 from pending_transfers`)).toHaveLength(1);
  expect(await auditDifferences(db.database)).toEqual([]);
});
