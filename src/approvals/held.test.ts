import { describe, expect } from "vitest";
import { deskOf, enrol, member, payrollOf, somebody, trusted } from "../../test/desk.ts";
import { auditDifferences, box, makeCompany, test, untilSettled } from "../../test/fixtures.ts";
import { reviewed, sendBatchByKey, sendByKey, statusesOf } from "../../test/held.ts";
import { setBack } from "../../test/set-back.ts";
import { changeCompany } from "../companies/change-company.ts";
import { createKey, revokeKey } from "../companies/credentials.ts";
import { freezeCompany, unfreezeCompany } from "../companies/freeze-company.ts";
import { Signals } from "../database/signals.ts";
import { sql } from "../database/sql.ts";
import { parsePublicId, timeOfUuid } from "../kernel/ids.ts";
import { CompanyFrozen } from "../ledger/errors.ts";
import { balancesOf } from "../ledger/post.ts";
import { operator } from "../trail/actor.ts";
import { carryOut } from "./carry-out.ts";
import { approve } from "./decide.ts";
import { approveHeld, refuseHeld } from "./decide-held.ts";
import { CommentMissing, HeldChanged, OwnKey } from "./errors.ts";
import { countHeld, findHeld, findHold } from "./find-held.ts";
import { propose } from "./propose.ts";
import { keysAloneMaxOf, setKeysAloneMax } from "./rules.ts";

const by = operator("a test");

