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
import { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { askedInSession, askForPasskey } from "./challenges.ts";
import { readPasskeyName } from "./passkey.ts";
import { passkeySiteOf } from "./passkey-site.ts";
import { listPasskeys } from "./passkeys.ts";
import { findSession } from "./sessions.ts";

describe("where passkeys can be", () => {
  test.for([
    ["https://pay.example/console", { rpId: "pay.example", origin: "https://pay.example" }],
    ["https://pay.example:8443", { rpId: "pay.example", origin: "https://pay.example:8443" }],
    ["http://localhost:8080", { rpId: "localhost", origin: "http://localhost:8080" }],
    ["http://127.0.0.1:8080", { rpId: "localhost", origin: "http://localhost:8080" }],
    ["http://[::1]:8080", { rpId: "localhost", origin: "http://localhost:8080" }],
    ["http://pay.example", undefined],
    ["https://192.0.2.1", undefined],
    ["http://[2001:db8::1]:8080", undefined],
  ] as const)("%s", ([url, expected]) => {
    expect(passkeySiteOf(url)).toEqual(expected);
  });
});

test("a name is what a page can show", () => {
  expect(readPasskeyName(" Clé\u0000 du bureau\u202e ")).toBe("Clé  du bureau");
  expect(readPasskeyName("\u0000\n")).toBeUndefined();
  expect(readPasskeyName("x".repeat(61))).toBeUndefined();
});

describe("signing in with a passkey alone", () => {
  test.for(["ES256", "EdDSA", "RS256"] as const)("%s", async (algorithm, { db, company }) => {
    const who = await signIn(db, company.id, "owner");
    const device = new SoftAuthenticator(site.origin);
    await givePasskey(db.database, site, who, device, {}, algorithm);

    const answer = await enter(
      db.database,
      site,
      device.get(await askAtTheDoor(db.database, site)),
    );

    if (answer.kind !== "session") throw new Error(answer.kind);
    expect(await findSession(db.database, answer.token)).toMatchObject({
      isOpen: true,
      companyId: company.id,
      person: { id: who.personId },
    });
    expect(await actionsOf(db, company.id)).toContain("person.new_device");
    expect((await listPasskeys(db.database, who.personId))[0]?.usedAt).not.toBeNull();
  });

  const wrongs: readonly (readonly [string, Wrongs])[] = [
    ["another origin", { origin: "https://pay.example.evil.example" }],
    ["the same host without https", { origin: "http://pay.example" }],
    ["another relying party", { rpId: "evil.example" }],
    ["nobody asked who holds the device", { isUnverified: true }],
    ["another kind of answer", { type: "webauthn.create" }],
    ["somebody else's handle", { userHandle: randomBytes(16).toString("base64url") }],
    ["no handle", { userHandle: "" }],
  ];
  test("is refused for whatever is wrong, alike, and opens nothing", async ({ db, company }) => {
    const { device, who } = await withPasskey(db, company.id);
    const before = await db.database.query(sql`select 1 from staff_sessions`);
    for (const [what, wrong] of wrongs) {
      const fields = device.get(await askAtTheDoor(db.database, site), wrong);
      expect(await enter(db.database, site, fields), what).toMatchObject({ kind: "refused" });
    }
    const fields = device.get(await askAtTheDoor(db.database, site));
    const spoilt = { ...fields, signature: randomBytes(70).toString("base64url") };
    expect(await enter(db.database, site, spoilt)).toMatchObject({ kind: "refused" });
    const unknown = { ...fields, credentialId: randomBytes(16).toString("base64url") };
    expect(await enter(db.database, site, unknown)).toMatchObject({ kind: "refused" });

    expect(await db.database.query(sql`select 1 from staff_sessions`)).toHaveLength(before.length);
    expect((await listPasskeys(db.database, who.personId))[0]?.usedAt).toBeNull();
  });

  test("a challenge is good once, for minutes, in the browser that asked, and for nothing else", async ({
    db,
    company,
  }) => {
    const { device, who } = await withPasskey(db, company.id);
    const { database } = db;
    const first = device.get(await askAtTheDoor(database, site));
    expect((await enter(database, site, first)).kind).toBe("session");
    expect(await enter(database, site, first)).toMatchObject({ kind: "refused" });

    const elsewhere = device.get(await askAtTheDoor(database, site));
    const other = { ...browser, secret: "c".repeat(43) };
    expect(await enter(database, site, elsewhere, other)).toMatchObject({ kind: "refused" });

    const late = device.get(await askAtTheDoor(database, site));
    await database.query(sql`update passkey_challenges set expires_at = now()`);
    expect(await enter(database, site, late)).toMatchObject({ kind: "refused" });

    const approval = askedInSession("approve", who.personId, browser.secret, "prop_1 0");
    const meant = device.get(await askForPasskey(database, site, approval, []));
    expect(await enter(database, site, meant)).toMatchObject({ kind: "refused" });

    const invented = device.get({ challenge: randomBytes(32).toString("base64url"), ...site });
    expect(await enter(database, site, invented)).toMatchObject({ kind: "refused" });
    const kept = await database.query<{ text: string }>(sql`
      select row_to_json(c)::text as text from passkey_challenges c`);
    expect(JSON.stringify(kept)).not.toContain(
      (
        JSON.parse(Buffer.from(late["clientData"] ?? "", "base64url").toString()) as {
          challenge: string;
        }
      ).challenge,
    );
  });

  test("of twenty who come at once with one signature, on two connections, one gets in", async ({
    db,
    company,
  }) => {
    const second = new Database({ url: db.url, poolSize: 4 });
    try {
      for (const counts of [true, false]) {
        const { device, who } = await withPasskey(db, company.id, counts);
        const fields = device.get(await askAtTheDoor(db.database, site));

        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, at) =>
            // Other addresses, so that nobody is made to wait.
            enter(at % 2 === 0 ? db.database : second, site, fields, {
              ...browser,
              address: `192.0.2.${at}`,
            }),
          ),
        );

        expect(answers.filter(({ kind }) => kind === "session")).toHaveLength(1);
        const opened = await db.database.query(sql`
          select 1 from staff_sessions where person_id = ${who.personId} and device = ${browser.device}`);
        expect(opened).toHaveLength(1);
      }
    } finally {
      await second.close();
    }
  });

  test("tries are counted: ten a person, whoever exists and whoever does not", async ({
    db,
    company,
  }) => {
    const { device } = await withPasskey(db, company.id);
    const stranger = new SoftAuthenticator(site.origin);
    stranger.create({ challenge: "x", rp: { id: site.rpId }, user: { id: "eHh4" } });
    for (const one of [device, stranger]) {
      const answers: string[] = [];
      for (let tries = 0; tries < 12; tries += 1) {
        const fields = one.get({ challenge: randomBytes(32).toString("base64url"), ...site });
        answers.push((await enter(db.database, site, fields)).kind);
      }
      expect(answers).toEqual([...Array(10).fill("refused"), "wait", "wait"]);
    }
  });
});

describe("counters", () => {
  test("one that goes back, or stays, is refused and written down; later ones are good", async ({
    db,
    company,
  }) => {
    const { device } = await withPasskey(db, company.id);
    const { database } = db;
    const ask = () => askAtTheDoor(database, site);
    expect((await enter(database, site, device.get(await ask(), { counter: 7 }))).kind).toBe(
      "session",
    );

    for (const counter of [7, 3, 0])
      expect(await enter(database, site, device.get(await ask(), { counter }))).toMatchObject({
        kind: "copied",
      });

    expect(
      (await actionsOf(db, company.id)).filter((one) => one === "person.passkey_copied"),
    ).toHaveLength(3);
    expect((await enter(database, site, device.get(await ask(), { counter: 8 }))).kind).toBe(
      "session",
    );
  });

  test("of a device that does not count stay 0", async ({ db, company }) => {
    const { device } = await withPasskey(db, company.id, false);
    for (let uses = 0; uses < 3; uses += 1) {
      const fields = device.get(await askAtTheDoor(db.database, site));
      expect((await enter(db.database, site, fields)).kind).toBe("session");
    }
  });
});
