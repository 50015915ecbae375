import { expect } from "vitest";
import { changeCompany } from "../src/companies/change-company.ts";
import { adjustBooks, withdrawFromCompany } from "../src/companies/move-money.ts";
import { sql } from "../src/database/sql.ts";
import { ChargeClient } from "./charges.ts";
import {
  makeCompany,
  makeCustomer,
  startService,
  type TestDatabase,
  untilSettled,
} from "./fixtures.ts";
import { rich } from "./forgeries.ts";
import { send } from "./receiver.ts";

const stranger = "2250733333333";

/** Some of everything that books can have in them, for forgeries; with what their statements name: ids by what they are of. */
export async function fillForForgeries(db: TestDatabase): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  const service = await startService(db, {});
  const company = await makeCompany(db.database, { chargeFeeRatePpm: 10_000 });
  const other = await makeCompany(db.database);
  ids["company"] = company.id;
  ids["other"] = other.id;
  await makeCustomer(db.database, rich, "complete");
  await makeCustomer(db.database, "2250722222222", "pending");
  await send(service, company, "r1", { msisdn: rich });
  await send(service, company, "failed", { msisdn: stranger });
  await send(service, other, "r3", { msisdn: rich });
  const moved = { companyId: company.id, amount: 2_500, reference: "case 12" };
  await withdrawFromCompany(db.database, new Date(), { ...moved, memo: "to the bank" });
  const accounts = { from: "available", to: "fees", reason: "forgotten in August" } as const;
  await adjustBooks(db.database, new Date(), { ...moved, ...accounts });
  const price = { transferFee: { ratePpm: 10_000, max: 200 }, chargeFeeRatePpm: 20_000 };
  await changeCompany(db.database, company.id, { price });
  await send(service, company, "at a price", { msisdn: rich });
  const batch = await service.call("POST", "/v1/transactions/batch", {
    token: company.accessToken,
    body: {
      transactions: [rich, stranger].map((msisdn) => ({
        type: "transfer",
        amount: 5_000,
        msisdn,
        reference: `batch ${msisdn}`,
      })),
    },
  });
  expect(batch.status).toBe(201);
  const charges = new ChargeClient(service, company);
  ids["paid"] = await charges.paid();
  await charges.refund(ids["paid"], { amount: 5_000 });
  ids["due"] = await charges.made({ externalId: "due" });
  await untilSettled(db.database);
  const failed = sql`select id from transfers where reference = 'failed'`;
  ids["failed"] = (await db.database.query<{ id: string }>(failed))[0]?.id ?? "";
  await service.stop();
  return ids;
}
