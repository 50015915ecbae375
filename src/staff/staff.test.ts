import { randomBytes } from "node:crypto";
import { describe, expect } from "vitest";
import { member } from "../../test/desk.ts";
import { box, makeCompany, test } from "../../test/fixtures.ts";
import { acceptLink } from "../access/accept-link.ts";
import { findLink, invite, resetPerson } from "../access/links.ts";
import { changeRole, removeMember } from "../access/members.ts";
import { rotateMasterKey } from "../companies/rotate-master-key.ts";
import { openVault } from "../companies/vault.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { operator } from "../trail/actor.ts";
import { NotPermitted } from "../trail/errors.ts";
import { readTrail } from "../trail/read-trail.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { type Browser, confirmSignIn, signIn } from "./login.ts";
import { hashPassword, passwordProblemOf } from "./passwords.ts";
import { membershipsOf } from "./people.ts";
import { setSecondFactor, useSecondFactor } from "./second-factor.ts";
import { findSession } from "./sessions.ts";
import { stepAt, toBase32, totpCodeAt } from "./totp.ts";

const by = operator("a test");
const email = "awa@shop.example";
const password = "le marché ouvre à sept heures";
const browser: Browser = {
  address: "192.0.2.7",
  device: "Firefox",
  secret: "b".repeat(43),
  via: "POST /console/login",
};

async function join(database: Database, companyId: string, role: "owner" | "reader" = "owner") {
  const { token } = await invite(database, new Date(), { email, companyId, role }, by);
  const chosen = { kind: "new", password: await hashPassword(password, "a test") } as const;
  const joined = await acceptLink(database, new Date(), token, chosen, browser);
  if (joined === undefined) throw new Error("the link is good");
  return joined;
}

describe("links", () => {
  test("of ten browsers with one link, one joins", async ({ db, company }) => {
    const { token } = await invite(
      db.database,
      new Date(),
      { email, companyId: company.id, role: "owner" },
      by,
    );
    const chosen = { kind: "new", password: await hashPassword(password, "a test") } as const;

    const joined = await Promise.all(
      Array.from({ length: 10 }, () => acceptLink(db.database, new Date(), token, chosen, browser)),
    );

    expect(joined.filter((one) => one !== undefined)).toHaveLength(1);
    expect(await findLink(db.database, token)).toBeUndefined();
  });

  test("a link is kept as a hash, ends by itself, and a newer one ends it", async ({
    db,
    company,
  }) => {
    const request = { email, companyId: company.id, role: "reader" } as const;
    const first = await invite(db.database, new Date(), request, by);
    const second = await invite(db.database, new Date(), request, by);
    expect(await findLink(db.database, first.token)).toBeUndefined();
    expect(await findLink(db.database, second.token)).toMatchObject({ email, role: "reader" });
    const kept = await db.database.query<{ text: string }>(
      sql`select row_to_json(l)::text as text from staff_links l`,
    );
    expect(kept[0]?.text).not.toContain(second.token);

    await db.database.query(sql`update staff_links set expires_at = now() where email = ${email}`);

    expect(await findLink(db.database, second.token)).toBeUndefined();
  });

  test("an invitation to another company changes no password", async ({ db, company }) => {
    await join(db.database, company.id);
    const other = await makeCompany(db.database, { name: "Other" });
    const { token } = await invite(
      db.database,
      new Date(),
      { email, companyId: other.id, role: "reader" },
      by,
    );

    const chosen = { kind: "new", password: "scrypt$x" } as const;
    const stolen = await acceptLink(db.database, new Date(), token, chosen, browser);

    expect(stolen).toBeUndefined();
    const answer = await signIn(db.database, new Date(), { email, password }, browser);
    expect(answer.kind).toBe("session");
  });

  test("after a reset nothing that was known is good but the link", async ({ db, company }) => {
    const joined = await join(db.database, company.id);
    const { token } = await resetPerson(db.database, new Date(), email, by);

    expect(await findSession(db.database, joined.token)).toBeUndefined();
    expect((await signIn(db.database, new Date(), { email, password }, browser)).kind).toBe(
      "refused",
    );
    expect(await findLink(db.database, token)).toMatchObject({ purpose: "reset" });
  });
});

describe("signing in", () => {
  test("whoever exists and whoever does not are refused alike, and made to wait alike", async ({
    db,
    company,
  }) => {
    await join(db.database, company.id);
    const stranger = { ...browser, secret: "c".repeat(43) };
    for (const who of [email, "nobody@shop.example"]) {
      const answers: string[] = [];
      for (let tries = 0; tries < 12; tries += 1)
        answers.push(
          (await signIn(db.database, new Date(), { email: who, password: "wrong" }, stranger)).kind,
        );
      expect(answers, who).toEqual([...Array(10).fill("refused"), "wait", "wait"]);
    }

    // Nobody locks the owner of a known browser out.
    const answer = await signIn(db.database, new Date(), { email, password }, browser);
    expect(answer.kind).toBe("session");
  });

  test("a browser that is new is told to the company, a known one is not", async ({
    db,
    company,
  }) => {
    await join(db.database, company.id);
    await signIn(db.database, new Date(), { email, password }, browser);
    await signIn(
      db.database,
      new Date(),
      { email, password },
      { ...browser, secret: "d".repeat(43) },
    );

    const entries = await readTrail(db.database, {
      companyId: company.id,
      since: undefined,
      before: undefined,
      limit: 50,
    });
    expect(entries.filter(({ action }) => action === "person.new_device")).toHaveLength(2);
  });
});

