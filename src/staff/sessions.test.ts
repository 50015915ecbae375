import { describe, expect } from "vitest";
import { giveAuthenticator } from "../../test/authenticator.ts";
import { ConsoleClient, type SignedIn, signIn } from "../../test/console.ts";
import { test } from "../../test/fixtures.ts";
import { cookieIn } from "../../test/passkey-pages.ts";
import { setBack } from "../../test/set-back.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { hashPassword } from "./passwords.ts";
import { findSession, formTokenOf } from "./sessions.ts";

const password = "le marché ouvre à sept heures";
const another = "la pirogue rentre avant la nuit";

async function givePassword(database: Database, { personId }: SignedIn): Promise<void> {
  const stretched = await hashPassword(password, "a test");
  await database.query(sql`
    update people set password = ${stretched} where person_id = ${personId}`);
}

describe("a session ends", () => {
  test.for([
    { isOpen: true, good: "11 hours 59 minutes", over: "12 hours" },
    { isOpen: false, good: "9 minutes 50 seconds", over: "10 minutes" },
  ])("by its age, however busy it is: %o", async ({ isOpen, good, over }, { db, company }) => {
    const { sessionToken } = await signIn(db, company.id, "reader");
    await db.database.query(sql`update staff_sessions set is_open = ${isOpen}`);
    await db.database.query(sql`update staff_sessions set created_at = now(), seen_at = now()`);
    await setBack(db.database, "staff_sessions", "created_at", good);
    expect(await findSession(db.database, sessionToken)).toMatchObject({ isOpen });

    await db.database.query(sql`update staff_sessions set created_at = now(), seen_at = now()`);
    await setBack(db.database, "staff_sessions", "created_at", over);

    expect(await findSession(db.database, sessionToken)).toBeUndefined();
  });

  test("when its person has signed in twenty times since: the oldest makes room", async ({
    db,
    company,
  }) => {
    const tokens: string[] = [];
    for (let times = 0; times < 22; times += 1)
      tokens.push((await signIn(db, company.id, "reader", "awa@shop.example")).sessionToken);

    const found = await Promise.all(tokens.map((token) => findSession(db.database, token)));
    expect(found.map((session) => session !== undefined)).toEqual([
      false,
      false,
      ...Array<boolean>(20).fill(true),
    ]);
  });

  test("when its person chooses another password in another one, which goes on", async ({
    db,
    service,
    company,
  }) => {
    const here = await signIn(db, company.id, "reader", "awa@shop.example");
    const there = await signIn(db, company.id, "reader", "awa@shop.example");
    const stranger = await signIn(db, company.id, "reader");
    await givePassword(db.database, here);
    const answer = await new ConsoleClient(service, here).post("/console/team/account/password", {
      current: password,
      password: another,
      repeat: another,
    });
    expect(answer.location).toBe("/console/team/account");

    const visit = (who: SignedIn) => new ConsoleClient(service, who).get("/console/team");
    expect((await visit(there)).location).toMatch(/^\/console\/login/);
    expect((await visit(here)).status).toBe(200);
    expect((await visit(stranger)).status).toBe(200);
  });

  test("when the second step is done: the one of the password alone is good for nothing more", async ({
    db,
    service,
    company,
  }) => {
    const who = await signIn(db, company.id, "approver", "awa@shop.example");
    await givePassword(db.database, who);
    const code = await giveAuthenticator(db.database, who);
    const door = new ConsoleClient(service, undefined);
    const first = await door.post("/console/login", { email: who.email, password });
    expect(first.location).toMatch(/^\/console\/login\/code/);
    const sessionToken = cookieIn(first, "cauri_console");
    const half = { ...who, sessionToken, formToken: formTokenOf(sessionToken) };
    expect(await findSession(db.database, sessionToken)).toMatchObject({ isOpen: false });

    const done = await new ConsoleClient(service, half).post("/console/login/code", {
      code: await code(),
    });

    expect(done.location).toBe("/console");
    expect(await findSession(db.database, sessionToken)).toBeUndefined();
    const whole = await findSession(db.database, cookieIn(done, "cauri_console"));
    expect(whole).toMatchObject({ isOpen: true, person: { id: who.personId } });
  });
});
