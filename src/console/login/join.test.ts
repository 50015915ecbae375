import { expect } from "vitest";
import { joinByOperator } from "../../../test/access.ts";
import { giveAuthenticator } from "../../../test/authenticator.ts";
import { ConsoleClient, type SignedIn, signIn } from "../../../test/console.ts";
import { makeCompany, type TestService, test } from "../../../test/fixtures.ts";
import { cookieIn } from "../../../test/passkey-pages.ts";
import { textOf } from "../../../test/pay-page.ts";
import { invite, resetPerson } from "../../access/links.ts";
import type { Database } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { hashPassword } from "../../staff/passwords.ts";
import { membershipsOf } from "../../staff/people.ts";
import { formTokenOf } from "../../staff/sessions.ts";
import { operator } from "../../trail/actor.ts";

const by = operator("a test");
const password = "le marché ouvre à sept heures";
const chosen = "la pirogue part à midi juste";
const asNew = { as: "new", password: chosen, repeat: chosen };

async function givePassword(database: Database, email: string): Promise<void> {
  const stretched = await hashPassword(password, "a test");
  await database.query(sql`update people set password = ${stretched} where email = ${email}`);
}

async function linkTo(database: Database, email: string, companyId: string): Promise<string> {
  const request = { email, companyId, role: "reader" } as const;
  return `/console/join/${(await invite(database, new Date(), request, by)).token}`;
}

const stranger = (service: TestService) => new ConsoleClient(service, undefined);

/** A page without what differs by nature: its own address, the link's, and the nonce of its styles. */
function bare(text: string, path: string, email: string): string {
  return text
    .replaceAll(encodeURIComponent(path), "PATH")
    .replaceAll(path, "PATH")
    .replaceAll(email, "EMAIL")
    .replaceAll(/nonce="[^"]+"/g, "nonce");
}

test("the page behind an invitation, and its refusals, are the same for who exists, who does not, and who was reset", async ({
  db,
  service,
  company,
}) => {
  const { database } = db;
  const strangers = await makeCompany(database, { name: "Strangers" });
  const [known, reset, nobody] = ["known@x.example", "reset@x.example", "nobody@x.example"];
  await joinByOperator(database, company.id, known, "reader");
  await givePassword(database, known);
  await joinByOperator(database, company.id, reset, "reader");
  await resetPerson(database, new Date(), reset, by);
  const pages: string[][] = [];
  for (const email of [known, reset, nobody]) {
    const path = await linkTo(database, email, strangers.id);
    await database.query(
      sql`update staff_links set expires_at = '2999-01-01' where email = ${email}`,
    );
    const client = stranger(service);
    const seen = [
      await client.get(path),
      await client.post(path, { as: "account", current: "wrong" }),
      await client.post(path, { as: "new", password: "short", repeat: "short" }),
      // Where there is an account, nobody chooses its password by an invitation.
      ...(email === nobody ? [] : [await client.post(path, asNew)]),
    ];
    expect(seen.map(({ status }) => status)).toEqual([
      200,
      422,
      422,
      ...(email === nobody ? [] : [422]),
    ]);
    pages.push(seen.map(({ text }) => bare(text, path, email)));
  }

  expect(pages[1]).toEqual(pages[0]);
  expect(pages[2]).toEqual(pages[0]?.slice(0, 3));
  expect(pages[0]?.[3]).toBe(pages[0]?.[1]);
});

test("whoever is reset is taken over by no invitation of a stranger's company", async ({
  db,
  service,
  company,
}) => {
  const { database } = db;
  const victim = "victim@bank.example";
  await joinByOperator(database, company.id, victim);
  const strangers = await makeCompany(database, { name: "Strangers" });
  const owner = new ConsoleClient(service, await signIn(db, strangers.id, "owner"));
  const made = await owner.post("/console/team/invite", { email: victim, role: "reader" });
  const path = /\/console\/join\/[\w-]{43}/.exec(made.text)?.[0] ?? "";
  const { token } = await resetPerson(database, new Date(), victim, by);

  expect((await stranger(service).get(path)).status).toBe(404);
  expect((await stranger(service).post(path, asNew)).status).toBe(404);
  const again = await owner.post("/console/team/invite", { email: victim, role: "reader" });
  const after = /\/console\/join\/[\w-]{43}/.exec(again.text)?.[0] ?? "";
  expect((await stranger(service).post(after, asNew)).status).toBe(422);

  const own = await stranger(service).post(`/console/join/${token}`, asNew);
  expect(own.location).toBe("/console");
});

