import { randomBytes } from "node:crypto";
import type { Tx } from "../../../src/database/database.ts";
import { sql } from "../../../src/database/sql.ts";
import type { LedgerKey } from "../../../src/statements/seal.ts";
import type { Attack, Insider, Tool } from "../attack.ts";
import { forgetAudits, reseal, retrail } from "../craft.ts";
import { changeRecipient, run } from "./rewrite.ts";

const everybody: readonly Tool[] = ["audit", "audit --full", "audit --seals", "verify"];

/** A key of somebody's own in the table of keys, with its entry in the audit log. */
async function insertKey(tx: Tx, { id, publicKey }: LedgerKey): Promise<void> {
  await run(
    tx,
    sql`insert into ledger_keys (id, public_key) values (${id}, ${Buffer.from(publicKey, "base64")})`,
    sql`insert into installation_trail (id, operator, via, action, subject, changes, number, hash)
      select trail_id(7, (select max(id::text)::uuid from installation_trail)), 'root', 'first use', 'ledger_key.created', ${id},
        json_build_object('publicKey', json_build_object('from', null, 'to', ${publicKey}::text))::text,
        (select max(number) + 1 from installation_trail), ''`,
  );
}

/** Everything is signed anew with it: chains, audit logs and seals of all companies. */
export async function signEverything({ tx, companies: [one], own }: Insider): Promise<void> {
  await changeRecipient(tx, one);
  const all = await tx.query<{ id: string }>(sql`select company_id as id from companies`);
  for (const trail of ["staff", "customers", "installation"] as const)
    await retrail(tx, trail, own);
  for (const { id } of all) {
    await retrail(tx, { companyId: id }, own);
    await reseal(tx, id, own);
  }
  await forgetAudits(tx);
}

/** Keys that the operator does not have, and the operator's own. */
export const keyAttacks: readonly Attack[] = [
  {
    name: "a key of the insider's own signs a rewritten history: chains, seals and audit logs of all companies",
    forge: async (insider) => {
      await insertKey(insider.tx, insider.own);
      await signEverything(insider);
    },
    noticed: { now: everybody, later: everybody },
  },
  {
    name: "the same, with a binding that is made up",
    forge: async (insider) => {
      await insertKey(insider.tx, insider.own);
      await run(
        insider.tx,
        sql`insert into ledger_key_bindings (key_id, mac) values (${insider.own.id}, ${randomBytes(32)})`,
      );
      await signEverything(insider);
    },
    noticed: { now: everybody, later: everybody },
  },
  {
    name: "the same, with the binding of the operator's key, as its predecessor",
    forge: async (insider) => {
      await insertKey(insider.tx, insider.own);
      await run(
        insider.tx,
        sql`insert into ledger_key_bindings (key_id, predecessor, mac)
          select ${insider.own.id}, null, mac from ledger_key_bindings limit 1`,
        sql`update ledger_key_bindings set predecessor = ${insider.own.id} where key_id <> ${insider.own.id}`,
      );
      await signEverything(insider);
    },
    noticed: { now: everybody, later: everybody },
  },
  {
    name: "the same, in the place of the operator's key, which is gone, also from the audit log",
    forge: async (insider) => {
      const { id, publicKey } = insider.own;
      await run(
        insider.tx,
        sql`update installation_trail t set subject = ${id},
          changes = replace(changes, replace(encode(k.public_key, 'base64'), chr(10), ''), ${publicKey})
          from ledger_keys k where t.action = 'ledger_key.created' and t.subject = k.id`,
        sql`update ledger_keys set id = ${id}, public_key = ${Buffer.from(publicKey, "base64")}`,
        sql`update ledger_key_bindings set key_id = ${id}`,
      );
      await signEverything(insider);
    },
    noticed: { now: everybody, later: everybody },
  },
  {
    name: "the same, under the id of the operator's key",
    forge: async (insider) => {
      const [{ id } = { id: "" }] = await insider.tx.query<{ id: string }>(
        sql`select id from ledger_keys`,
      );
      await signEverything({ ...insider, own: { ...insider.own, id } });
      await run(
        insider.tx,
        sql`update ledger_keys set public_key = ${Buffer.from(insider.own.publicKey, "base64")}`,
      );
    },
    noticed: { now: everybody, later: everybody },
  },
  {
    name: "the operator's sealed private key is taken away, so that another is made; a rewritten history with it",
    forge: async ({ tx, companies: [one] }) => {
      await changeRecipient(tx, one);
      await run(tx, sql`delete from purpose_keys where purpose = 'ledger'`);
      await forgetAudits(tx);
    },
    noticed: { now: everybody, later: everybody },
  },
  {
    name: "the sealed private keys of two purposes change places",
    forge: async ({ tx }) => {
      await run(
        tx,
        sql`update purpose_keys p set sealed = o.sealed from purpose_keys o
          where (p.purpose, o.purpose) in (('ledger', 'rest'), ('rest', 'ledger'))`,
      );
    },
    noticed: {
      now: [...everybody, "master-key check"],
      later: [...everybody, "master-key check"],
    },
  },
  {
    name: "the sealed signing secrets of two companies change places",
    forge: async ({ tx, companies: [one, two] }) => {
      await run(
        tx,
        sql`create temp table forged_secrets on commit drop as
          select distinct on (company_id) company_id, key_id, sealed from secret_keys
          where revoked_at is null and company_id in (${one}, ${two}) order by company_id, key_id desc`,
        sql`update secret_keys s set sealed = o.sealed from forged_secrets m, forged_secrets o
          where s.company_id = m.company_id and s.key_id = m.key_id and o.company_id <> m.company_id`,
      );
    },
    noticed: { now: ["master-key check"], later: ["master-key check"] },
  },
];
