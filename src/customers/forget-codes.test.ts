import { expect } from "vitest";
import { browser, makeCodes, passCodeTime, sendCode, wrongCode } from "../../test/codes.ts";
import { test } from "../../test/fixtures.ts";
import { setBack } from "../../test/set-back.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { forgetCodes } from "./forget-codes.ts";
import { openWalletSession } from "./wallet-sessions.ts";

test("codes, recipients and sessions are forgotten after a day, and not before", async ({
  db: { database },
}) => {
  const codes = makeCodes(database);
  for (const msisdn of ["2250700000010", "2250700000020"]) {
    await sendCode(codes, msisdn, "wallet");
    await database.transaction((tx) => openWalletSession(tx, msisdn));
  }
  await passCodeTime(database, 23 * 3_600);
  await database.query(sql`
    update code_recipients set last_asked_at = now() - interval '23 hours'`);
  await database.query(sql`update wallet_sessions set created_at = now() - interval '23 hours'`);
  expect(await forgetCodes(database)).toBe(false);
  expect(await counts(database)).toEqual([2, 2, 2]);

  const old = "2250700000010";
  await database.query(sql`
    update one_time_codes set sent_at = now() - interval '25 hours' where msisdn = ${old}`);
  await database.query(sql`
    update code_recipients set last_asked_at = now() - interval '25 hours' where msisdn = ${old}`);
  await database.query(sql`
    update wallet_sessions set created_at = now() - interval '25 hours' where msisdn = ${old}`);
  expect(await forgetCodes(database)).toBe(false);
  expect(await counts(database)).toEqual([1, 1, 1]);
});

test("a bounded number at a time, saying whether there may be more", async ({
  db: { database },
}) => {
  await database.query(sql`
    insert into one_time_codes (msisdn, id, purpose, code_hash, sent_at)
    select '2250700000010', gen_random_uuid(), 'wallet', '\\x00', now() - interval '2 days'
    from generate_series(1, 150)`);

  expect(await forgetCodes(database)).toBe(true);
  expect(await counts(database)).toEqual([50, 0, 0]);
  expect(await forgetCodes(database)).toBe(false);
  expect(await counts(database)).toEqual([0, 0, 0]);
});

test("wrong tries are kept for fifty days, because they count, and known browsers for half a year", async ({
  db: { database },
}) => {
  const codes = makeCodes(database);
  const msisdn = "2250700000010";
  const { code, codeId } = await sendCode(codes, msisdn, "wallet");
  await codes.check({ msisdn, purpose: "wallet", browser: browser(), code });
  await database.transaction((tx) => codes.use(tx, { msisdn, codeId, browser: browser() }));
  const guessed = await sendCode(codes, msisdn, "charge:1");
  const wrong = wrongCode(guessed.code);
  await codes.check({ msisdn, purpose: "charge:1", browser: browser(), code: wrong });
  const age = async (days: number) => {
    await passCodeTime(database, days * 86_400);
    await setBack(database, "known_browsers", "proved_at", `${days} days`);
    await forgetCodes(database);
    const browsers = await database.query(sql`select 1 from known_browsers`);
    return [(await counts(database))[0], browsers.length];
  };

  expect(await age(0)).toEqual([2, 1]);
  expect(await age(2)).toEqual([1, 1]);
  expect(await age(47)).toEqual([1, 1]);
  expect(await age(1)).toEqual([0, 1]);
  expect(await age(129)).toEqual([0, 1]);
  expect(await age(1)).toEqual([0, 0]);
});

async function counts(database: Database): Promise<number[]> {
  const rows = await database.query<{ codes: number; recipients: number; sessions: number }>(sql`
    select (select count(*) from one_time_codes) as codes,
      (select count(*) from code_recipients) as recipients,
      (select count(*) from wallet_sessions) as sessions`);
  return rows.flatMap(({ codes, recipients, sessions }) => [codes, recipients, sessions]);
}
