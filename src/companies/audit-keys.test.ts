import { expect } from "vitest";
import { auditDifferences, box, test } from "../../test/fixtures.ts";
import { findSpoilt } from "../../test/spoil.ts";
import { Signals } from "../database/signals.ts";
import { sql } from "../database/sql.ts";
import { operator } from "../trail/actor.ts";
import { keyChecks } from "./audit-keys.ts";
import { createKey, replaceKey, revokeKey, rotateKey } from "./credentials.ts";

const [issued = "", revoked = "", ended = ""] = keyChecks.map(({ name }) => name);

/** By the check that has to see it: what somebody with all rights over the database could do. */
const forgeries: Readonly<Record<string, readonly (readonly string[])[]>> = {
  [issued]: [
    ["update access_tokens set token_hash = sha256(token_hash)"],
    ["insert into access_tokens select sha256(token_hash), company_id, key_id from access_tokens"],
    [
      `insert into access_tokens select sha256(token_hash), company_id, '01a1e9c7-0000-7000-8000-000000000001' from access_tokens
        limit 1`,
      `insert into secret_keys select company_id, '01a1e9c7-0000-7000-8000-000000000001', sealed from secret_keys limit 1`,
    ],
    ["delete from access_tokens"],
    ["delete from secret_keys"],
    ["delete from company_trail where action = 'key.issued'"],
  ],
  [revoked]: [
    ["update access_tokens set revoked_at = null", "update secret_keys set revoked_at = null"],
    ["update access_tokens set revoked_at = null"],
    [
      "update access_tokens set revoked_at = now() where revoked_at is null",
      "update secret_keys set revoked_at = now() where revoked_at is null",
    ],
    ["delete from company_trail where action = 'key.revoked'"],
    ["update access_tokens set expires_at = expires_at + interval '1 second'"],
  ],
  [ended]: [
    ["update access_tokens set expires_at = null", "update secret_keys set expires_at = null"],
    [
      "update access_tokens set expires_at = expires_at + interval '1 day'",
      "update secret_keys set expires_at = expires_at + interval '1 day'",
    ],
    [
      "update access_tokens set expires_at = now() + interval '1 day' where expires_at is null",
      "update secret_keys set expires_at = now() + interval '1 day' where expires_at is null",
    ],
  ],
};

test("a token cannot be put in, revived or prolonged without the audit seeing it", async ({
  db,
  company,
}) => {
  const { database } = db;
  const signals = new Signals(db.url, database);
  const by = operator("a test");
  const request = { companyId: company.id };
  const now = () => new Date();
  const named = { ...request, name: "till" };
  const first = await createKey(database, signals, box, now(), named, by, 20);
  const second = await createKey(database, signals, box, now(), named, by, 20);
  await revokeKey(database, signals, second.keyId, by);
  const endsAt = new Date(Date.now() + 3_600_000);
  const replaced = { ...request, keyId: first.keyId, endsAt };
  await replaceKey(database, signals, box, now(), replaced, by, 20);
  await rotateKey(database, signals, box, now(), { ...request, overlapSeconds: 600 }, by);
  await rotateKey(database, signals, box, now(), { ...request, overlapSeconds: 7_200 }, by);
  await createKey(database, signals, box, now(), named, by, 20);
  expect(await database.query(sql`select 1 from access_tokens`)).toHaveLength(7);
  expect(await auditDifferences(database)).toEqual([]);

  for (const [name, spoils] of Object.entries(forgeries))
    for (const texts of spoils)
      expect(await findSpoilt(database, ...texts), texts.join("; ")).toContain(name);
}, 120_000);
