import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pino } from "pino";
import { describe, expect, onTestFinished } from "vitest";
import {
  auditDifferences,
  box,
  makeCompany,
  startService,
  type TestDatabase,
  test,
} from "../../test/fixtures.ts";
import { passDays, rewriteHistory } from "../../test/history.ts";
import { passTriggers } from "../../test/past-triggers.ts";
import { fund, sealAll, sealingOf } from "../../test/seals.ts";
import { makeTrailsAnew } from "../../test/trails.ts";
import { startParts } from "../app.ts";
import { auditChecks } from "../audit-checks.ts";
import { auditCommand } from "../cli/commands/audit.ts";
import { sealCommand } from "../cli/commands/seal.ts";
import { readConfig } from "../config.ts";
import { Signals } from "../database/signals.ts";
import { type Query, sql } from "../database/sql.ts";
import { auditLedgerKeys } from "./audit-keys.ts";
import { LedgerKeysUnbound } from "./errors.ts";
import { bindLedgerKeys, ledgerKeyIn, openLedgerKey, readLedgerKeys } from "./ledger-key.ts";
import { type LedgerKey, ledgerKeyOf, type Seal, signSeal } from "./seal.ts";
import { sealNextDay } from "./seal-days.ts";
import { toSealPayload } from "./seal-resource.ts";
import { verifyFile } from "./verify/verify-file.ts";

const forger = ledgerKeyOf(Buffer.alloc(32, 66));

/** As the owner of the database does it, past all triggers. */
async function write({ database }: TestDatabase, ...queries: readonly Query[]): Promise<void> {
  await database.transaction(async (tx) => {
    await passTriggers(tx);
    for (const query of queries) await tx.query(query);
  });
}

function insertKey({ id, publicKey }: Pick<LedgerKey, "id" | "publicKey">): Query[] {
  return [
    sql`insert into ledger_keys (id, public_key) values (${id}, ${Buffer.from(publicKey, "base64")})`,
    sql`insert into installation_trail (id, operator, via, action, subject)
      values (gen_random_uuid(), 'root', 'first use', 'ledger_key.created', ${id})`,
  ];
}

/** A sealed day with twice the money, and everything that the database says of it made anew with another key. */
async function rewriteSealedDay(db: TestDatabase, companyId: string, seal: Seal): Promise<void> {
  await rewriteHistory(db.database, companyId, (posting) => ({
    ...posting,
    amount: posting.amount * 2,
    availableAfter: (posting.availableAfter ?? 0) * 2,
  }));
  const [books] = await db.database.query<{ chain: Buffer }>(sql`
    select chain from postings where company_id = ${companyId} and number = ${seal.number}`);
  const facts = { ...seal, balance: seal.balance * 2, hash: books?.chain ?? Buffer.alloc(0) };
  const forged = signSeal(forger, facts);
  await write(
    db,
    ...insertKey(forger),
    sql`update seals set balance = ${forged.balance}, hash = ${forged.hash}, key_id = ${forger.id},
      signature = ${forged.signature}, until = ${forged.until} where company_id = ${companyId}`,
    sql`update event_runs set payloads = array[${toSealPayload(forged, forger.publicKey)}]
      where company_id = ${companyId} and topic::text = 'statements/sealed'`,
    sql`update books set available = available * 2, external = external * 2 where company_id = ${companyId}`,
    sql`update fundings f set amount = p.amount, created_at = p.created_at from postings p
      where p.company_id = f.company_id and p.subject_id = f.id`,
    sql`update company_trail set changes = replace(changes, '1000', '2000') where company_id = ${companyId}`,
    sql`update day_totals set amounts = array[${forged.balance}::bigint] where company_id = ${companyId}`,
    sql`update statement_totals set amounts = array[${forged.balance}::bigint] where company_id = ${companyId}`,
  );
  await makeTrailsAnew(db.database, forged, forger);
}

