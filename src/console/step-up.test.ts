import { describe, expect } from "vitest";
import { giveAuthenticator } from "../../test/authenticator.ts";
import { ConsoleClient, type SignedIn, signIn, signInOperator } from "../../test/console.ts";
import { productionSettings, startService, type TestDatabase, test } from "../../test/fixtures.ts";
import { json, takeSeat } from "../../test/passkey-pages.ts";
import { actionsOf } from "../../test/passkeys.ts";
import { textOf } from "../../test/pay-page.ts";
import { contentsOf } from "../../test/table-contents.ts";
import { listKeys } from "../companies/credentials.ts";
import { sql } from "../database/sql.ts";
import { hashPassword } from "../staff/passwords.ts";
import { proofsOf } from "./proofs.ts";

const asked = "Confirmez que c’est vous";
const keysPath = "/console/developers/keys";
const key = { name: "Caisse" };
const password = "le marché ouvre à sept heures";
const changed = "la pirogue part à midi juste";

/** As if everybody had proved to be there so long ago. */
function letProofsAge({ database }: TestDatabase, minutes: number) {
  return database.query(sql`
    update staff_sessions set proved_at = now() - make_interval(mins => ${minutes})`);
}

describe("what each form takes beside the session", () => {
  /** Every form that takes more than the session. Whoever adds one, or takes a proof away, says so here. */
  const expected = {
    own: [
      "/console/approvals/:id/approve",
      "/console/approvals/:id/refuse",
      "/console/approvals/held/approve",
      "/console/approvals/held/refuse",
      "/console/join/:token",
      "/console/login",
      "/console/login/code",
      "/console/login/passkey",
      "/console/second-factor",
      "/console/team/account/passkeys",
      "/console/team/account/passkeys/:id/remove",
      "/console/team/account/passkeys/create",
    ],
    password: ["/console/team/account/password"],
    fresh: [
      "/console/developers/keys",
      "/console/developers/keys/:id/revoke",
      "/console/developers/keys/:id/rotate",
      "/console/developers/webhooks",
      "/console/developers/webhooks/:id/delete",
      "/console/developers/webhooks/:id/enable",
      "/console/operations/banner",
      "/console/operations/banner/end",
      "/console/operations/companies/:id/freeze",
      "/console/operations/endpoints/:id/enable",
      "/console/operations/endpoints/:id/replay",
      "/console/operations/requests/:id/confirm",
      "/console/operations/requests/:id/refuse",
      "/console/operations/stuck/wake",
      "/console/team/invite",
      "/console/team/people/:id/remove",
      "/console/team/people/:id/role",
      "/console/team/requests/:id/confirm",
      "/console/team/rules",
    ],
  };
  const ofProduction = /^\/console\/developers\/webhooks/;

  test("is one table; in production each of those that take a fresh proof refuses without one, and changes nothing", async ({
    db,
    company,
  }) => {
    const service = await startService(db, { ...productionSettings(db), ROLES: "api" });
    try {
      const taking = (proof: string) =>
        Array.from(proofsOf(service.app))
          .filter(([, needed]) => needed === proof)
          .map(([path]) => path)
          .toSorted();
      expect({
        own: taking("own"),
        password: taking("password"),
        fresh: taking("fresh"),
      }).toEqual(expected);

      const owner = await signIn(db, company.id, "owner");
      const operator = await signInOperator(db);
      await giveAuthenticator(db.database, owner);
      await giveAuthenticator(db.database, operator);
      await letProofsAge(db, 6);
      const before = await contentsOf(db);
      for (const path of expected.fresh) {
        const who = path.startsWith("/console/operations") ? operator : owner;
        const cookie = `__Host-cauri_console=${who.sessionToken}`;
        const client = new ConsoleClient(service, who, { cookie });
        const answer = await client.post(path.replace(":id", "x"), { kept: "<ce qui est tapé>" });
        expect([answer.status, answer.text.includes(asked)], path).toEqual([403, true]);
        expect(answer.text, path).toContain('name="kept" value="&lt;ce qui est tapé>"');
      }
      expect(await contentsOf(db)).toEqual(before);
    } finally {
      await service.stop();
    }
  });

  test("in staging webhooks take none, everything else the same", async ({ service }) => {
    const fresh = Array.from(proofsOf(service.app)).filter(([, proof]) => proof === "fresh");
    expect(fresh.map(([path]) => path).toSorted()).toEqual(
      expected.fresh.filter((path) => !ofProduction.test(path)),
    );
  });
});