describe("the second factor", () => {
  const secret = Buffer.from("12345678901234567890");

  test("codes are those of RFC 6238", () => {
    // Appendix B, SHA-1, the last six of its eight digits.
    expect(totpCodeAt(secret, Math.floor(59 / 30))).toBe("287082");
    expect(totpCodeAt(secret, Math.floor(1_111_111_109 / 30))).toBe("081804");
    expect(totpCodeAt(secret, Math.floor(20_000_000_000 / 30))).toBe("353130");
    expect(toBase32(secret)).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
  });

  test("a code is good once, also for twenty who come at once; a recovery code too", async ({
    db,
    company,
  }) => {
    const { person } = await join(db.database, company.id);
    const actor = { personId: person.id, address: "192.0.2.7", via: "a test" };
    const now = new Date();
    const codes = await db.database.transaction((tx) =>
      setSecondFactor(tx, box, now, person, secret, totpCodeAt(secret, stepAt(now)), actor),
    );
    expect(codes).toHaveLength(10);
    const use = (typed: string, at = now) =>
      db.database.transaction((tx) => useSecondFactor(tx, box, at, person, typed, actor));
    expect(await use(totpCodeAt(secret, stepAt(now)))).toBe(false);

    const next = new Date(now.getTime() + 30_000);
    const used = await Promise.all(
      Array.from({ length: 20 }, () => use(totpCodeAt(secret, stepAt(next)), next)),
    );
    const recovered = await Promise.all(
      Array.from({ length: 20 }, () => use((codes?.[0] ?? "").toLowerCase())),
    );

    expect(used.filter(Boolean)).toHaveLength(1);
    expect(recovered.filter(Boolean)).toHaveLength(1);
    expect(await use(totpCodeAt(secret, stepAt(next) + 5), next)).toBe(false);
  });

  test("the password alone opens nothing, and codes cannot be tried without end", async ({
    db,
    company,
  }) => {
    const { person } = await join(db.database, company.id);
    const actor = { personId: person.id, address: "192.0.2.7", via: "a test" };
    const now = new Date();
    await db.database.transaction((tx) =>
      setSecondFactor(tx, box, now, person, secret, totpCodeAt(secret, stepAt(now)), actor),
    );
    const half = await signIn(db.database, now, { email, password }, browser);
    if (half.kind !== "session") throw new Error("the password is right");
    const session = await findSession(db.database, half.token);
    if (session === undefined) throw new Error("there is a session");
    expect(session.isOpen).toBe(false);
    const answers: string[] = [];
    for (let tries = 0; tries < 11; tries += 1)
      answers.push(
        (
          await confirmSignIn(
            db.database,
            box,
            now,
            { token: half.token, session },
            async () => ({ kind: "code", code: "000000" }),
            browser,
          )
        ).kind,
      );

    expect(answers.at(-1)).toBe("wait");
    expect(answers.slice(0, 10)).toEqual(Array(10).fill("refused"));
  });

  test("it is good after the master key was changed", async ({ db, company }) => {
    const source = { masterKeys: [randomBytes(32)], dataDir: "unused" };
    const { person } = await join(db.database, company.id);
    await db.database.query(sql`delete from secret_keys where company_id = ${company.id}`);
    await db.database.query(sql`delete from vault`);
    await db.database.query(sql`delete from purpose_keys`);
    const opened = await openVault(db.database, source);
    const actor = { personId: person.id, address: "192.0.2.7", via: "a test" };
    const now = new Date();
    await db.database.transaction((tx) =>
      setSecondFactor(tx, opened, now, person, secret, totpCodeAt(secret, stepAt(now)), actor),
    );

    const changed = { ...source, masterKeys: [randomBytes(32), ...source.masterKeys] };
    await rotateMasterKey(db.database, changed);

    const onlyNew = { ...source, masterKeys: changed.masterKeys.slice(0, 1) };
    const reopened = await openVault(db.database, onlyNew);
    const next = new Date(now.getTime() + 30_000);
    const isGood = await db.database.transaction((tx) =>
      useSecondFactor(tx, reopened, next, person, totpCodeAt(secret, stepAt(next)), actor),
    );
    expect(isGood).toBe(true);
  });
});

describe("members", () => {
  test("the last owner stays, whoever asks at once; whoever goes is signed out", async ({
    db,
    company,
  }) => {
    const joined = await join(db.database, company.id);
    const actor = { personId: joined.person.id, address: "192.0.2.7", via: "a test" };
    const { id } = joined.person;

    expect(await removeMember(db.database, company.id, id, actor)).toBe("lastOwner");
    const less = { companyId: company.id, personId: id, role: "reader" } as const;
    expect(await changeRole(db.database, new Date(), less, actor)).toBe("lastOwner");
    const other = await makeCompany(db.database);
    await expect(removeMember(db.database, other.id, id, actor)).rejects.toThrow(NotPermitted);
    const stranger = await member(db.database, other.id);
    expect(await removeMember(db.database, other.id, id, stranger)).toBe("unknown");
    expect(await findSession(db.database, joined.token)).toMatchObject({ role: "owner" });
    expect(await membershipsOf(db.database, id)).toHaveLength(1);
  });
});

test("passwords that are tried first are refused", () => {
  for (const common of [
    "Password1234!",
    "motdepasse2026",
    "Azertyuiop123",
    "P@ssw0rd12345",
    "senegal2026dakar",
    "aaaaaaaaaaaaa",
    "awa.shop123456",
  ])
    expect(isCommonPassword(common, email), common).toBe(true);
  expect(passwordProblemOf("trop court", email)).toBe("short");
  expect(passwordProblemOf(password, email)).toBeUndefined();
});
