import { expect } from "vitest";
import { giveAuthenticator } from "../../../test/authenticator.ts";
import { ConsoleClient, type SignedIn, signIn } from "../../../test/console.ts";
import { deskOf, member, transferOf } from "../../../test/desk.ts";
import { makeCompany, type TestDatabase, test } from "../../../test/fixtures.ts";
import { invite } from "../../access/links.ts";
import { proposalIdPrefix } from "../../approvals/proposal.ts";
import { propose } from "../../approvals/propose.ts";
import { sql } from "../../database/sql.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { TooBusyForPasswords } from "../../staff/errors.ts";
import { signIn as enter } from "../../staff/login.ts";
import { hashPassword } from "../../staff/passwords.ts";
import { formTokenOf, openSession } from "../../staff/sessions.ts";
import { operator } from "../../trail/actor.ts";

const password = "le marché ouvre à sept heures";
const changed = "la pirogue part à midi juste";
const codePath = "/console/login/code";
const wrong = { code: "000000" };

test("wrong tries of strangers keep nobody from changing the password, nor from joining by a link", async ({
  db,
  service,
  company,
}) => {
  const who = await signIn(db, company.id, "reader");
  await givePassword(db, who);
  const stranger = new ConsoleClient(service, undefined);
  const guess = { email: who.email, password: "wrong" };
  expect((await stranger.post("/console/login", guess)).status).toBe(422);
  // As if the stranger had gone on for long.
  await db.database.query(sql`update login_counts set tries = 1000`);
  expect((await stranger.post("/console/login", guess)).status).toBe(429);

  const changing = { current: password, password: changed, repeat: changed };
  const own = await new ConsoleClient(service, who).post(
    "/console/team/account/password",
    changing,
  );
  expect(own).toMatchObject({ status: 303, location: "/console/team/account" });

  const other = await makeCompany(db.database, { name: "Other" });
  const request = { email: who.email, companyId: other.id, role: "preparer" } as const;
  const { token } = await invite(db.database, new Date(), request, operator("a test"));
  const accepting = { as: "account", current: changed };
  const joined = await stranger.post(`/console/join/${token}`, accepting);
  expect(joined.status).toBe(303);
});

test("a link's own wrong tries are bounded, and so are a session's", async ({
  db,
  service,
  company,
}) => {
  const who = await signIn(db, company.id, "reader");
  await givePassword(db, who);
  const other = await makeCompany(db.database, { name: "Other" });
  const request = { email: who.email, companyId: other.id, role: "preparer" } as const;
  const { token } = await invite(db.database, new Date(), request, operator("a test"));
  const holder = new ConsoleClient(service, undefined);
  const client = new ConsoleClient(service, who);
  const tryBoth = async () => {
    const link = await holder.post(`/console/join/${token}`, { as: "account", current: "wrong" });
    const own = await client.post("/console/team/account/password", { current: "wrong" });
    return [link.status, own.status];
  };
  expect(await tryBoth()).toEqual([422, 422]);

  await db.database.query(sql`update login_counts set tries = 10`);

  expect(await tryBoth()).toEqual([429, 429]);
});

test("whoever knows the password alone runs out of codes, and keeps nobody from approving or signing in", async ({
  db,
  service,
  company,
}) => {
  const approver = await signIn(db, company.id, "approver");
  const code = await giveAuthenticator(db.database, approver);
  const thief = new ConsoleClient(service, await openHalf(db, approver));
  const guesses: number[] = [];
  for (let tries = 0; tries < 11; tries += 1)
    guesses.push((await thief.post(codePath, wrong)).status);
  expect(guesses).toEqual([...Array(10).fill(422), 429]);
  // A half session more gives the thief no more tries, and the right code helps nobody there now.
  const another = new ConsoleClient(service, await openHalf(db, approver));
  expect((await another.post(codePath, { code: await code() })).status).toBe(429);

  const proposal = await propose(deskOf(db.database), {
    companyId: company.id,
    by: await member(db.database, company.id),
    title: "rent",
    asked: transferOf("rent"),
  });
  const path = `/console/approvals/${toPublicId(proposalIdPrefix, proposal.id)}`;
  const client = new ConsoleClient(service, approver);
  await client.post(`${path}/approve`, { hash: proposal.hash, code: await code() });
  const approved = await db.database.query(sql`select 1 from approvals`);
  expect(approved).toHaveLength(1);

  // A browser that its owner has signed in with before has a count of its own at the door.
  const device = "d".repeat(43);
  await db.database.query(sql`
    insert into staff_devices (person_id, device_hash)
    values (${approver.personId}, sha256(${Buffer.from(device)}))`);
  const half = await openHalf(db, approver);
  const cookie = `cauri_console=${half.sessionToken}; cauri_device=${device}`;
  const home = new ConsoleClient(service, half, { cookie });
  expect((await home.post(codePath, { code: await code() })).location).toBe("/console");
});

