import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type TestDatabase, test } from "../../test/fixtures.ts";
import { holdLock, untilLockAwaited } from "../../test/locks.ts";
import { recordEnvironment } from "../database/environment.ts";
import { Signals } from "../database/signals.ts";
import { sql } from "../database/sql.ts";
import { toPublicId } from "../kernel/ids.ts";
import { secretBox } from "../kernel/secret-box.ts";
import { operator } from "../trail/actor.ts";
import { createCompany, createFirstCompany } from "./create-company.ts";
import { listKeys, revokeKey, rotateKey } from "./credentials.ts";
import { DamagedMasterKey, DamagedPurposeKey, MasterKeyMissing, WrongMasterKey } from "./errors.ts";
import type { KeySource } from "./master-key.ts";
import { SigningSecrets } from "./signing-secrets.ts";
import { openVault } from "./vault.ts";

const shop = { name: "Shop", fund: 1_000 };

test("the first start decides the master key: of two nodes with different keys at once, one starts", async ({
  db,
}) => {
  const starts = await Promise.allSettled(
    Array.from({ length: 8 }, () => openVault(db.database, withKeys(randomBytes(32)))),
  );

  const refusals = starts.filter((start) => start.status === "rejected");
  expect(refusals).toHaveLength(7);
  for (const { reason } of refusals) expect(reason).toBeInstanceOf(WrongMasterKey);
});

test("nodes that start at once on an empty database make one first company", async ({ db }) => {
  await recordEnvironment(db.database, "staging");
  const box = await openVault(db.database, withKeys(randomBytes(32)));

  // The first of them stands still before its commit, until the other has come as far as it can.
  const release = await holdLock(db, "select from vault");
  const making = Array.from({ length: 2 }, () =>
    createFirstCompany(db.database, box, shop, operator("serve")),
  );
  await untilLockAwaited(db.database, 2);
  await release();
  const made = await Promise.all(making);

  expect(made.filter((one) => one !== undefined)).toHaveLength(1);
  expect(await db.database.query(sql`select 1 from companies`)).toHaveLength(1);
});

test("a wrong key is refused with whose secrets it does not open, and what to do; ended secrets are no obstacle", async ({
  db,
}) => {
  const [right, wrong] = [randomBytes(32), randomBytes(32)];
  const box = await openVault(db.database, withKeys(right));
  const names = ["Awa", "Bala \u001b[31m", "Cora"];
  const companies = [];
  for (const name of names)
    companies.push(await createCompany(db.database, box, { name, fund: 0 }));
  const [awa, bala, cora] = companies.map(({ company }) => toPublicId("com", company.id));
  const signals = new Signals(db.url, db.database);
  await revokeKey(db.database, signals, companies[2]?.key.keyId ?? "");

  const refusal = openVault(db.database, withKeys(wrong));
  await expect(refusal).rejects.toBeInstanceOf(WrongMasterKey);
  await expect(refusal).rejects.toThrow(
    `2 signing secrets of 2 companies cannot be opened: Awa (${awa}), Bala \\u001b[31m (${bala}).`,
  );
  await expect(refusal).rejects.toThrow("`cauri master-key replace`");
  await expect(refusal).rejects.not.toThrow(cora);
  // And nothing was sealed with it meanwhile.
  await expect(createCompany(db.database, secretBox(wrong), shop)).rejects.toThrow(WrongMasterKey);
  expect((await openVault(db.database, withKeys(right))).fingerprints).toEqual(box.fingerprints);
});

test("sealed keys of two purposes that change places are named, and open nothing", async ({
  db,
}) => {
  const source = withKeys(randomBytes(32));
  await openVault(db.database, source);
  await db.database.query(sql`
    update purpose_keys p set sealed = o.sealed from purpose_keys o
    where (p.purpose, o.purpose) in (('ledger', 'rest'), ('rest', 'ledger')) returning 1`);

  const opening = openVault(db.database, source);

  await expect(opening).rejects.toThrow(DamagedPurposeKey);
  await expect(opening).rejects.toThrow('The sealed key "ledger" in purpose_keys was changed');
});

test("a database from before the vault is refused to a key that does not open its secrets, and keeps its links", async ({
  db,
}) => {
  const key = randomBytes(32);
  await createCompany(db.database, secretBox(key), shop);
  await db.database.query(sql`delete from vault`);

  await expect(openVault(db.database, withKeys(randomBytes(32)))).rejects.toThrow(WrongMasterKey);
  const box = await openVault(db.database, withKeys(key));
  for (const purpose of ["payment link", "one-time code"])
    expect(box.deriveKey(purpose)).toEqual(secretBox(key).deriveKey(purpose));
  expect(box.deriveKey("anything else")).toHaveLength(32);
});

test("a key file is made for a new database alone: where one is missing, that is said", async ({
  db,
}) => {
  const source = await inFolder();
  const path = join(source.dataDir, "master.key");
  await openVault(db.database, source);
  expect(existsSync(path)).toBe(true);

  await rm(path);
  await expect(openVault(db.database, source)).rejects.toThrow(MasterKeyMissing);
  await expect(openVault(db.database, source)).rejects.toThrow(path);
  expect(existsSync(path)).toBe(false);
  await writeFile(path, "half of a k");
  await expect(openVault(db.database, source)).rejects.toThrow(DamagedMasterKey);
});

test("of rotations at once, only the last one's key has no end", async ({ db }) => {
  const box = await openVault(db.database, withKeys(randomBytes(32)));
  const { company } = await createCompany(db.database, box, shop);
  const signals = new Signals(db.url, db.database);
  const request = { companyId: company.id, overlapSeconds: 60 };

  await Promise.all(
    Array.from({ length: 5 }, () => rotateKey(db.database, signals, box, new Date(), request)),
  );

  const keys = await listKeys(db.database, company.id);
  expect(keys).toHaveLength(6);
  expect(keys.filter(({ expires_at }) => expires_at === null)).toHaveLength(1);
  const secrets = await db.database.query(sql`select 1 from secret_keys where expires_at is null`);
  expect(secrets).toHaveLength(1);
});

test("a node whose key file was changed under it reads it again when a secret does not open", async ({
  db,
}) => {
  const [before, after] = [randomBytes(32), randomBytes(32)];
  const { company, key } = await createCompany(db.database, secretBox(before), shop);
  await reseal(db, after, key.secretKey);
  const signals = new Signals(db.url, db.database);
  const secretsWith = (reread?: () => Promise<ReturnType<typeof secretBox>>) =>
    new SigningSecrets(db.database, signals, secretBox(before), reread).of(company.id);

  await expect(secretsWith()).rejects.toThrow();
  const [secret] = await secretsWith(async () => secretBox(after, before));
  expect(secret?.export().toString()).toBe(key.secretKey);
});

function withKeys(...masterKeys: Buffer[]): KeySource {
  return { masterKeys, dataDir: "/nonexistent" };
}

async function inFolder(): Promise<KeySource> {
  const dataDir = await mkdtemp(join(tmpdir(), "cauri-vault-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  return { masterKeys: [], dataDir };
}

async function reseal({ database }: TestDatabase, key: Buffer, secret: string): Promise<void> {
  const [row] = await database.query<{ company_id: string }>(
    sql`select company_id from secret_keys`,
  );
  const sealed = secretBox(key).seal(secret, row?.company_id ?? "");
  await database.query(sql`update secret_keys set sealed = ${sealed}`);
}
