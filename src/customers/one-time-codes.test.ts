import { pino } from "pino";
import { describe, expect } from "vitest";
import { browser, makeCodes, origin, passCodeTime, sendCode, wrongCode } from "../../test/codes.ts";
import { test } from "../../test/fixtures.ts";
import { startReceiver } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { httpMessenger } from "../messages/http-messenger.ts";

const msisdn = "2250701020304";
const charge = "charge:019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6";
const wallet = { msisdn, purpose: "wallet", browser: browser() } as const;

describe("a code", () => {
  test("is six digits, right once typed as sent, and used up once", async ({ db }) => {
    const codes = makeCodes(db.database);
    const { code, codeId, ...sent } = await sendCode(codes, msisdn, "wallet");
    expect(code).toMatch(/^\d{6}$/);
    expect(sent).toMatchObject({ isCertain: true, sendsLeft: 2 });
    expect(sent.resendInSeconds).toBeGreaterThan(0);
    expect(sent.resendInSeconds).toBeLessThanOrEqual(30);

    expect(await codes.check({ ...wallet, code })).toEqual({ kind: "right", codeId });
    const use = () =>
      db.database.transaction((tx) => codes.use(tx, { msisdn, codeId, browser: browser() }));
    expect([await use(), await use()]).toEqual([true, false]);
    expect(await codes.check({ ...wallet, code })).toEqual({ kind: "none" });
    expect(await codes.current(wallet)).toBeUndefined();
  });

  test("is good for its phone and its purpose only", async ({ db }) => {
    const codes = makeCodes(db.database);
    const { code } = await sendCode(codes, msisdn, charge);

    const other = { msisdn: "2250709999999", purpose: charge, browser: browser() } as const;
    expect(await codes.check({ ...wallet, code })).toEqual({ kind: "none" });
    expect(await codes.check({ ...other, code })).toEqual({ kind: "none" });
    expect(await codes.check({ msisdn, purpose: charge, browser: browser(), code })).toMatchObject({
      kind: "right",
    });
  });

  test("cannot be used before it was typed correctly, and stays unused when its transaction fails", async ({
    db,
  }) => {
    const codes = makeCodes(db.database);
    const { code, codeId } = await sendCode(codes, msisdn, "wallet");
    const use = () =>
      db.database.transaction((tx) => codes.use(tx, { msisdn, codeId, browser: browser() }));
    expect(await use()).toBe(false);
    await codes.check({ ...wallet, code: wrongCode(code) });
    expect(await use()).toBe(false);
    await codes.check({ ...wallet, code });

    const failure = db.database.transaction(async (tx) => {
      expect(await codes.use(tx, { msisdn, codeId, browser: browser() })).toBe(true);
      throw new Error("the payment failed");
    });
    await expect(failure).rejects.toThrow("the payment failed");
    expect(await codes.check({ ...wallet, code })).toEqual({ kind: "right", codeId });
    expect(await use()).toBe(true);
  });

  test("has five tries: the sixth is not compared, even when it is right", async ({ db }) => {
    const codes = makeCodes(db.database);
    const { code } = await sendCode(codes, msisdn, "wallet");

    for (const triesLeft of [4, 3, 2, 1, 0])
      expect(await codes.check({ ...wallet, code: wrongCode(code) })).toEqual({
        kind: "wrong",
        triesLeft,
      });
    expect(await codes.check({ ...wallet, code })).toEqual({ kind: "wrong", triesLeft: 0 });
    expect(await codes.current(wallet)).toMatchObject({ state: "exhausted", triesLeft: 0 });
  });

  test("anything but the six digits is wrong", async ({ db }) => {
    const codes = makeCodes(db.database);
    const { code } = await sendCode(codes, msisdn, "wallet");

    for (const text of ["", ` ${code}`, `${code}0`, code.slice(1)])
      expect(await codes.check({ ...wallet, code: text }), text).toMatchObject({ kind: "wrong" });
    expect(await codes.check({ ...wallet, code })).toMatchObject({ kind: "right" });
  });

  test("lives five minutes to the second, by the database's clock", async ({ db }) => {
    const codes = makeCodes(db.database);
    const { code, codeId, expiresAt } = await sendCode(codes, msisdn, "wallet");
    const current = await codes.current(wallet);
    expect(current?.expiresAt).toEqual(expiresAt);
    expect(expiresAt.getTime() - (current?.sentAt.getTime() ?? 0)).toBe(300_000);
    const use = () =>
      db.database.transaction((tx) => codes.use(tx, { msisdn, codeId, browser: browser() }));

    // A minute less, because the test itself takes time.
    await passCodeTime(db.database, 240);
    expect(await codes.check({ ...wallet, code })).toMatchObject({ kind: "right" });
    await db.database.query(sql`update one_time_codes set sent_at = now() - interval '5 minutes'`);
    expect(await codes.check({ ...wallet, code })).toEqual({ kind: "expired" });
    expect(await use()).toBe(false);
    expect(await codes.current(wallet)).toMatchObject({ state: "expired" });
    await passCodeTime(db.database, 3_600);
    expect(await codes.check({ ...wallet, code })).toEqual({ kind: "none" });
  });

  test("is useless once a newer one was sent, also when it was right already", async ({ db }) => {
    const codes = makeCodes(db.database);
    const first = await sendCode(codes, msisdn, "wallet");
    await codes.check({ ...wallet, code: first.code });
    const elsewhere = await sendCode(codes, msisdn, charge);
    await passCodeTime(db.database, 30);
    const second = await sendCode(codes, msisdn, "wallet");

    const use = (codeId: string) =>
      db.database.transaction((tx) => codes.use(tx, { msisdn, codeId, browser: browser() }));
    expect(await use(first.codeId)).toBe(false);
    if (first.code !== second.code)
      expect(await codes.check({ ...wallet, code: first.code })).toMatchObject({ kind: "wrong" });
    expect(await codes.check({ ...wallet, code: second.code })).toMatchObject({ kind: "right" });
    expect(await use(second.codeId)).toBe(true);
    expect(await codes.check({ ...wallet, purpose: charge, code: elsewhere.code })).toMatchObject({
      kind: "right",
    });
  });

  test("cannot be read from the database, nor moved to another phone in it", async ({ db }) => {
    const codes = makeCodes(db.database);
    const { code, codeId } = await sendCode(codes, msisdn, "wallet");

    const [row] = await db.database.query<{ text: string }>(
      sql`select row_to_json(c)::text as text from one_time_codes c`,
    );
    expect(row?.text).not.toContain(code);
    expect(row?.text).not.toContain(Buffer.from(code).toString("hex"));
    await db.database.query(sql`update one_time_codes set msisdn = '2250709999999'`);
    const thief = { ...wallet, msisdn: "2250709999999" } as const;
    expect(await codes.check({ ...thief, code })).toMatchObject({ kind: "wrong" });
    await expect(codes.current(thief)).rejects.toThrow();
    expect(codeId).not.toBe("");
  });
});

