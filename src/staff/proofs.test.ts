import { expect } from "vitest";
import { signIn } from "../../test/console.ts";
import { box, test } from "../../test/fixtures.ts";
import { sql } from "../database/sql.ts";
import { findPerson } from "./people.ts";
import { useSecondFactor } from "./second-factor.ts";

test("whoever has set up no second factor proves nothing by any code", async ({ db, company }) => {
  const { personId } = await signIn(db, company.id, "reader");
  await db.database.query(sql`update people set totp_sealed = null`);
  const by = { personId, address: "192.0.2.7", via: "a test" };

  for (const typed of ["", "000000", "123456", "AAAA-AAAA-AAAA-AAAA"]) {
    const isGood = await db.database.transaction(async (tx) => {
      const person = await findPerson(tx, personId);
      if (person === undefined) throw new Error("the person is there");
      return useSecondFactor(tx, box, new Date(), person, typed, by);
    });
    expect(isGood, typed).toBe(false);
  }
});
