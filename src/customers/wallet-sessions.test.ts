import { describe, expect } from "vitest";
import { browser, makeCodes, sendCode } from "../../test/codes.ts";
import { type TestDatabase, test } from "../../test/fixtures.ts";
import { sql } from "../database/sql.ts";
import { endWalletSession, findWalletSession, openWalletSession } from "./wallet-sessions.ts";

const msisdn = "2250701020304";

describe("a wallet session", () => {
  test("is found by its cookie, until it is ended", async ({ db: { database } }) => {
    const [first, second] = [await open({ database }), await open({ database })];
    expect(first).not.toBe(second);

    expect(await findWalletSession(database, first)).toEqual({ msisdn });
    await endWalletSession(database, first);
    await endWalletSession(database, first);
    expect(await findWalletSession(database, first)).toBeUndefined();
    expect(await findWalletSession(database, second)).toEqual({ msisdn });
  });

  test("ends after thirty minutes without a visit, and after twelve hours at any rate", async ({
    db: { database },
  }) => {
    const cookie = await open({ database });
    const find = () => findWalletSession(database, cookie);
    await database.query(sql`update wallet_sessions set seen_at = now() - interval '29 minutes'`);
    expect(await find()).toEqual({ msisdn });
    const seen = sql`select 1 from wallet_sessions where seen_at > now() - interval '1 minute'`;
    expect(await database.query(seen)).toHaveLength(1);

    await database.query(sql`update wallet_sessions set seen_at = now() - interval '30 minutes'`);
    expect(await find()).toBeUndefined();
    await database.query(sql`
      update wallet_sessions set seen_at = now(), created_at = now() - interval '11 hours 59 minutes'`);
    expect(await find()).toEqual({ msisdn });
    await database.query(sql`update wallet_sessions set created_at = now() - interval '12 hours'`);
    expect(await find()).toBeUndefined();
  });

  test("is nobody else's: another number, another secret, no secret", async ({
    db: { database },
  }) => {
    const cookie = await open({ database });
    const [, secret = ""] = cookie.split(".");
    const wrong = [
      "",
      ".",
      msisdn,
      `${msisdn}.`,
      `2250709999999.${secret}`,
      `${msisdn}.${secret.slice(0, -1)}`,
      `${msisdn}.${secret}=`,
      `${msisdn}.${secret}.`,
      `+${cookie}`,
      ` ${cookie}`,
      `${cookie}\u0000`,
      `${msisdn}.${"A".repeat(43)}`,
      `${msisdn}.${"A".repeat(100_000)}`,
    ];
    for (const forged of wrong) {
      expect(await findWalletSession(database, forged), forged.slice(0, 80)).toBeUndefined();
      await endWalletSession(database, forged);
    }
    expect(await findWalletSession(database, cookie)).toEqual({ msisdn });
  });

  test("cannot be taken over with a copy of the database", async ({ db: { database } }) => {
    const cookie = await open({ database });
    const [, secret = ""] = cookie.split(".");

    const [row] = await database.query<{ text: string }>(
      sql`select row_to_json(s)::text as text from wallet_sessions s`,
    );

    expect(row?.text).not.toContain(secret);
    expect(row?.text).not.toContain(Buffer.from(secret, "base64url").toString("hex"));
  });

  test("one code opens one session, however often it is sent in at once", async ({
    db: { database },
  }) => {
    const codes = makeCodes(database);
    const { code } = await sendCode(codes, msisdn, "wallet");
    const signIn = async () => {
      const check = await codes.check({ msisdn, purpose: "wallet", browser: browser(), code });
      if (check.kind !== "right") return undefined;
      return database.transaction(async (tx) =>
        (await codes.use(tx, { msisdn, codeId: check.codeId, browser: browser() }))
          ? openWalletSession(tx, msisdn)
          : undefined,
      );
    };

    const cookies = await Promise.all(Array.from({ length: 5 }, signIn));

    expect(cookies.filter((cookie) => cookie !== undefined)).toHaveLength(1);
    expect(await database.query(sql`select 1 from wallet_sessions`)).toHaveLength(1);
  });
});

function open({ database }: Pick<TestDatabase, "database">): Promise<string> {
  return database.transaction((tx) => openWalletSession(tx, msisdn));
}
