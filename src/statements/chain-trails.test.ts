import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { signIn } from "../../test/console.ts";
import { auditDifferences, box, makeCustomer, test } from "../../test/fixtures.ts";
import { findSpoilt } from "../../test/spoil.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { operator } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { trailChainChecks } from "./audit-trails.ts";
import { chainEntries } from "./chain-trails.ts";
import { openLedgerKey } from "./ledger-key.ts";
import { type LedgerKey, ledgerKeyOf } from "./seal.ts";
import { headText, sharedTrails, type TrailName } from "./trail-chain.ts";
import { selectChained, selectHead } from "./trail-chain-store.ts";

const by = operator("a test");
const [ofCompany = "", ofNone = ""] = trailChainChecks.map(({ name }) => name);

async function note(database: Database, companyId: string, subject: string): Promise<void> {
  const entry = { action: "company.work_woken", subject } as const;
  await database.transaction((tx) => recordForCompany(tx, companyId, by, entry));
}

async function chainAll(database: Database, key: LedgerKey, companyId: string): Promise<void> {
  for (const trail of [{ companyId }, ...sharedTrails] satisfies TrailName[])
    await chainEntries(database, key, trail);
}

/** By the check that has to see it: what somebody with all rights over the database could do. */
function forgeries(forged: Buffer): Readonly<Record<string, readonly (readonly string[])[]>> {
  return {
    [ofCompany]: [
      ["update company_trail set subject = 'else' where number = 2"],
      ["update company_trail set operator = 'somebody else' where number = 2"],
      ["update company_trail set via = via || ' ' where number = 3"],
      ["delete from company_trail where number = 2"],
      ["delete from company_trail where number = (select max(number) from company_trail)"],
      ["update company_trail set number = 5 - number where number in (2, 3)"],
      ["update company_trail set number = number + 1 where number > 2"],
      ["update company_trail set number = null, hash = null where number > 1"],
      ["update company_trail set number = null, hash = null"],
      ["delete from trail_heads"],
      ["update trail_heads set number = number - 1"],
      ["update trail_heads set hash = sha256(hash)"],
      ["update trail_heads set key_id = 'another'"],
      [
        "delete from company_trail where number = 4",
        "update trail_heads h set number = 3, hash = t.hash from company_trail t where t.number = 3",
      ],
      [`update trail_heads set signature = '\\x${forged.toString("hex")}'`],
    ],
    [ofNone]: [
      ["update staff_trail set action = 'person.joined' where number = 1"],
      ["delete from staff_trail where number = 1"],
      ["delete from staff_trail"],
      ["update customer_trail set changes = replace(changes, 'Awa', 'Awo')"],
      ["delete from customer_trail"],
      ["update installation_trail set subject = 'else'"],
      ["delete from installation_trail"],
      ["delete from shared_trail_heads where trail = 'staff'"],
    ],
  };
}

test("whoever changes, takes away or puts in an entry of a trail that is chained is seen", async ({
  db,
  company,
}) => {
  const { database } = db;
  const key = await openLedgerKey(database, box);
  await makeCustomer(database, "2250700000001");
  await signIn(db, company.id, "owner");
  for (const subject of ["one", "two"]) await note(database, company.id, subject);
  await chainAll(database, key, company.id);
  expect((await selectHead(database, { companyId: company.id }))?.number).toBe(4);
  expect(await auditDifferences(database)).toEqual([]);

  const trail = { companyId: company.id };
  const head = await selectHead(database, trail);
  const stranger = ledgerKeyOf(randomBytes(32));
  const forged = stranger.sign(headText(trail, { number: 4, hash: head?.hash ?? Buffer.alloc(0) }));
  for (const [name, spoils] of Object.entries(forgeries(forged)))
    for (const texts of spoils)
      expect(await findSpoilt(database, ...texts), texts.join("; ")).toContain(name);
  for (const text of [
    "update company_trail set subject = 'else'",
    "update company_trail set number = number + 10, hash = hash",
    "update company_trail set number = null, hash = null",
    "delete from company_trail",
    "update staff_trail set number = 7",
  ])
    await expect(database.query({ text, values: [] }), text).rejects.toThrow("append-only");
}, 120_000);

test("each entry is chained once, whoever chains, and one that commits late comes after those that overtook it", async ({
  db,
  company,
}) => {
  const { database } = db;
  const key = await openLedgerKey(database, box);
  const trail = { companyId: company.id };
  let commit = () => {};
  const late = database.transaction(async (tx) => {
    await recordForCompany(tx, company.id, by, { action: "company.work_woken", subject: "late" });
    await new Promise<void>((resolve) => {
      commit = resolve;
    });
  });
  await expect
    .poll(async () =>
      database.query(sql`select 1 from pg_stat_activity where state = 'idle in transaction'`),
    )
    .not.toEqual([]);
  for (let number = 0; number < 20; number += 1) await note(database, company.id, `n${number}`);
  await Promise.all([1, 2, 3].map(() => chainEntries(database, key, trail)));
  commit();
  await late;
  await Promise.all([1, 2, 3].map(() => chainEntries(database, key, trail)));

  const rows = await selectChained(database, trail, 0, 100);
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 22 }, (_, i) => i + 1));
  expect(rows.at(-1)?.fields).toContain("late");
  expect(await auditDifferences(database)).toEqual([]);
});

test("the worker chains what was written", async ({ db, service, company }) => {
  expect(service.url).toContain("http");
  await note(db.database, company.id, "by the worker");
  const unchained = sql`select 1 from company_trail where number is null`;
  await expect
    .poll(() => db.database.query(unchained), { timeout: 120_000, interval: 200 })
    .toEqual([]);
  expect(await auditDifferences(db.database)).toEqual([]);
});
