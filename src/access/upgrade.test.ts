import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { member, somebody } from "../../test/desk.ts";
import { test } from "../../test/fixtures.ts";
import { sql } from "../database/sql.ts";
import { packageRoot } from "../kernel/root.ts";
import { introducersOf } from "../staff/introducers.ts";
import { emailsOf } from "../staff/people.ts";
import { recordForCompany } from "../trail/record.ts";

test("members of before count as confirmed, and who invited or raised them is taken from the trail", async ({
  db,
  company,
}) => {
  const { database } = db;
  const owner = await member(database, company.id);
  const [invited, raised, alone] = [
    await member(database, company.id, "approver"),
    await member(database, company.id, "approver"),
    await member(database, company.id, "approver"),
  ];
  const emails = await emailsOf(
    database,
    [invited, raised, alone].map(({ personId }) => personId),
  );
  const say = (action: "member.invited" | "member.role_changed", about: typeof owner, by = owner) =>
    database.transaction((tx) =>
      recordForCompany(tx, company.id, by, { action, subject: emails.get(about.personId) ?? "" }),
    );
  await say("member.invited", invited);
  await say("member.invited", invited);
  await say("member.role_changed", raised);
  // A role that came with the own acceptance of a link.
  await say("member.role_changed", alone, somebody(alone.personId));
  const text = readFileSync(join(packageRoot, "migrations/0032_access.sql"), "utf8");
  const [block = ""] = /^do \$\$.*?^\$\$;$/ms.exec(text) ?? [];
  expect(block).toContain("introduced_by");

  await database.query({ text: block, values: [] });

  const introducers = (who: typeof owner) => introducersOf(database, company.id, who.personId);
  expect(await introducers(invited)).toEqual([owner.personId]);
  expect(await introducers(raised)).toEqual([owner.personId]);
  expect(await introducers(alone)).toEqual([]);
  expect(await introducers(owner)).toEqual([]);
  expect(await database.query(sql`select 1 from access_requests`)).toEqual([]);
});
