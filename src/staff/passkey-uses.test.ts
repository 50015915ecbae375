import { randomBytes } from "node:crypto";
import { describe, expect } from "vitest";
import { signIn } from "../../test/console.ts";
import { test } from "../../test/fixtures.ts";
import {
  actionsOf,
  askAtTheDoor,
  browser,
  enter,
  givePasskey,
  site,
  withPasskey,
} from "../../test/passkeys.ts";
import { SoftAuthenticator, type Wrongs } from "../../test/soft-authenticator.ts";
import { resetPerson } from "../access/links.ts";
import { sql } from "../database/sql.ts";
import { operator } from "../trail/actor.ts";
import { askedAtTheDoor, askedInSession, askForPasskey } from "./challenges.ts";
import { forgetStaffTraces } from "./forget-traces.ts";
import { readAssertion } from "./passkey.ts";
import { checkAssertion, listPasskeys, useAssertion } from "./passkeys.ts";

describe("a passkey in place of a code", () => {
  test("is its person's own, and for exactly what was asked", async ({ db, company }) => {
    const { database } = db;
    const { device, who } = await withPasskey(db, company.id);
    const { device: others } = await withPasskey(db, company.id);
    const asked = askedInSession("approve", who.personId, who.sessionToken, "prop_1 aa");
    const use = async (signed: SoftAuthenticator, expected: typeof asked) => {
      const fields = signed.get(await askForPasskey(database, site, asked, []));
      const assertion = readAssertion((name) => fields[name] ?? "");
      const checked = assertion && (await checkAssertion(database, site, assertion));
      if (checked === undefined) throw new Error("the signature is good");
      return database.transaction((tx) => useAssertion(tx, checked, expected));
    };

    expect(await use(others, asked)).toBe("refused");
    expect(await use(device, { ...asked, subject: "prop_1 ab" })).toBe("refused");
    expect(await use(device, { ...asked, purpose: "refuse" })).toBe("refused");
    expect(await use(device, { ...asked, holder: randomBytes(32) })).toBe("refused");
    expect(await use(device, asked)).toBe("good");
  });

  test("is refused from the moment it is removed", async ({ db, company }) => {
    const { device, who } = await withPasskey(db, company.id);
    const fields = device.get(await askAtTheDoor(db.database, site));
    const assertion = readAssertion((name) => fields[name] ?? "");
    const checked = assertion && (await checkAssertion(db.database, site, assertion));
    if (checked === undefined) throw new Error("the signature is good");

    await db.database.query(sql`delete from passkeys where person_id = ${who.personId}`);

    expect(await enter(db.database, site, fields)).toEqual({ kind: "refused" });
    const used = await db.database.transaction((tx) =>
      useAssertion(tx, checked, askedAtTheDoor(browser.secret)),
    );
    expect(used).toBe("refused");
  });
});

describe("adding", () => {
  const wrongs: readonly (readonly [string, Wrongs])[] = [
    ["another origin", { origin: "https://evil.example" }],
    ["another relying party", { rpId: "evil.example" }],
    ["nobody asked who holds the device", { isUnverified: true }],
    ["an answer to something else", { type: "webauthn.get" }],
    // Certificates would be followed to addresses that the caller has chosen.
    ["a manufacturer's word", { format: "android-safetynet" }],
    ["a format nobody knows", { format: "x" }],
  ];
  test("is refused for whatever is wrong", async ({ db, company }) => {
    const who = await signIn(db, company.id, "reader");
    for (const [what, wrong] of wrongs) {
      const device = new SoftAuthenticator(site.origin);
      expect(await givePasskey(db.database, site, who, device, wrong), what).toBe("refused");
    }
    expect(await listPasskeys(db.database, who.personId)).toEqual([]);
  });

  test("an authenticator's id is there once, whosever it is, and ten are enough", async ({
    db,
    company,
  }) => {
    const who = await signIn(db, company.id, "reader");
    const { device } = await withPasskey(db, company.id);
    const id = device.kept[0]?.id;
    if (id === undefined) throw new Error("there is a passkey");
    const copy = new SoftAuthenticator(site.origin);
    expect(await givePasskey(db.database, site, who, copy, { id })).toBe("known");
    for (let made = 0; made < 10; made += 1)
      await givePasskey(db.database, site, who, new SoftAuthenticator(site.origin));
    expect(await givePasskey(db.database, site, who, new SoftAuthenticator(site.origin))).toBe(
      "full",
    );
    expect(await listPasskeys(db.database, who.personId)).toHaveLength(10);
    expect(
      (await actionsOf(db, company.id)).filter((one) => one === "person.passkey_added"),
    ).toHaveLength(11);
  });

  test("without a second factor there is none", async ({ db, company }) => {
    const who = await signIn(db, company.id, "reader");
    await db.database.query(
      sql`update people set totp_sealed = null where person_id = ${who.personId}`,
    );
    expect(await givePasskey(db.database, site, who, new SoftAuthenticator(site.origin))).toBe(
      "refused",
    );
  });
});

test("a reset ends every passkey of the person", async ({ db, company }) => {
  const { device, who } = await withPasskey(db, company.id);
  const fields = device.get(await askAtTheDoor(db.database, site));

  await resetPerson(db.database, new Date(), who.email, operator("a test"));

  expect(await listPasskeys(db.database, who.personId)).toEqual([]);
  expect(await enter(db.database, site, fields)).toEqual({ kind: "refused" });
});

test("challenges are few: ten a person, ten a browser, and forgotten when they expire", async ({
  db,
  company,
}) => {
  const { database } = db;
  const who = await signIn(db, company.id, "reader");
  const asked = askedInSession("add", who.personId, who.sessionToken);
  for (let times = 0; times < 15; times += 1) {
    await askForPasskey(database, site, asked, []);
    await askAtTheDoor(database, site);
  }
  const count = async () => (await database.query(sql`select 1 from passkey_challenges`)).length;
  expect(await count()).toBe(20);

  await database.query(sql`update passkey_challenges set expires_at = now() - interval '1 second'`);
  expect(await forgetStaffTraces(database)).toBe(false);

  expect(await count()).toBe(0);
});
