import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { signIn } from "../../test/console.ts";
import {
  auditDifferences,
  box,
  makeCompany,
  makeCustomer,
  startService,
  type TestDatabase,
  test,
} from "../../test/fixtures.ts";
import { passDays } from "../../test/history.ts";
import { passTriggers } from "../../test/past-triggers.ts";
import { fund, sealingOf } from "../../test/seals.ts";
import { makeTrailsAnew, unchain } from "../../test/trails.ts";
import { auditChecks } from "../audit-checks.ts";
import { auditCommand } from "../cli/commands/audit.ts";
import { sql } from "../database/sql.ts";
import { auditLedgerKeys } from "./audit-keys.ts";
import { chainEntries } from "./chain-trails.ts";
import { compareKeptSeals } from "./compare-kept-seals.ts";
import { coverTrails } from "./cover-trails.ts";
import { ledgerKeyOf, type Seal, signSeal } from "./seal.ts";
import { type Sealing, sealNextDay } from "./seal-days.ts";
import { toSealPayload, toSealResource } from "./seal-resource.ts";
import type { TrailName } from "./trail-chain.ts";
import { verifyFile } from "./verify/verify-file.ts";

const forger = ledgerKeyOf(Buffer.alloc(32, 66));
const tomorrow = () => new Date(Date.now() + 86_400_000);

/** Two days of a company that are over, of which the first is sealed; a person and a customer were there before. */
async function sealFirstDay(db: TestDatabase) {
  await makeCustomer(db.database, "2250700000001");
  const company = await makeCompany(db.database, { fund: 1_000 });
  await signIn(db, company.id, "owner");
  await passDays(db.database, company.id, 2);
  await fund(db, company.id, 200);
  await passDays(db.database, company.id, 2);
  await dateFundings(db);
  const sealing = await sealingOf(db);
  return { company, sealing, seal: await sealOne(sealing, company.id) };
}

/** As their postings were. */
async function dateFundings(db: TestDatabase): Promise<void> {
  await write(
    db,
    `update fundings f set created_at = p.created_at from postings p
      where p.company_id = f.company_id and p.subject_id = f.id`,
  );
}

async function sealOne(sealing: Sealing, companyId: string): Promise<Seal> {
  const outcome = await sealNextDay(sealing, companyId);
  if (outcome.kind !== "sealed") throw new Error(`nothing was sealed: ${outcome.kind}`);
  return outcome.seal;
}

async function write({ database }: TestDatabase, ...texts: readonly string[]): Promise<void> {
  await database.transaction(async (tx) => {
    await passTriggers(tx);
    for (const text of texts) await tx.query({ text, values: [] });
  });
}

/** The checks that find something, each once. */
async function failing({ database }: TestDatabase): Promise<readonly string[]> {
  return [...new Set((await auditDifferences(database)).map(({ check }) => check))];
}

async function inFile(text: string | Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cauri-trails-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "file"), text);
  return join(folder, "file");
}

