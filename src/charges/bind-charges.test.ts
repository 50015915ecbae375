import { expect } from "vitest";
import { ChargeClient } from "../../test/charges.ts";
import { auditDifferences, box, makeCompany, startService, test } from "../../test/fixtures.ts";
import { findSpoiltSince, isFoundAt } from "../../test/spoil.ts";
import { takeCheckpoint } from "../audits/take-checkpoint.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { chainEntries } from "../statements/chain-trails.ts";
import { openLedgerKey } from "../statements/ledger-key.ts";
import { readTrail } from "../trail/read-trail.ts";
import { boundChecks } from "./audit-bound.ts";
import { bindCharges, findUnboundCompanies } from "./bind-charges.ts";

const [bound = ""] = boundChecks.map(({ name }) => name);

interface Entry {
  readonly subject: string;
  readonly count: number;
}

function entriesOf(database: Database, companyId: string): Promise<Entry[]> {
  return database.query<Entry>(sql`
    select subject, (changes::jsonb #>> '{count,to}')::integer as count from company_trail
    where company_id = ${companyId} and action = 'charges.bound' order by id`);
}

test("whoever changes what a charge is for, takes one away or puts one in is seen, also while it is due", async ({
  db,
}) => {
  const { database } = db;
  const service = await startService(db, { ROLES: "api" });
  const company = await makeCompany(database);
  const charges = new ChargeClient(service, company);
  const [first, due] = [await charges.paid(), await charges.made({ externalId: "due" })];
  await bindCharges(database, company.id);
  await chainEntries(database, await openLedgerKey(database, box), { companyId: company.id });
  const checkpoint = await database.transaction((tx) => takeCheckpoint(tx, ""));
  const later = await charges.made({ externalId: "later" });
  await bindCharges(database, company.id);
  await service.stop();
  expect(await entriesOf(database, company.id)).toEqual([
    { subject: due, count: 2 },
    { subject: later, count: 1 },
  ]);
  expect(await auditDifferences(database)).toEqual([]);

  const it = `where id = '${due}'`;
  const beside = due.slice(0, -1) + (due.endsWith("0") ? "1" : "0");
  for (const text of [
    `update charges set expires_at = expires_at + interval '1 millisecond' ${it}`,
    `update charges set sub_company_id = gen_random_uuid() ${it}`,
    `update charges set amount = amount + 1 ${it}`,
    `update charges set description = 'else' ${it}`,
    `update charges set metadata = '{}' ${it}`,
    `update charges set external_id = 'else' ${it}`,
    `update charges set on_completed_redirection_url = 'https://evil.example' ${it}`,
    `update charges set on_canceled_redirection_url = 'https://evil.example' ${it}`,
    `update charges set id = '${beside}' ${it}`,
    `delete from charges ${it}`,
    `insert into charges select c.* from charges i
      cross join jsonb_populate_record(i, jsonb_build_object('id', '${beside}', 'external_id', 'copy')) c where i.id = '${due}'`,
    `update company_trail set subject = 'nothing' where subject = '${due}'`,
    "delete from company_trail where action = 'charges.bound' and changes like '%\"to\":2}%'",
  ])
    expect(await isFoundAt(database, [text], () => true, boundChecks), text).toBe(true);
  // An audit that continues looks at those that were bound since; of those before it has its own digest.
  const change = "update charges set description = 'else' where id =";
  expect(await findSpoiltSince(database, checkpoint, `${change} '${later}'`)).toEqual([bound]);
  expect(await findSpoiltSince(database, checkpoint, `${change} '${first}'`)).toEqual([]);
});

test("each charge is bound once, whoever does it at the same time, and waits for nothing", async ({
  db,
  service,
}) => {
  const { database } = db;
  const company = await makeCompany(database);
  const charges = new ChargeClient(service, company);
  expect(await findUnboundCompanies(database, 10)).toEqual([]);
  const ids: string[] = [];
  for (const externalId of ["1", "2", "3"]) ids.push(await charges.made({ externalId }));
  await Promise.all(Array.from({ length: 4 }, () => bindCharges(database, company.id)));
  expect(await entriesOf(database, company.id)).toEqual([{ subject: ids.at(-1), count: 3 }]);
  // Bound shortly ago, so there is no hurry: many of them have one entry.
  await charges.made({ externalId: "4" });
  expect(await findUnboundCompanies(database, 10)).toEqual([]);
  // It is evidence and nobody's change, so it stands in no list of changes.
  const shown = await readTrail(database, {
    companyId: company.id,
    since: undefined,
    before: undefined,
    limit: 10,
  });
  expect(shown.map(({ action }) => action)).not.toContain("charges.bound");
  expect(await auditDifferences(database)).toEqual([]);
});
