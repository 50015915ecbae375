import { expect } from "vitest";
import { deskOf } from "../../test/desk.ts";
import { auditDifferences, test, untilSettled } from "../../test/fixtures.ts";
import { reviewed, sendByKey } from "../../test/held.ts";
import { findSpoilt } from "../../test/spoil.ts";
import { sql } from "../database/sql.ts";
import { operator } from "../trail/actor.ts";
import { heldChecks } from "./audit-held.ts";
import { approveHeld, refuseHeld } from "./decide-held.ts";
import { setKeysAloneMax } from "./rules.ts";

const inOne = "each transfer is pending or has ended, never both and never neither";
const ofDecision = "(select id from held_decisions where verdict = 'refused' limit 1)";

/** By the check that has to see it: what somebody with all rights over the database could do. */
const forgeries: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "what was held was decided by somebody who made no key for it, and is what was reviewed": [
    [
      "alter table held_decisions drop constraint held_decisions_by_another",
      "update held_decisions set hands = array[decided_by]",
    ],
    [
      "alter table held_decisions drop constraint held_decisions_not_of_introducers",
      "update held_decisions set introducers = array[company_id], hands = array[company_id]",
    ],
    ["update held_decisions set content_hash = sha256('something else')"],
    ["update held_decisions set total_fee = total_fee + 1"],
    ["update transfers set msisdn = '221770000000' where reference = 'approved'"],
    ["delete from held_transfers where decision_id is not null"],
    [`update held_transfers set decision_id = ${ofDecision}`],
  ],
  "what was refused has failed, and what nobody has decided about has not ended": [
    ["update held_transfers set decision_id = null"],
    ["delete from outcomes where failure_reason = 'UNKNOWN_ERROR'"],
  ],
  "each company's keys pay out alone what was said last": [
    ["update books set keys_alone_max = 5000000"],
    ["update books set keys_alone_max = null"],
    ["delete from company_trail where action = 'company.changed'"],
  ],
  [inOne]: [
    ["delete from held_transfers where decision_id is null"],
    [`update held_transfers set decision_id = ${ofDecision} where decision_id is null`],
    [
      "insert into pending_transfers select company_id, id from held_transfers where decision_id is null",
    ],
    ["update held_transfers set decision_id = null"],
  ],
  "what is in flight is what is pending": [
    ["delete from held_transfers where decision_id is null"],
  ],
};

test("each check of what was held finds what it is there for, and the table refuses it first", async ({
  db,
  company,
  service,
}) => {
  const desk = deskOf(db.database);
  await setKeysAloneMax(db.database, company.id, 0, operator("a test"));
  await sendByKey(service, company, "approved");
  await approveHeld(desk, await reviewed(db.database, company.id));
  await untilSettled(db.database);
  await sendByKey(service, company, "refused");
  await refuseHeld(desk, { ...(await reviewed(db.database, company.id)), comment: "non" });
  await sendByKey(service, company, "held");
  expect(await auditDifferences(db.database)).toEqual([]);
  expect(Object.keys(forgeries)).toEqual(
    expect.arrayContaining(heldChecks.map(({ name }) => name)),
  );

  for (const [name, spoils] of Object.entries(forgeries))
    for (const texts of spoils)
      expect(await findSpoilt(db.database, ...texts), texts.join("; ")).toContain(name);
  for (const text of [
    "delete from held_transfers",
    "truncate held_transfers",
    "update held_transfers set decision_id = null",
    "update held_transfers set id = company_id where decision_id is null",
    `update held_transfers set decision_id = ${ofDecision} where decision_id is not null`,
    "update held_decisions set comment = 'else'",
    "delete from held_decisions",
  ])
    await expect(db.database.query({ text, values: [] }), text).rejects.toThrow("append-only");
  expect(await db.database.query(sql`select 1 from held_transfers`)).toHaveLength(3);
}, 120_000);