async function exported(db: TestDatabase, token: string): Promise<string> {
  const service = await startService(db, { ROLES: "api" });
  onTestFinished(() => service.stop());
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${service.url}/v1/statement.csv`, { headers });
  return inFile(Buffer.from(await answer.arrayBuffer()));
}

const ofSeals = "the trails are what was sealed";
const ofCovers = "the trails of people and customers are what was covered each day";
const ofChain = {
  company: "each company's trail is what was chained and signed",
  shared: "what is no company's trail is what was chained and signed",
};

/** Somebody writes a false name, or false facts, over an entry that is sealed. */
const rewritings = [
  {
    trail: "company",
    text: "update company_trail set operator = 'Eve' where number = 1",
    chained: ofChain.company,
    sealed: ofSeals,
  },
  {
    trail: "installation",
    text: "update installation_trail set operator = 'Eve' where number = 1",
    chained: ofChain.shared,
    sealed: ofSeals,
  },
  {
    trail: "staff",
    text: "update staff_trail set operator = 'Eve' where number = 1",
    chained: ofChain.shared,
    sealed: ofCovers,
  },
  {
    trail: "customers",
    text: "update customer_trail set operator = 'Eve' where number = 1",
    chained: ofChain.shared,
    sealed: ofCovers,
  },
] as const;

describe.for(rewritings)("the trail of $trail, rewritten after it was sealed", (rewriting) => {
  const nameOf = (companyId: string): TrailName =>
    rewriting.trail === "company" ? { companyId } : rewriting.trail;

  test("and chained anew by the worker: the audit sees it, and the operator seals nothing on top of it", async ({
    db,
  }) => {
    const { company, sealing } = await sealFirstDay(db);
    expect(await failing(db)).toEqual([]);
    await write(db, rewriting.text);
    expect(await failing(db)).toEqual([rewriting.chained]);

    await unchain(db.database, nameOf(company.id));
    await chainEntries(db.database, sealing.key, nameOf(company.id));

    expect(await failing(db)).toEqual([rewriting.sealed]);
    if (rewriting.sealed === ofCovers) {
      const broken = await coverTrails(db.database, sealing.key, tomorrow());
      expect(broken).toMatchObject({ found: "another history" });
      return;
    }
    expect(await sealNextDay(sealing, company.id)).toMatchObject({
      kind: "broken",
      link: {
        where: expect.stringMatching(/^entry \d+ of the trail of /),
        found: "another history",
      },
    });
    expect(await db.database.query(sql`select 1 from seals`)).toHaveLength(1);
  });

  test("with its seal, by somebody without the master key: the audit names the key", async ({
    db,
  }) => {
    const { sealing, seal } = await sealFirstDay(db);
    await write(
      db,
      rewriting.text,
      `insert into ledger_keys (id, public_key) values ('${forger.id}', decode('${forger.publicKey}', 'base64'))`,
      `insert into installation_trail (id, operator, via, action, subject)
        values (gen_random_uuid(), 'root', 'first use', 'ledger_key.created', '${forger.id}')`,
    );
    await makeTrailsAnew(db.database, seal, forger);

    // What needs the database alone holds it to be in order: whoever owns that can make it agree with itself.
    expect(await failing(db)).toEqual([]);
    const { differences } = await auditLedgerKeys(db.database, sealing.key);
    expect(differences).toMatchObject([{ where: `ledger key ${forger.id}, named by 1 seals` }]);
  });

  test("with its seal, by somebody who has the master key: seals that were kept tell it", async ({
    db,
  }) => {
    const { company, sealing, seal } = await sealFirstDay(db);
    const kept = await inFile(JSON.stringify([toSealResource(seal, sealing.key.publicKey)]));
    const context = { database: db.database, openBox: async () => box };
    const witness = { seals: [seal], sealKeys: [sealing.key] };
    expect((await auditCommand(context, auditChecks, { seals: kept })).exitCode).toBe(0);
    const before = await verifyFile(await exported(db, company.accessToken), witness);
    expect(before).toMatchObject({ problem: undefined, isAuthenticated: true, witnesses: 1 });

    await write(db, rewriting.text);
    const forged = await makeTrailsAnew(db.database, seal, sealing.key);

    expect((await auditCommand(context, auditChecks, { full: true })).exitCode).toBe(0);
    const audited = await auditCommand(context, auditChecks, { seals: kept });
    expect(audited.exitCode).toBe(1);
    expect(audited.text).toContain("another history");
    const forgedTrails = Object.values(forged.trails ?? {}).map(({ hash }) => hash.toString("hex"));
    for (const hash of forgedTrails) expect(audited.text).toContain(hash);
    const after = await verifyFile(await exported(db, company.accessToken), witness);
    expect(after.problem).toMatchObject({ what: "forked" });
  });
});

test("each entry that was covered or sealed must be there, and no day may be covered before it has come", async ({
  db,
}) => {
  const { company, sealing } = await sealFirstDay(db);
  const cut = async (text: string, trail: TrailName) => {
    await write(db, text);
    await unchain(db.database, trail);
    await chainEntries(db.database, sealing.key, trail);
  };
  await cut("delete from customer_trail", "customers");
  expect(await failing(db)).toEqual([
    ofCovers,
    "each customer is what was said last: names, identification, ceiling, frozen or not",
  ]);
  await cut("delete from company_trail where action = 'person.second_factor_set'", {
    companyId: company.id,
  });
  expect(await failing(db)).toEqual(expect.arrayContaining([ofCovers]));

  await write(
    db,
    `insert into installation_trail (id, operator, via, action, subject, changes)
      values (gen_random_uuid(), 'root', 'seals', 'trails.covered', '9999-12-31', 'none')`,
  );
  const found = await auditDifferences(db.database);
  expect(found.filter(({ check }) => check === ofCovers)).toMatchObject([
    { where: expect.stringMatching(/^the trail of staff, covered on 9999-12-31$/) },
    { where: expect.stringMatching(/^the trail of customers, covered on \d{4}/) },
    { where: "the trail of customers, covered on 9999-12-31" },
    { where: "the trails covered on 9999-12-31", expected: "a day that has come" },
  ]);
});

test("the trails of people and customers are covered once a day, whoever seals", async ({ db }) => {
  const { company, sealing } = await sealFirstDay(db);
  const other = await makeCompany(db.database, { fund: 1_000 });
  await passDays(db.database, other.id, 2);
  await dateFundings(db);
  const days = () =>
    db.database.query(sql`
      select changes::jsonb #>> '{staffNumber,to}' as staff, changes::jsonb #>> '{customersNumber,to}' as customers
      from installation_trail where action = 'trails.covered' order by id`);
  await Promise.all([company.id, other.id].map((id) => sealNextDay(sealing, id)));
  expect(await days()).toEqual([{ staff: "2", customers: "1" }]);

  await makeCustomer(db.database, "2250700000002");
  const cover = () => coverTrails(db.database, sealing.key, tomorrow());
  expect(await Promise.all([cover(), cover(), cover()])).toEqual([undefined, undefined, undefined]);

  expect(await days()).toEqual([
    { staff: "2", customers: "1" },
    { staff: "2", customers: "2" },
  ]);
  expect(await failing(db)).toEqual([]);
});

test("seals of earlier releases, which name no trail, stay good, beside new ones", async ({
  db,
}) => {
  const { company, sealing, seal } = await sealFirstDay(db);
  const { trails, ...facts } = seal;
  const old = signSeal(sealing.key, facts);
  expect(trails).toBeDefined();
  await write(
    db,
    `update seals set trail_number = null, trail_hash = null, installation_number = null, installation_hash = null,
      signature = '\\x${old.signature.toString("hex")}'`,
    `update event_runs set payloads = array['${toSealPayload(old, sealing.key.publicKey)}']
      where topic::text = 'statements/sealed'`,
  );
  const next = await sealOne(sealing, company.id);

  expect(next.trails?.company.number).toBeGreaterThan(0);
  expect(await failing(db)).toEqual([]);
  const { differences } = await compareKeptSeals(db.database, [old, next], sealing.key);
  expect(differences).toEqual([]);
  const witness = { seals: [old, next], sealKeys: [sealing.key] };
  const found = await verifyFile(await exported(db, company.accessToken), witness);
  expect(found).toMatchObject({ problem: undefined, isAuthenticated: true, witnesses: 2 });
  // Whoever takes the trails out of a seal makes another of it.
  const compared = await compareKeptSeals(db.database, [seal], sealing.key);
  expect(compared.differences).toMatchObject([
    { expected: expect.stringContaining("trail "), found: expect.stringMatching(/^another/) },
  ]);
});
