import { expect } from "vitest";
import { browser, makeCodes, passCodeTime, sendCode, wrongCode } from "../../test/codes.ts";
import { type TestDatabase, test } from "../../test/fixtures.ts";
import { patience } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";

const msisdn = "2250701020304";
const wallet = { msisdn, purpose: "wallet", browser: browser() } as const;

test("a hundred guesses at once, on two nodes: five are compared", async ({ db }) => {
  const nodes = [makeCodes(db.database), makeCodes(db.database)] as const;
  const { code } = await sendCode(nodes[0], msisdn, "wallet");

  const guesses = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      nodes[index % 2 === 0 ? 0 : 1].check({ ...wallet, code: wrongCode(code) }),
    ),
  );

  const left = guesses.map((guess) => (guess.kind === "wrong" ? guess.triesLeft : -1));
  for (const tries of [1, 2, 3, 4]) expect(left.filter((other) => other === tries)).toHaveLength(1);
  expect(left.filter((tries) => tries === 0)).toHaveLength(96);
  expect(await nodes[0].check({ ...wallet, code })).toEqual({ kind: "wrong", triesLeft: 0 });
});

/** If tries were counted after comparing, more than five of these would be told that they are right. */
test("of a hundred right answers at once five are told so", async ({ db }) => {
  const codes = makeCodes(db.database);
  const { code } = await sendCode(codes, msisdn, "wallet");

  const answers = await Promise.all(
    Array.from({ length: 100 }, () => codes.check({ ...wallet, code })),
  );

  expect(answers.filter(({ kind }) => kind === "right")).toHaveLength(5);
});

test("a try is on disk before it is compared", async ({ db }) => {
  const codes = makeCodes(db.database);
  const { code } = await sendCode(codes, msisdn, "wallet");
  // From here on every comparison fails, after the try and before its outcome.
  await db.database.query(sql`update one_time_codes set code_hash = '\\x00'`);

  await expect(codes.check({ ...wallet, code })).rejects.toThrow();

  expect(await codes.current(wallet)).toMatchObject({ triesLeft: 4 });
});

test("two transactions that use one code at once: one does, whoever commits", async ({ db }) => {
  const codes = makeCodes(db.database);
  for (let round = 0; round < 20; round += 1) {
    const phone = `22507010203${String(round).padStart(2, "0")}`;
    const { code, codeId } = await sendCode(codes, phone, "wallet");
    await codes.check({ ...wallet, msisdn: phone, code });
    const use = () =>
      db.database.transaction((tx) => codes.use(tx, { msisdn: phone, codeId, browser: browser() }));

    const used = await Promise.all([use(), use(), use()]);
    expect(used.filter(Boolean)).toHaveLength(1);
  }
});

test("the second waits for the first, and gets the code when the first fails", async ({ db }) => {
  const codes = makeCodes(db.database);
  const { code, codeId } = await sendCode(codes, msisdn, "wallet");
  await codes.check({ ...wallet, code });
  let fail = () => {};
  const failing = new Promise<void>((resolve) => {
    fail = resolve;
  });
  let isHeld = () => {};
  const held = new Promise<void>((resolve) => {
    isHeld = resolve;
  });

  const first = db.database.transaction(async (tx) => {
    expect(await codes.use(tx, { msisdn, codeId, browser: browser() })).toBe(true);
    isHeld();
    await failing;
    throw new Error("rolled back");
  });
  await held;
  const second = db.database.transaction((tx) =>
    codes.use(tx, { msisdn, codeId, browser: browser() }),
  );
  await expect.poll(() => waiting(db), patience).toBe(1);
  fail();

  await expect(first).rejects.toThrow("rolled back");
  expect(await second).toBe(true);
});

test("using a code against sending a newer one: the older is used before it, or not at all", async ({
  db,
}) => {
  const codes = makeCodes(db.database);
  for (let round = 0; round < 20; round += 1) {
    const phone = `22507010203${String(round).padStart(2, "0")}`;
    const key = { ...wallet, msisdn: phone } as const;
    const { code, codeId } = await sendCode(codes, phone, "wallet");
    await codes.check({ ...key, code });
    await passCodeTime(db.database, 30);

    await Promise.all([
      db.database.transaction((tx) => codes.use(tx, { msisdn: phone, codeId, browser: browser() })),
      sendCode(codes, phone, "wallet"),
    ]);
    const again = db.database.transaction((tx) =>
      codes.use(tx, { msisdn: phone, codeId, browser: browser() }),
    );
    expect(await again).toBe(false);
    expect(await codes.current(key)).toMatchObject({ state: "good", triesLeft: 5 });
  }
});

/** How many statements wait for a lock just now. */
async function waiting({ database }: TestDatabase): Promise<number> {
  const rows = await database.query(sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  return rows.length;
}