test("a payout by a key is accepted as ever, and leaves when another person has let it go", async ({
  db,
  service,
  company,
}) => {
  expect(await keysAloneMaxOf(db.database, company.id)).toBeNull();
  await setKeysAloneMax(db.database, company.id, 0, by);
  const made = await sendByKey(service, company, "rent", { key: "rent-1" });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({ status: "pending", failureReason: null });
  const again = await sendByKey(service, company, "rent", { key: "rent-1" });
  expect([again.status, again.body]).toEqual([201, made.body]);
  expect((await sendByKey(service, company, "rent")).status).toBe(409);
  await sendByKey(service, company, "salt", { amount: 6_000 });
  await untilSettled(db.database);
  expect(await statusesOf(service, company)).toEqual({ pending: 2 });
  expect(await balancesOf(db.database, company.id)).toMatchObject({ in_flight: 11_000 });
  expect(await auditDifferences(db.database)).toEqual([]);

  const checker = await member(db.database, company.id);
  await approveHeld(deskOf(db.database), await reviewed(db.database, company.id, checker));
  await expect.poll(() => statusesOf(service, company)).toEqual({ completed: 2 });
  expect((await sendByKey(service, company, "rent", { key: "rent-1" })).body).toEqual(made.body);
  const id = parsePublicId("txn", made.body.id) ?? "";
  expect(await findHold(db.database, company.id, id)).toMatchObject({
    decision: {
      verdict: "approved",
      decidedBy: checker.personId,
      rowTotal: 2,
      totalAmount: 11_000,
    },
  });
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("what is refused ends as failed with words, and its money goes back", async ({
  db,
  service,
  company,
}) => {
  const desk = deskOf(db.database);
  await setKeysAloneMax(db.database, company.id, 0, by);
  const batch = await sendBatchByKey(service, company, "june", 3);
  expect(batch.body).toMatchObject({ status: "processing" });
  await sendByKey(service, company, "rent");
  const batchId = parsePublicId("bat", batch.body.id) ?? "";
  const scope = { kind: "batch", batchId } as const;
  const request = await reviewed(db.database, company.id, undefined, scope);
  await expect(refuseHeld(desk, { ...request, comment: " " })).rejects.toThrow(CommentMissing);
  const checkPerson = async () => {
    throw new Error("wrong code");
  };
  const unproved = { ...request, checkPerson };
  await expect(approveHeld(desk, unproved)).rejects.toThrow("wrong code");
  await expect(refuseHeld(desk, { ...unproved, comment: "non" })).rejects.toThrow("wrong code");
  expect(await countHeld(db.database, company.id)).toBe(4);
  await refuseHeld(desk, { ...request, comment: "Personne ne connaît ces gens." });

  expect(await statusesOf(service, company)).toEqual({ pending: 1, failed: 3 });
  const token = company.accessToken;
  const { body } = await service.call("GET", `/v1/batches/${batch.body.id}`, { token });
  expect(body).toMatchObject({ status: "failed" });
  expect(body.transactions[0]).toMatchObject({ failureReason: "UNKNOWN_ERROR" });
  expect(await balancesOf(db.database, company.id)).toMatchObject({
    available: 995_000,
    in_flight: 5_000,
  });
  const told = await db.database.query(sql`
    select 1 from event_runs where topic = 'transactions/failed'`);
  expect(told).toHaveLength(1);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("what was reviewed is decided and nothing else; what comes later disturbs nobody", async ({
  db,
  service,
  company,
}) => {
  const desk = deskOf(db.database);
  await setKeysAloneMax(db.database, company.id, 0, by);
  await sendByKey(service, company, "one");
  const two = await sendByKey(service, company, "two");
  const all = await reviewed(db.database, company.id);
  await sendByKey(service, company, "three");
  const transferId = parsePublicId("txn", two.body.id) ?? "";
  const scope = { kind: "transfer", transferId } as const;
  await refuseHeld(desk, {
    ...(await reviewed(db.database, company.id, undefined, scope)),
    comment: "non",
  });
  await expect(approveHeld(desk, all)).rejects.toThrow(HeldChanged);

  const left = await reviewed(db.database, company.id);
  await sendByKey(service, company, "four");
  await approveHeld(desk, left);
  await expect
    .poll(() => statusesOf(service, company))
    .toEqual({
      completed: 2,
      failed: 1,
      pending: 1,
    });
  await expect(approveHeld(desk, left)).rejects.toThrow(HeldChanged);
  const wrong = async () => {
    throw new Error("wrong code");
  };
  const last = await reviewed(db.database, company.id);
  await expect(approveHeld(desk, { ...last, checkPerson: wrong })).rejects.toThrow("wrong code");
  expect(await countHeld(db.database, company.id)).toBe(1);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("whoever made a key by which it could have come does not decide, and the database refuses it too", async ({
  db,
  service,
  company,
}) => {
  const signals = new Signals(db.url, db.database);
  const desk = deskOf(db.database);
  const [maker, former, later] = [somebody(), somebody(), somebody()];
  await enrol(db.database, company.id, [maker, former, later]);
  const make = (who: typeof maker, name: string) =>
    createKey(db.database, signals, box, new Date(), { companyId: company.id, name }, who, 9);
  const gone = await make(former, "gone");
  await revokeKey(db.database, signals, gone.keyId, by);
  const endedAt = async (ms: number) => {
    for (const table of [sql`access_tokens`, sql`secret_keys`])
      await db.database.query(sql`
        update ${table} set revoked_at = ${new Date(ms)} where key_id = ${gone.keyId}`);
  };
  await endedAt(Date.now() - 3_600_000);
  await make(maker, "shop");
  await setKeysAloneMax(db.database, company.id, 0, by);
  await sendByKey(service, company, "rent");
  await make(later, "later");

  const request = await reviewed(db.database, company.id, maker);
  await expect(approveHeld(desk, request)).rejects.toThrow(OwnKey);
  await expect(refuseHeld(desk, { ...request, comment: "non" })).rejects.toThrow(OwnKey);
  const { personId } = maker;
  await expect(
    db.database.query(sql`
      insert into held_decisions values (
        ${company.id}, gen_random_uuid(), 'approved', sha256('x'), 1, 1, 0, array[${personId}]::uuid[], ${personId}, null)`),
  ).rejects.toThrow("held_decisions_by_another");
  // A key that came after it, and one that was gone before, could not have sent it.
  await approveHeld(desk, { ...request, by: later });
  const { body: water } = await sendByKey(service, company, "water");
  const next = await reviewed(db.database, company.id, former);
  await expect(approveHeld(desk, { ...next, by: later })).rejects.toThrow(OwnKey);
  // A node may not have heard of the end at once: for a minute the key could still have sent it.
  const cameAt = timeOfUuid(parsePublicId("txn", water.id) ?? "");
  for (const ms of [10_000, 60_000]) {
    await endedAt(cameAt - ms);
    await expect(approveHeld(desk, next)).rejects.toThrow(OwnKey);
  }
  await endedAt(cameAt - 60_001);
  await approveHeld(desk, next);
  await expect.poll(() => statusesOf(service, company)).toEqual({ completed: 2 });
  expect(await auditDifferences(db.database)).toEqual([]);
});

describe("the rule", () => {
  test("an allowance of a day leaves without a person, also in parts; a batch as a whole or not at all", async ({
    db,
    service,
    company,
  }) => {
    await changeCompany(db.database, company.id, { price: { transferFee: { flat: 10 } } });
    await setKeysAloneMax(db.database, company.id, 30_030, by);
    await sendByKey(service, company, "a", { amount: 10_000 });
    await sendByKey(service, company, "too large", { amount: 20_011 });
    await sendBatchByKey(service, company, "batch", 2, 10_001);
    await sendByKey(service, company, "b", { amount: 20_010 });
    await sendByKey(service, company, "c");
    await untilSettled(db.database);
    const set = await findHeld(db.database, company.id);
    expect(set?.rows.map(({ reference }) => reference)).toEqual([
      "too large",
      "batch-0",
      "batch-1",
      "c",
    ]);

    // A day and an hour later it is there again.
    await setBack(db.database, "keys_alone_hours", "hour", "24 hours");
    await sendByKey(service, company, "d");
    await setBack(db.database, "keys_alone_hours", "hour", "2 hours");
    await sendByKey(service, company, "e", { amount: 30_020 });
    expect((await findHeld(db.database, company.id))?.rows.at(-1)?.reference).toBe("d");
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("a company without it, and what people pay out, is not held", async ({
    db,
    service,
    company,
  }) => {
    const other = await makeCompany(db.database);
    await setKeysAloneMax(db.database, company.id, 0, by);
    await sendByKey(service, other, "rent");
    const desk = deskOf(db.database);
    const waiting = await propose(desk, {
      companyId: company.id,
      by: await member(db.database, company.id),
      title: "Paie",
      asked: payrollOf("june", 3),
    });
    const decision = { companyId: company.id, proposalId: waiting.id, reviewedHash: waiting.hash };
    const approver = await member(db.database, company.id);
    await approve(desk, { ...decision, by: approver, checkPerson: trusted });
    expect(await carryOut(desk, company.id, waiting.id)).toMatchObject({ state: "carried_out" });
    expect(await countHeld(db.database, company.id)).toBe(0);
    expect(await countHeld(db.database, other.id)).toBe(0);
    await untilSettled(db.database);
    expect(await statusesOf(service, other)).toEqual({ completed: 1 });
  });

  test("a node of the release before, which knows nothing of it, holds too", async ({
    db,
    company,
  }) => {
    await setKeysAloneMax(db.database, company.id, 0, by);
    await db.database.query(sql`
      select ms from submit_transfers(
        ${company.id}, false, null, 1, '{rent}', '{2250700000000}', '{5000}', '{0}', null, null, null, null, null, null,
        '{}', '{1}')`);
    expect(await countHeld(db.database, company.id)).toBe(1);
    expect(await auditDifferences(db.database)).toEqual([]);
  });

  test("taking it away lets nothing go, and is in the trail", async ({ db, service, company }) => {
    await setKeysAloneMax(db.database, company.id, 0, by);
    await sendByKey(service, company, "held");
    await setKeysAloneMax(db.database, company.id, null, by);
    await sendByKey(service, company, "free");
    await expect.poll(() => statusesOf(service, company)).toEqual({ pending: 1, completed: 1 });
    const trail = await db.database.query<{ changes: string }>(sql`
      select changes from company_trail where action = 'company.changed' order by id`);
    expect(trail.map(({ changes }) => JSON.parse(changes))).toEqual([
      { keysAloneMax: { from: null, to: 0 } },
      { keysAloneMax: { from: 0, to: null } },
    ]);
  });

  test("a frozen company's stays held, whoever decides; unfrozen, and at another price, it leaves as it was accepted", async ({
    db,
    service,
    company,
  }) => {
    const desk = deskOf(db.database);
    await setKeysAloneMax(db.database, company.id, 0, by);
    await sendByKey(service, company, "rent");
    const request = await reviewed(db.database, company.id);
    const signals = new Signals(db.url, db.database);
    await freezeCompany(db.database, signals, company.id, by);
    await expect(approveHeld(desk, request)).rejects.toThrow(CompanyFrozen);
    await expect(refuseHeld(desk, { ...request, comment: "non" })).rejects.toThrow(CompanyFrozen);
    expect(await countHeld(db.database, company.id)).toBe(1);
    expect(await auditDifferences(db.database)).toEqual([]);

    await unfreezeCompany(db.database, signals, company.id, by);
    await changeCompany(db.database, company.id, { price: { transferFee: { flat: 77 } } });
    await approveHeld(desk, request);
    await untilSettled(db.database);
    expect(await balancesOf(db.database, company.id)).toMatchObject({
      available: 995_000,
      in_flight: 0,
      fees: 0,
    });
    expect(await auditDifferences(db.database)).toEqual([]);
  });
});