test("an account accepts by its password, and keeps its sessions and its password", async ({
  db,
  service,
  company,
}) => {
  const { database } = db;
  const who = await signIn(db, company.id, "reader", "awa@shop.example");
  await database.query(sql`update people set totp_sealed = null`);
  await givePassword(database, who.email);
  const other = await makeCompany(database, { name: "Other" });
  const path = await linkTo(database, who.email, other.id);

  const accepted = await stranger(service).post(path, { as: "account", current: password });

  expect(accepted).toMatchObject({ status: 303, location: "/console" });
  expect(cookieIn(accepted, "cauri_console")).not.toBe("");
  expect(await membershipsOf(database, who.personId)).toHaveLength(2);
  expect((await new ConsoleClient(service, who).get("/console/transfers")).status).toBe(200);
});

test("an account with a second factor gives it before it accepts", async ({
  db,
  service,
  company,
}) => {
  const { database } = db;
  const who = await signIn(db, company.id, "reader", "awa@shop.example");
  await givePassword(database, who.email);
  const code = await giveAuthenticator(database, who);
  const other = await makeCompany(database, { name: "Other" });
  const path = await linkTo(database, who.email, other.id);
  const withSession = (sessionToken: string) =>
    new ConsoleClient(service, {
      ...who,
      sessionToken,
      formToken: formTokenOf(sessionToken),
    } satisfies SignedIn);

  const half = await stranger(service).post(path, { as: "account", current: password });
  expect(half.location).toBe(`/console/login/code?next=${encodeURIComponent(path)}`);
  const halfway = withSession(cookieIn(half, "cauri_console"));
  // The password alone accepts nothing.
  expect((await halfway.post(path, { as: "session" })).status).toBe(422);
  const opened = await halfway.post("/console/login/code", { code: await code(), next: path });
  expect(opened.location).toBe(path);
  const client = withSession(cookieIn(opened, "cauri_console"));
  const page = await client.get(path);
  expect(textOf(page.text)).toContain("Vous êtes connecté avec cette adresse");
  expect(page.text).not.toContain('type="password"');

  expect((await client.post(path, { as: "session", token: "x" })).status).toBe(403);
  expect((await client.post(path, { as: "session" })).location).toBe("/console");
  expect(await membershipsOf(database, who.personId)).toHaveLength(2);
});

test("somebody else who is signed in accepts nothing in another's name", async ({
  db,
  service,
  company,
}) => {
  const other = await makeCompany(db.database, { name: "Other" });
  await joinByOperator(db.database, company.id, "awa@shop.example", "reader");
  const thief = new ConsoleClient(service, await signIn(db, company.id, "owner"));
  const path = await linkTo(db.database, "awa@shop.example", other.id);

  expect((await thief.get(path)).text).toContain('value="account"');
  expect((await thief.post(path, { as: "session" })).status).toBe(422);
});

test("429: tries of a link are counted together with those of the links before it, and with nobody else's", async ({
  db,
  service,
  company,
}) => {
  const { database } = db;
  const who = await signIn(db, company.id, "reader", "awa@shop.example");
  await givePassword(database, who.email);
  const other = await makeCompany(database, { name: "Other" });
  const guess = { as: "account", current: "wrong" };
  const first = await linkTo(database, who.email, other.id);
  expect((await stranger(service).post(first, guess)).status).toBe(422);
  await database.query(sql`update login_counts set tries = 10`);
  const second = await linkTo(database, who.email, other.id);

  const waits = await stranger(service).post(second, guess);

  expect([waits.status, Number(waits.headers["retry-after"]) > 0]).toEqual([429, true]);
  const third = await makeCompany(database, { name: "Third" });
  const elsewhere = await linkTo(database, who.email, third.id);
  expect((await stranger(service).post(elsewhere, guess)).status).toBe(422);
});
