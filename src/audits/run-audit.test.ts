import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { ChargeClient } from "../../test/charges.ts";
import {
  box,
  makeCompany,
  makeCustomer,
  startService,
  type TestDatabase,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import { rich } from "../../test/forgeries.ts";
import { notOnCluster } from "../../test/on-cluster.ts";
import { passTriggers } from "../../test/past-triggers.ts";
import { send } from "../../test/receiver.ts";
import { findSpoiltSince } from "../../test/spoil.ts";
import { auditChecks } from "../audit-checks.ts";
import { openLedgerKey } from "../statements/ledger-key.ts";
import { ledgerKeyOf } from "../statements/seal.ts";
import { type SignedCheckpoint, signCheckpoint } from "./checkpoint.ts";
import { selectLastCheckpoint } from "./checkpoints-store.ts";
import { type EndedRun, runAudit } from "./run-audit.ts";

async function auditAs({ database }: TestDatabase, isFull = false): Promise<EndedRun> {
  return runAudit(database, {
    checks: auditChecks,
    key: await openLedgerKey(database, box),
    isFull,
    begunAt: new Date(),
    operator: "a test",
  });
}

function findings({ results }: EndedRun): string[] {
  return results.flatMap(({ check, differences }) => differences.map(() => check));
}

async function lastOf({ database }: TestDatabase): Promise<SignedCheckpoint> {
  const last = await selectLastCheckpoint(database);
  if (last === undefined) throw new Error("there is no checkpoint");
  return last;
}

async function change({ database }: TestDatabase, text: string): Promise<void> {
  await database.transaction(async (tx) => {
    await passTriggers(tx);
    await tx.query({ text, values: [] });
  });
}

test("an audit continues from the last one that was clean, and --full looks at everything", async ({
  db,
  skip,
}) => {
  notOnCluster({ skip }, "checkpoints");
  await makeCompany(db.database, { fund: 1_000 });

  expect((await auditAs(db)).continuedFrom).toBeUndefined();
  expect((await auditAs(db)).continuedFrom).toBe(1);
  expect((await auditAs(db)).continuedFrom).toBe(2);
  expect((await lastOf(db)).fullAudit).toBe(1);
  expect((await auditAs(db, true)).continuedFrom).toBeUndefined();
  expect((await lastOf(db)).fullAudit).toBe(4);
  // Without the key nothing says whose a checkpoint is.
  const run = await runAudit(db.database, {
    checks: auditChecks,
    key: undefined,
    isFull: false,
    begunAt: new Date(),
    operator: "a test",
  });
  expect(run.continuedFrom).toBeUndefined();
  // By other checks than those of the checkpoint everything is looked at.
  const request = { isFull: false, begunAt: new Date(), operator: "a test" };
  const key = await openLedgerKey(db.database, box);
  await auditAs(db, true);
  const checks = auditChecks.slice(1);
  expect((await runAudit(db.database, { ...request, key, checks })).continuedFrom).toBeUndefined();
});

test("a checkpoint that is not the operator's is a difference, and then everything is looked at", async ({
  db,
  skip,
}) => {
  notOnCluster({ skip }, "checkpoints");
  const { id } = await makeCompany(db.database, { fund: 1_000 });
  await auditAs(db);
  const check = "the checkpoint is signed by the operator";
  const stranger = ledgerKeyOf(randomBytes(32));
  const genuine = await lastOf(db);
  const forged = signCheckpoint(stranger, genuine);
  for (const [spoil, mend] of [
    [
      "set content = replace(content, '\"posting\":1', '\"posting\":0')",
      "set content = replace(content, '\"posting\":0', '\"posting\":1')",
    ],
    ["set audit_number = audit_number + 100", "set audit_number = audit_number - 100"],
    ["set full_audit = 1", `set full_audit = :full`],
    [
      `set key_id = '${forged.keyId}', signature = '\\x${forged.signature.toString("hex")}'`,
      undefined,
    ],
  ] as const) {
    await auditAs(db, true);
    const { auditNumber, fullAudit } = await lastOf(db);
    const which = `where audit_number = ${auditNumber}`;
    await change(db, `update audit_checkpoints ${spoil} ${which}`);

    const run = await auditAs(db);

    expect([findings(run), run.continuedFrom], spoil).toEqual([[check], undefined]);
    if (mend !== undefined) {
      const moved = spoil.includes("audit_number") ? auditNumber + 100 : auditNumber;
      await change(
        db,
        `update audit_checkpoints ${mend.replace(":full", String(fullAudit))} where audit_number = ${moved}`,
      );
    } else await change(db, `delete from audit_checkpoints ${which}`);
    // As long as a difference stands.
    expect((await auditAs(db)).continuedFrom).toBeUndefined();
    await change(
      db,
      `delete from audit_checkpoints where audit_number < (select max(number) from audits)`,
    );
  }
  // One that is taken away makes the next audit look at more.
  await change(db, "delete from audit_checkpoints");
  const run = await auditAs(db);
  expect([findings(run), run.continuedFrom]).toEqual([[], undefined]);
  await expect(
    db.database.query({ text: "update audit_checkpoints set content = ''", values: [] }),
  ).rejects.toThrow("append-only");
  // A genuine one of books that went on further than these.
  const ahead = JSON.parse((await lastOf(db)).content) as { books: { posting: number }[] };
  for (const book of ahead.books) book.posting += 1;
  expect(await findSpoiltSince(db.database, JSON.stringify(ahead))).toContain(
    "the books go on from the checkpoint",
  );
  expect(id).toBeDefined();
});

test("what was pending, due or held at a checkpoint is followed, and nothing can be put among it", async ({
  db,
  skip,
}) => {
  notOnCluster({ skip }, "checkpoints");
  await makeCustomer(db.database, rich, "complete");
  await makeCustomer(db.database, "2250722222222", "complete");
  const company = await makeCompany(db.database, { chargeFeeRatePpm: 10_000 });
  const settling = await startService(db, {});
  await send(settling, company, "ended", { msisdn: rich });
  await untilSettled(db.database);
  const charges = new ChargeClient(settling, company);
  const refunded = await charges.paid();
  await settling.stop();
  const api = await startService(db, { ROLES: "api" });
  for (const reference of ["pending 1", "pending 2"])
    await send(api, company, reference, { msisdn: "2250722222222" });
  const atApi = new ChargeClient(api, company);
  await atApi.made({ externalId: "due 1" });
  const paidLater = await atApi.made({ externalId: "due 2" });
  expect(findings(await auditAs(db))).toEqual([]);
  const { content } = await lastOf(db);
  await api.stop();

  const service = await startService(db, {});
  await untilSettled(db.database);
  const later = new ChargeClient(service, company);
  await later.refund(refunded, { amount: 3_000 });
  await later.pay(paidLater);
  await send(service, company, "new", { msisdn: rich });
  await untilSettled(db.database);
  await service.stop();

  expect(await findSpoiltSince(db.database, content)).toEqual([]);
  for (const text of [
    "update transfers set amount = amount + 5 where reference = 'pending 1'",
    "update transfers set msisdn = '225070000000' where reference = 'pending 1'",
    "delete from outcomes where id = (select id from transfers where reference = 'pending 1')",
    "update outcomes set status = 'failed', failure_reason = 'UNKNOWN_ERROR', failed_msisdn = '2250722222222' where id = (select id from transfers where reference = 'pending 2')",
    "delete from wallet_entries where subject_id = (select id from transfers where reference = 'pending 2')",
    "update postings set amount = amount + 1 where event = 'transfer.completed' and subject_id = (select id from transfers where reference = 'pending 2')",
    "insert into pending_transfers select company_id, id from transfers where reference = 'ended'",
    "update charges set amount = amount + 1 where external_id = 'due 1'",
    "update charges set status = 'dropped', dropped_reason = 'CANCELED' where external_id = 'due 1'",
    "delete from charges where external_id = 'due 1'",
    "update charges set refunded = refunded - 1 where refunded > 0",
    "update charge_transactions set amount = amount - 1 where type = 'refund'",
    "update charge_transactions set msisdn = '2250722222222' where type = 'refund'",
    "delete from charge_transactions where type = 'payment' and charge_id = (select id from charges where external_id = 'due 2')",
    "update wallets set balance = balance + 1 where msisdn = '2250711111111'",
    "update wallet_entries set amount = amount + 1 where subject_id = (select id from transfers where reference = 'new')",
    "insert into wallet_entries select msisdn, gen_random_uuid(), event, 5, company_id, now(), company_name from wallet_entries limit 1",
    "update books set paid_out = paid_out + 1, available = available - 1",
    "update event_runs set subject_ids = array[gen_random_uuid()] where (company_id, last_number) = (select company_id, last_event from books where last_event > 0)",
    "delete from books",
  ])
    expect(await findSpoiltSince(db.database, content, text), text).not.toEqual([]);
  // What docs/ledger.md leaves to an audit of everything.
  for (const text of [
    "update transfers set msisdn = '225070000000' where reference = 'ended'",
    "update postings set amount = amount + 1 where number = 1",
  ])
    expect(await findSpoiltSince(db.database, content, text), text).toEqual([]);
});