test("a session in which too many codes were wrong ends; the person's others go on", async ({
  db,
  service,
  company,
}) => {
  const found = await signIn(db, company.id, "owner", "o@shop.example");
  const own = await signIn(db, company.id, "owner", "o@shop.example");
  const code = await giveAuthenticator(db.database, own);
  const thief = new ConsoleClient(service, found);
  const factor = "/console/second-factor";
  const guess = { ...wrong, current: "000000" };
  expect((await thief.post(factor, guess)).status).toBe(422);
  await db.database.query(sql`update login_counts set tries = 10`);

  // Also the right code comes too late.
  const ended = await thief.post(factor, { ...guess, current: await code() });

  expect(ended.status).toBe(403);
  expect(ended.text).toContain("Trop de codes incorrects");
  expect((await thief.get("/console/team")).location).toMatch(/^\/console\/login/);
  const client = new ConsoleClient(service, own);
  const trail = await client.get("/console/trail");
  expect(trail.text).toContain("person.sessions_ended");
  expect((await client.post(factor, guess)).status).toBe(422);
});

test("strangers of many networks who wait for a look at their passwords keep no known browser waiting", async ({
  db,
  company,
}) => {
  const { database } = db;
  const who = await signIn(db, company.id, "reader");
  await givePassword(db, who);
  await database.query(sql`
    update people set totp_sealed = null where person_id = ${who.personId}`);
  const secret = "d".repeat(43);
  await database.query(sql`
    insert into staff_devices (person_id, device_hash)
    values (${who.personId}, sha256(${Buffer.from(secret)}))`);
  const home = { address: "192.0.2.7", device: "Firefox", via: "POST /console/login" };
  const gone = new AbortController();
  let looked = 0;
  const strangers = Array.from({ length: 50 }, async (_, network) => {
    const address = `198.51.100.${network}`;
    const stranger = { ...home, address, secret: undefined, hungUp: gone.signal };
    const guess = { email: `nobody-${network}@shop.example`, password: "wrong" };
    await enter(database, new Date(), guess, stranger).then(
      () => (looked += 1),
      (error: unknown) => expect(error).toBeInstanceOf(TooBusyForPasswords),
    );
  });
  const counted = () =>
    database.query(sql`select 1 from login_counts where subject like 'person:%'`);
  await expect.poll(async () => (await counted()).length, { timeout: 60_000 }).toBe(50);
  const before = looked;

  const answer = await enter(
    database,
    new Date(),
    { email: who.email, password },
    { ...home, secret },
  );

  expect(answer).toMatchObject({ kind: "session", isOpen: true });
  // At the same time, one by one, some of the strangers; the others have waited behind.
  expect(looked - before).toBeLessThan(10);
  gone.abort();
  await Promise.all(strangers);
  expect(looked).toBeLessThan(50);
});

async function givePassword({ database }: TestDatabase, { personId }: SignedIn): Promise<void> {
  const stretched = await hashPassword(password, "a test");
  await database.query(sql`
    update people set password = ${stretched} where person_id = ${personId}`);
}

/** As after the password alone. */
async function openHalf({ database }: TestDatabase, who: SignedIn): Promise<SignedIn> {
  const place = { address: "192.0.2.66", device: "a thief's" };
  const half = { personId: who.personId, companyId: null, isOpen: false, ...place };
  const sessionToken = await database.transaction((tx) => openSession(tx, new Date(), half));
  return { ...who, sessionToken, formToken: formTokenOf(sessionToken) };
}