test("a sealed day that the owner of the database rewrites and signs with a key of their own", async ({
  db,
}) => {
  const { database } = db;
  const company = await makeCompany(database, { fund: 1_000 });
  await passDays(database, company.id, 3);
  const sealing = await sealingOf(db);
  const [seal] = (await sealAll(sealing, company.id)) as [Seal];
  await rewriteSealedDay(db, company.id, seal);
  await fund(db, company.id, 50);
  await database.query(sql`update statement_progress set seal_after = '-infinity'`);
  // What needs the database alone holds it to be in order: whoever owns that can make it agree with itself.
  expect(await auditDifferences(database)).toEqual([]);

  const result = await auditLedgerKeys(database, sealing.key);
  expect(result).toMatchObject({
    examined: 2,
    differences: [
      {
        where: `ledger key ${forger.id}, named by 1 seals`,
        found: "one that is not: nothing binds it to the key that signs",
      },
    ],
  });
  const context = {
    config: readConfig({}),
    database,
    signals: new Signals(db.url, database),
    openBox: async () => box,
  };
  const audited = await auditCommand(context, auditChecks);
  expect(audited.exitCode).toBe(1);
  expect(audited.text).toContain(`ledger key ${forger.id}`);

  await expect(sealCommand(context)).rejects.toThrow(LedgerKeysUnbound);
  await expect(sealCommand(context)).rejects.toThrow(forger.id);
  const service = await startService(db, { ROLES: "api" });
  onTestFinished(() => service.stop());
  const { keys } = (await service.call("GET", "/.well-known/cauri-ledger.json")).body;
  expect(keys.map(({ id }: LedgerKey) => id)).toEqual([sealing.key.id]);
  const token = company.accessToken;
  const listed = (await service.call("GET", "/v1/statement/seals", { token })).body.data;
  expect(listed).toMatchObject([{ keyId: forger.id, publicKey: "" }]);
  const folder = await mkdtemp(join(tmpdir(), "cauri-forged-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const answer = await fetch(`${service.url}/v1/statement.csv`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await writeFile(join(folder, "file"), Buffer.from(await answer.arrayBuffer()));
  const { problem } = await verifyFile(join(folder, "file"), { seals: [] });
  expect(problem?.message).toContain("that the operator's key did not sign");
});

test("beside a key that nothing binds no day is sealed; without it, or once it is bound, days are", async ({
  db,
}) => {
  const { id } = await makeCompany(db.database, { fund: 1_000 });
  const sealing = await sealingOf(db);
  await passDays(db.database, id, 2);
  await write(db, ...insertKey(forger));

  expect(await sealNextDay(sealing, id)).toMatchObject({
    kind: "unbound",
    keys: [{ id: forger.id }],
  });
  expect(await db.database.query(sql`select 1 from seals`)).toEqual([]);
  expect(await bindLedgerKeys(db.database, sealing.key, [forger.id])).toEqual([forger.id]);
  expect(await bindLedgerKeys(db.database, sealing.key, [forger.id])).toEqual([]);

  expect(await sealNextDay(sealing, id)).toMatchObject({ kind: "sealed" });
  const entries = await db.database.query(sql`
    select action, via, subject from installation_trail where via <> 'first use' order by id`);
  expect(entries).toEqual([
    { action: "ledger_key.bound", via: "ledger-key bind", subject: forger.id },
    { action: "trails.covered", via: "seals", subject: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
  ]);
});

test("a key that nobody bound is named in the log when the service starts", async ({ db }) => {
  await openLedgerKey(db.database, box);
  await write(db, ...insertKey(forger));
  const lines: Record<string, unknown>[] = [];
  const log = new Writable({
    write(line: Buffer, _encoding, done) {
      lines.push(JSON.parse(line.toString()));
      done();
    },
  });

  const config = readConfig({ PORT: "0", ROLES: "api" });
  const parts = await startParts(config, pino(log), db.database, db.url, box);
  await parts.app.close();
  await parts.stop();

  expect(lines.filter(({ keyId }) => keyId !== undefined)).toMatchObject([
    { level: 50, keyId: forger.id, msg: expect.stringContaining("not bound to the operator's") },
  ]);
});

describe("what makes a key the operator's", () => {
  const whys = async ({ database }: TestDatabase) =>
    (await readLedgerKeys(database, ledgerKeyIn(box))).unbound.map(({ id, why }) => [id, why]);

  test("the first key is bound, and entered in the trail, once, whoever opens it", async ({
    db,
  }) => {
    const keys = await Promise.all(
      Array.from({ length: 4 }, () => openLedgerKey(db.database, box)),
    );

    expect(new Set(keys.map(({ id }) => id)).size).toBe(1);
    expect(await whys(db)).toEqual([]);
    const entries = await db.database.query(sql`select action, subject from installation_trail`);
    expect(entries).toEqual([{ action: "ledger_key.created", subject: keys[0]?.id }]);
  });

  test("a key from before keys were bound is bound when it is opened; deleting codes binds no other", async ({
    db,
  }) => {
    const own = await openLedgerKey(db.database, box);
    await write(db, ...insertKey(forger), sql`delete from ledger_key_bindings`);
    // An audit before the first start finds nothing wrong with the key itself.
    const unbound = [[forger.id, "nothing binds it to the key that signs"]];
    expect(await whys(db)).toEqual(unbound);

    await openLedgerKey(db.database, box);

    const bound = await db.database.query(sql`select key_id from ledger_key_bindings`);
    expect(bound).toEqual([{ key_id: own.id }]);
    expect(await whys(db)).toEqual(unbound);
  });

  test("a code that was made up, or is another key's, binds nothing", async ({ db }) => {
    await openLedgerKey(db.database, box);
    const why = "it was bound to another key than the one that signs, or it was changed";
    const someMac = randomBytes(32);
    await write(
      db,
      ...insertKey(forger),
      sql`insert into ledger_key_bindings (key_id, mac) values (${forger.id}, ${someMac})`,
    );
    expect(await whys(db)).toEqual([[forger.id, why]]);
    await write(
      db,
      sql`update ledger_key_bindings set mac = (select mac from ledger_key_bindings where key_id <> ${forger.id})
        where key_id = ${forger.id}`,
    );
    expect(await whys(db)).toEqual([[forger.id, why]]);
    const other = ledgerKeyOf(randomBytes(32));
    await expect(bindLedgerKeys(db.database, other, ["unknown"])).rejects.toThrow("There is no");
  });

  test("what is bound cannot be changed or taken away", async ({ db }) => {
    const own = await openLedgerKey(db.database, box);
    await write(
      db,
      ...insertKey(forger),
      sql`update ledger_keys set created_at = created_at - interval '1 day' where id = ${forger.id}`,
    );
    await bindLedgerKeys(db.database, own, [forger.id]);
    expect(await whys(db)).toEqual([]);

    await write(
      db,
      sql`update ledger_keys set created_at = created_at - interval '1 ms' where id = ${own.id}`,
    );
    expect(await whys(db)).toEqual([[own.id, expect.stringContaining("it was changed")]]);
    await write(
      db,
      sql`update ledger_keys set created_at = created_at + interval '1 ms' where id = ${own.id}`,
      sql`delete from ledger_keys where id = ${forger.id}`,
    );
    expect(await whys(db)).toEqual([[own.id, `the key before it, ${forger.id}, was removed`]]);
    const another = Buffer.from(forger.publicKey, "base64");
    await write(db, sql`update ledger_keys set public_key = ${another} where id = ${own.id}`);
    expect(await whys(db)).toEqual([[own.id, "its id is not that of its public key"]]);
    await expect(bindLedgerKeys(db.database, own, [own.id])).rejects.toThrow("cannot be bound");
  });

  test("without the master key none can be told, and the audit says so", async ({ db }) => {
    expect((await auditLedgerKeys(db.database, undefined)).differences).toEqual([]);
    await openLedgerKey(db.database, box);
    expect((await auditLedgerKeys(db.database, undefined)).differences).toMatchObject([
      { where: "the ledger keys", found: expect.stringContaining("set MASTER_KEY") },
    ]);
  });
});