test("a session that was proved long ago is asked for a code; one code is enough for five minutes", async ({
  db,
  service,
  company,
}) => {
  const who = await signIn(db, company.id, "developer");
  const code = await giveAuthenticator(db.database, who);
  const client = new ConsoleClient(service, who);
  const made = async () => (await listKeys(db.database, company.id)).length;
  const before = await made();
  expect((await client.get("/console/developers")).text).not.toContain('name="code"');
  await letProofsAge(db, 6);

  expect((await client.get("/console/developers")).text).toContain('name="code"');
  expect((await client.post(keysPath, key)).status).toBe(403);
  const wrong = await client.post(keysPath, { ...key, code: "000000" });
  expect(wrong.status).toBe(422);
  expect(textOf(wrong.text)).toContain("Ce code n’est pas le bon");
  expect(wrong.text).toContain('name="name" value="Caisse"');
  // A wrong one proves nothing: the next form is asked for its own.
  expect((await client.post(keysPath, key)).status).toBe(403);
  expect(await made()).toBe(before);
  expect(await actionsOf(db, company.id)).toContain("person.code_refused");

  expect((await client.post(keysPath, { ...key, code: await code() })).status).toBe(200);
  expect((await client.post(keysPath, key)).status).toBe(200);
  expect(await made()).toBe(before + 2);
  await letProofsAge(db, 4);
  expect((await client.post(keysPath, key)).status).toBe(200);
  await letProofsAge(db, 6);
  expect((await client.post(keysPath, key)).status).toBe(403);
  expect(await made()).toBe(before + 3);
});

test("403: codes of a form cannot be tried without end: the session ends, and a right one is too late", async ({
  db,
  service,
  company,
}) => {
  const who = await signIn(db, company.id, "developer");
  const code = await giveAuthenticator(db.database, who);
  const client = new ConsoleClient(service, who);
  const before = (await listKeys(db.database, company.id)).length;
  await letProofsAge(db, 6);
  for (let tries = 0; tries < 10; tries += 1)
    expect((await client.post(keysPath, { ...key, code: "000000" })).status).toBe(422);

  expect((await client.post(keysPath, { ...key, code: await code() })).status).toBe(403);
  expect(await listKeys(db.database, company.id)).toHaveLength(before);
  expect((await client.get("/console/developers")).location).toMatch(/^\/console\/login/);
});

test("a passkey does instead of the code, once, in the session that asked", async ({
  db,
  service,
  company,
}) => {
  const { who, client, device } = await takeSeat(db, service, company.id, "owner");
  const others = await takeSeat(db, service, company.id, "owner");
  await letProofsAge(db, 6);
  expect(textOf((await client.get("/console/team")).text)).toContain(
    "Confirmer avec une clé d’accès",
  );
  const invite = (signed: object, by = client) =>
    by.post("/console/team/invite", { email: "x@shop.example", role: "reader", ...signed });
  const ask = async (by: ConsoleClient) => json(await by.post("/console/step-up/challenge"));
  const page = await invite({});
  expect([page.status, page.text.includes("data-ask")]).toEqual([403, true]);
  expect(page.headers["content-security-policy"]).toContain("connect-src 'self'");

  expect((await invite(device.get(await ask(others.client)))).status).toBe(422);
  expect((await invite(others.device.get(await ask(client)))).status).toBe(422);
  const signed = device.get(await ask(client));
  const again = await signIn(db, company.id, "owner", who.email);
  await letProofsAge(db, 6);
  expect((await invite(signed, new ConsoleClient(service, again))).status).toBe(422);
  expect((await invite(signed)).status).toBe(200);
  await letProofsAge(db, 6);
  expect((await invite(signed)).status).toBe(422);
});

test("a password is changed with the old one, and by whoever has a second factor with that too", async ({
  db,
  service,
  company,
}) => {
  const withFactor = await signIn(db, company.id, "reader");
  const without = await signIn(db, company.id, "reader");
  const code = await giveAuthenticator(db.database, withFactor);
  const stretched = await hashPassword(password, "a test");
  await db.database.query(sql`update people set password = ${stretched}`);
  await dropFactor(db, without);
  await letProofsAge(db, 6);
  const form = { current: password, password: changed, repeat: changed };
  const change = (who: SignedIn, fields: object) =>
    new ConsoleClient(service, who).post("/console/team/account/password", { ...form, ...fields });

  const refused = await change(withFactor, {});
  expect(refused.status).toBe(403);
  // What is secret is not sent back in a page.
  expect(refused.text).not.toContain(changed);
  expect((await change(withFactor, { code: await code(), current: "x" })).status).toBe(422);
  expect((await change(without, { current: "x" })).status).toBe(422);
  expect((await change(without, {})).status).toBe(303);
  expect((await change(withFactor, {})).status).toBe(303);
});

test("whoever finds a session open cannot give it a second factor of their own", async ({
  db,
  service,
  company,
}) => {
  const who = await signIn(db, company.id, "reader");
  const stretched = await hashPassword(password, "a test");
  await db.database.query(sql`
    update people set password = ${stretched} where person_id = ${who.personId}`);
  await dropFactor(db, who);
  const client = new ConsoleClient(service, who);
  const path = "/console/second-factor";
  expect((await client.get(path)).text).not.toContain('type="password"');
  await letProofsAge(db, 6);

  expect((await client.get(path)).text).toContain('type="password"');
  const wrong = await client.post(path, { code: "000000", password: "wrong" });
  expect(wrong.status).toBe(422);
  expect(textOf(wrong.text)).toContain("Ce n’est pas votre mot de passe");
  // The password is right now: it is the code that is not.
  const right = await client.post(path, { code: "000000", password });
  expect(textOf(right.text)).toContain("Vérifiez l’heure");
});

function dropFactor({ database }: TestDatabase, { personId }: SignedIn) {
  return database.query(sql`
    update people set totp_sealed = null where person_id = ${personId}`);
}
