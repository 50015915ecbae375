import { expect } from "vitest";
import { joinBy, joinByOperator } from "../../../../test/access.ts";
import { box, type TestDatabase, test } from "../../../../test/fixtures.ts";
import { RequestClosed } from "../../../access/errors.ts";
import { companyIdPrefix } from "../../../companies/company.ts";
import { readConfig } from "../../../config.ts";
import { Signals } from "../../../database/signals.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import { NotAMember } from "../../../staff/errors.ts";
import { membershipsOf } from "../../../staff/people.ts";
import type { Context } from "../../context.ts";
import { confirmStaffCommand, refuseStaffCommand } from "./decide.ts";
import { listRequestsCommand } from "./requests.ts";
import { changeStaffRoleCommand } from "./role.ts";

function contextOf({ database, url }: TestDatabase): Context {
  const signals = new Signals(url, database);
  return { config: readConfig({}), database, signals, openBox: async () => box };
}

test("the operator lists what owners have asked for, confirms one and refuses another", async ({
  db,
  company,
}) => {
  const context = contextOf(db);
  const owner = await joinByOperator(db.database, company.id, "awa@shop.example");
  const join = (email: string) => joinBy(db.database, owner, company.id, email, "approver");
  const [one, other] = [await join("fatou@shop.example"), await join("moussa@shop.example")];
  const ids = [one, other].map(({ requestId = "" }) => requestId);

  const listed = await listRequestsCommand(context, {});
  expect(listed.value).toMatchObject(
    ["fatou", "moussa"].map((name, index) => ({
      requestId: toPublicId("req", ids[index] ?? ""),
      companyId: toPublicId(companyIdPrefix, company.id),
      kind: "membership",
      what: `${name}@shop.example joins as approver`,
      requestedBy: "awa@shop.example",
      state: "open",
    })),
  );
  expect(listed.text).toContain("fatou@shop.example joins as approver");
  const confirmed = await confirmStaffCommand(context, ids[0] ?? "", { yes: true });
  expect(confirmed).toMatchObject({ value: { state: "confirmed" } });
  const refused = await refuseStaffCommand(context, ids[1] ?? "", { reason: "unknown there" });
  expect(refused).toMatchObject({ value: { state: "refused" } });

  expect(await membershipsOf(db.database, one.who.personId)).toMatchObject([{ role: "approver" }]);
  expect(await membershipsOf(db.database, other.who.personId)).toEqual([]);
  expect((await listRequestsCommand(context, { company: company.id })).value).toEqual([]);
  await expect(confirmStaffCommand(context, ids[1] ?? "", { yes: true })).rejects.toThrow(
    RequestClosed,
  );
});

test("the operator gives a member another role, at once", async ({ db, company }) => {
  const who = await joinByOperator(db.database, company.id, "awa@shop.example", "reader");
  const change = { company: company.id, role: "approver" } as const;

  await changeStaffRoleCommand(contextOf(db), "awa@shop.example", change);

  expect(await membershipsOf(db.database, who.personId)).toMatchObject([{ role: "approver" }]);
  const other = { ...change, company: "01890000-0000-7000-8000-000000000000" };
  await expect(changeStaffRoleCommand(contextOf(db), "awa@shop.example", other)).rejects.toThrow(
    NotAMember,
  );
});
