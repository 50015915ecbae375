import { expect } from "vitest";
import { giveAuthenticator } from "../../test/authenticator.ts";
import { ConsoleClient, type SignedIn, signIn } from "../../test/console.ts";
import { test } from "../../test/fixtures.ts";
import {
  cookieIn,
  json,
  passkeysPath,
  siteOf,
  statusOf,
  takeSeat,
  told,
} from "../../test/passkey-pages.ts";
import { actionsOf } from "../../test/passkeys.ts";
import { textOf } from "../../test/pay-page.ts";
import { SoftAuthenticator } from "../../test/soft-authenticator.ts";
import { sql } from "../database/sql.ts";
import { listPasskeys } from "../staff/passkeys.ts";
import { hashPassword } from "../staff/passwords.ts";
import { formTokenOf } from "../staff/sessions.ts";

const account = "/console/team/account";

test("a passkey is added after a code, listed, used to remove another, and gone at once", async ({
  db,
  service,
  company,
}) => {
  const who = await signIn(db, company.id, "owner", "awa@shop.example");
  const other = await signIn(db, company.id, "owner", "awa@shop.example");
  const stranger = new ConsoleClient(service, await signIn(db, company.id, "owner"));
  const code = await giveAuthenticator(db.database, who);
  const client = new ConsoleClient(service, who);
  const device = new SoftAuthenticator((await siteOf(service)).origin);

  const page = await client.get(account);
  expect(page.headers["content-security-policy"]).toContain("connect-src 'self'");
  expect(textOf(page.text)).toContain("Vos codes marchent partout");
  const wrong = await client.post(passkeysPath, { name: "Téléphone", code: "000000" });
  expect([wrong.status, told(wrong.text, "options")]).toEqual([422, ""]);
  expect(statusOf(await client.post(passkeysPath, { name: " ", code: await code() }))).toBe(422);
  const granted = await client.post(passkeysPath, { name: "Téléphone", code: await code() });
  const options = JSON.parse(told(granted.text, "options")) as {
    user: { name: string };
    pubKeyCredParams: { alg: number }[];
  };
  expect(options).toMatchObject({
    user: { name: "awa@shop.example" },
    attestation: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  expect(options.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-7, -8, -257]);
  const made = device.create(options);
  expect(statusOf(await stranger.post(`${passkeysPath}/create`, made))).toBe(422);
  const added = await client.post(`${passkeysPath}/create`, made);
  expect(added.location).toBe(account);
  expect(statusOf(await client.post(`${passkeysPath}/create`, made))).toBe(422);

  const again = await client.post(passkeysPath, { name: "Clé du bureau", code: await code() });
  await client.post(
    `${passkeysPath}/create`,
    device.create(JSON.parse(told(again.text, "options"))),
  );
  const listed = await listPasskeys(db.database, who.personId);
  expect(listed.map(({ name }) => name)).toEqual(["Téléphone", "Clé du bureau"]);
  const [phone, key] = listed;
  expect(textOf((await client.get(account)).text)).toContain("Clé du bureau");

  const place = `${passkeysPath}/${phone?.id}`;
  expect(statusOf(await stranger.get(place))).toBe(404);
  expect(statusOf(await stranger.post(`${place}/remove`, { code: "000000" }))).toBe(404);
  expect(statusOf(await client.get(place))).toBe(200);
  // Asked for one of them, it removes no other.
  const forOther = device.get(json(await client.post(`${passkeysPath}/${key?.id}/challenge`)));
  expect(statusOf(await client.post(`${place}/remove`, forOther))).toBe(422);
  expect(statusOf(await client.post(`${place}/remove`, { code: "000000" }))).toBe(422);
  const signed = device.get(json(await client.post(`${place}/challenge`)));
  expect((await client.post(`${place}/remove`, signed)).location).toBe(account);

  expect(await listPasskeys(db.database, who.personId)).toMatchObject([{ name: "Clé du bureau" }]);
  expect((await new ConsoleClient(service, other).get(account)).location).toMatch(/login/);
  const actions = await actionsOf(db, company.id);
  expect(actions.filter((one) => one === "person.passkey_added")).toHaveLength(2);
  expect(actions).toContain("person.passkey_removed");
  const trail = await client.get("/console/trail?kind=person");
  expect(textOf(trail.text)).toContain("Clé d’accès retirée");
});

test("in with a passkey alone, and after the password in place of the code", async ({
  db,
  service,
  company,
}) => {
  const { who, device } = await takeSeat(db, service, company.id);
  const stretched = await hashPassword("le marché ouvre à sept heures", "a test");
  await db.database.query(sql`
    update people set password = ${stretched} where person_id = ${who.personId}`);
  const nobody = new ConsoleClient(service, undefined);
  const asked = await nobody.post("/console/login/passkey/challenge");
  expect(json(asked)).toMatchObject({ allowCredentials: [], userVerification: "required" });
  const cookie = `cauri_device=${cookieIn(asked, "cauri_device")}`;
  const browser = new ConsoleClient(service, undefined, { cookie });
  const signed = device.get(json(asked));

  const foreign = { cookie, origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  const elsewhere = new ConsoleClient(service, undefined, foreign);
  expect(statusOf(await elsewhere.post("/console/login/passkey", signed))).toBe(403);
  expect(statusOf(await nobody.post("/console/login/passkey", signed))).toBe(422);
  const entered = await browser.post("/console/login/passkey", {
    ...signed,
    next: "/console/trail",
  });
  expect(entered.location).toBe("/console/trail");
  const sessionToken = cookieIn(entered, "cauri_console");
  const inside = new ConsoleClient(service, { ...who, sessionToken });
  expect(statusOf(await inside.get("/console/trail"))).toBe(200);
  const refused = await browser.post("/console/login/passkey", signed);
  expect(refused.status).toBe(422);
  expect(textOf(refused.text)).toContain("n’a pas été acceptée");

  const { email } = who;
  const half = await nobody.post("/console/login", {
    email,
    password: "le marché ouvre à sept heures",
  });
  const halfToken = cookieIn(half, "cauri_console");
  const step = new ConsoleClient(service, {
    ...who,
    sessionToken: halfToken,
    formToken: formTokenOf(halfToken),
  });
  expect((await step.get("/console/login/code")).text).toContain("Utiliser une clé d’accès");
  const others = await takeSeat(db, service, company.id);
  const ask = async () => json(await step.post("/console/login/code/challenge"));
  const theirs = others.device.get(await ask());
  expect(statusOf(await step.post("/console/login/code", theirs))).toBe(422);
  const own = device.get(await ask());
  expect((await step.post("/console/login/code", own)).location).toBe("/console");
  expect((await step.post("/console/login/code", own)).location).toMatch(/login/);
});

test("challenges are bounded: for strangers by address, for people by session", async ({
  db,
  service,
  company,
}) => {
  const { client } = await takeSeat(db, service, company.id);
  const nobody = new ConsoleClient(service, undefined);
  const ask = async (by: ConsoleClient, path: string, times: number) => {
    const statuses: number[] = [];
    for (let time = 0; time < times; time += 1) statuses.push(statusOf(await by.post(path)));
    return statuses;
  };
  const strangers = await ask(nobody, "/console/login/passkey/challenge", 121);
  expect([strangers.indexOf(429), strangers.filter((one) => one === 200).length]).toEqual([
    120, 120,
  ]);
  const own = await ask(client, `${passkeysPath}/challenge`, 61);
  expect([own.indexOf(429), own.filter((one) => one === 200).length]).toEqual([60, 60]);
});

test("without a passkey nothing is asked, and the app's code stays needed", async ({
  db,
  service,
  company,
}) => {
  const who: SignedIn = await signIn(db, company.id, "owner");
  const client = new ConsoleClient(service, who);
  expect(statusOf(await client.post(`${passkeysPath}/challenge`))).toBe(404);
  const { device, who: other } = await takeSeat(db, service, company.id, "reader");
  await db.database.query(sql`
    update people set totp_sealed = null where person_id = ${other.personId}`);
  const nobody = new ConsoleClient(service, undefined);
  const asked = await nobody.post("/console/login/passkey/challenge");
  const cookie = `cauri_device=${cookieIn(asked, "cauri_device")}`;
  await db.database.query(sql`
    update memberships set role = 'approver' where person_id = ${other.personId}`);
  const entered = await new ConsoleClient(service, undefined, { cookie }).post(
    "/console/login/passkey",
    device.get(json(asked)),
  );
  const sessionToken = cookieIn(entered, "cauri_console");
  const inside = new ConsoleClient(service, { ...other, sessionToken });
  expect((await inside.get("/console/approvals")).location).toBe("/console/second-factor");
});