describe("whether the code is told", () => {
  test("staging without a gateway tells it, again after a reload", async ({ db }) => {
    const codes = makeCodes(db.database);
    const { code } = await sendCode(codes, msisdn, "wallet");

    expect(await codes.current(wallet)).toMatchObject({ state: "good", code, triesLeft: 5 });
  });

  test("with a gateway it goes to the phone and nowhere else", async ({ db }) => {
    const gateway = await startReceiver();
    const logger = pino({ level: "silent" });
    const codes = makeCodes(db.database, {
      messenger: httpMessenger({ url: gateway.url, token: "t0k3n", logger }),
    });
    const sent = await codes.send({ ...wallet, origin, text: (code) => `Votre code : ${code}` });

    const [message] = gateway.received;
    const code = /^Votre code : (\d{6})$/.exec(message?.body.text)?.[1] ?? "";
    expect(message?.body.to).toBe(`+${msisdn}`);
    expect(sent).toMatchObject({ kind: "sent", code: undefined });
    expect(await codes.current(wallet)).toMatchObject({ state: "good", code: undefined });
    const rows = await db.database.query(
      sql`select 1 from one_time_codes where sealed_code is not null`,
    );
    expect(rows).toEqual([]);
    expect(await codes.check({ ...wallet, code })).toMatchObject({ kind: "right" });
  });

  test("a code told before there was a gateway is not told any more", async ({ db }) => {
    await sendCode(makeCodes(db.database), msisdn, "wallet");
    const logger = pino({ level: "silent" });
    const withGateway = makeCodes(db.database, {
      messenger: httpMessenger({ url: "http://127.0.0.1:9/", token: "t0k3n", logger }),
    });

    expect(await withGateway.current(wallet)).toMatchObject({ code: undefined });
  });
});
