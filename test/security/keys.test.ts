import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { createCompany } from "../../src/companies/create-company.ts";
import { revokeKey, rotateKey } from "../../src/companies/credentials.ts";
import { Signals } from "../../src/database/signals.ts";
import { secretBox } from "../../src/kernel/secret-box.ts";
import { test } from "../fixtures.ts";
import { call, makeEmptyDataDir, startProcess } from "../process.ts";
import { atOnce } from "../receiver.ts";

test("two processes on one database: a rotated key works on both at once, a revoked one on neither", async ({
  db,
}) => {
  const masterKey = randomBytes(32);
  const environment = {
    DATABASE_URL: db.url,
    MASTER_KEY: masterKey.toString("base64"),
    LOG_LEVEL: "fatal",
  };
  const dataDir = await makeEmptyDataDir();
  const box = secretBox(masterKey);
  const { company, key: first } = await createCompany(db.database, box, {
    name: "Shop",
    fund: 1_000,
  });
  const services = await Promise.all([
    startProcess(dataDir, environment),
    startProcess(dataDir, environment),
  ]);
  // As the command line does it: in a process that is neither of the two.
  const signals = new Signals(db.url, db.database);
  const rotate = (overlapSeconds: number) =>
    rotateKey(db.database, signals, box, new Date(), { companyId: company.id, overlapSeconds });
  const statuses = (token: string) =>
    Promise.all(services.map(async ({ url }) => (await call(url, token, "/v1/balance")).status));
  const untilRefused = async (token: string) => {
    await expect.poll(() => statuses(token), atOnce).toEqual([401, 401]);
    // And not only once: nothing that a process remembers brings it back.
    for (let count = 0; count < 5; count += 1) expect(await statuses(token)).toEqual([401, 401]);
  };
  // Both have met it, so both remember it.
  expect(await statuses(first.accessToken)).toEqual([200, 200]);

  const second = await rotate(3_600);
  expect(await statuses(second.accessToken)).toEqual([200, 200]);
  expect(await statuses(first.accessToken)).toEqual([200, 200]);

  await revokeKey(db.database, signals, first.keyId);
  await untilRefused(first.accessToken);
  expect(await statuses(second.accessToken)).toEqual([200, 200]);

  const third = await rotate(0);
  await untilRefused(second.accessToken);
  expect(await statuses(third.accessToken)).toEqual([200, 200]);
});
