import { expect, onTestFinished } from "vitest";
import { startService, test, untilSettled } from "../../test/fixtures.ts";
import { settle } from "./settle-store.ts";

const policy = {
  walletMax: { complete: 2_000_000, otherwise: 200_000 },
  testMsisdns: { success: "2250700000000", failure: "2250700000001" },
};

test("a batch ends completed when all of it is, and failed when none is", async ({
  db,
  service,
  company,
}) => {
  for (const [msisdn, status] of [
    ["2250700000000", "completed"],
    ["2250700000001", "failed"],
  ]) {
    const batch = await service.call("POST", "/v1/transactions/batch", {
      token: company.accessToken,
      body: {
        transactions: [1, 2].map((row) => ({
          amount: 5_000,
          msisdn,
          reference: `${status}-${row}`,
        })),
      },
    });
    await untilSettled(db.database);
    expect(
      (await service.call("GET", `/v1/batches/${batch.body.id}`, { token: company.accessToken }))
        .body.status,
    ).toBe(status);
  }
});

test("a batch that is settled in parts is completed in part when one part failed, whichever comes last", async ({
  db,
  company,
}) => {
  const api = await startService(db, { ROLES: "api" });
  onTestFinished(() => api.stop());
  const token = company.accessToken;
  for (const recipients of [
    ["2250700000001", "2250700000000"],
    ["2250700000000", "2250700000001"],
  ]) {
    const transactions = recipients.map((msisdn, row) => ({
      amount: 5_000,
      msisdn,
      reference: `${recipients[0]}-${row}`,
    }));
    const made = await api.call("POST", "/v1/transactions/batch", {
      token,
      body: { transactions },
    });
    const statusOf = async () =>
      (await api.call("GET", `/v1/batches/${made.body.id}`, { token })).body.status;
    await settle(db.database, policy, { companyId: company.id, limit: 1 });
    expect(await statusOf()).toBe("processing");
    await settle(db.database, policy, { companyId: company.id, limit: 1 });
    expect(await statusOf()).toBe("partially_completed");
  }
});
