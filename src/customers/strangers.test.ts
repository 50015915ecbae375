import { Writable } from "node:stream";
import { pino } from "pino";
import { describe, expect } from "vitest";
import { browser, makeCodes, origin, passCodeTime, sendCode, wrongCode } from "../../test/codes.ts";
import { type TestDatabase, test } from "../../test/fixtures.ts";
import { startReceiver } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { Metrics } from "../kernel/metrics.ts";
import { httpMessenger } from "../messages/http-messenger.ts";
import type { CodePurpose } from "./one-time-code.ts";
import type { OneTimeCodes } from "./one-time-codes.ts";

const msisdn = "2250701020304";
const owner = { msisdn, purpose: "wallet", browser: browser("the owner's") } as const;
const stranger = { msisdn, purpose: "wallet", browser: browser("a stranger's") } as const;
const text = (code: string) => `Code: ${code}`;

describe("a code belongs to the browser that asked for it", () => {
  test("a stranger neither burns it, nor sees it, nor can use it", async ({ db }) => {
    const codes = makeCodes(db.database);
    const { code, codeId } = await sendCode(codes, msisdn, "wallet", owner.browser);

    for (let tries = 0; tries < 10; tries += 1)
      expect(await codes.check({ ...stranger, code: wrongCode(code) })).toEqual({ kind: "none" });
    expect(await codes.check({ ...stranger, code })).toEqual({ kind: "none" });
    expect(await codes.current(stranger)).toBeUndefined();

    expect(await codes.current(owner)).toMatchObject({ state: "good", triesLeft: 5 });
    expect(await codes.check({ ...owner, code })).toEqual({ kind: "right", codeId });
    const use = (by: Buffer) =>
      db.database.transaction((tx) => codes.use(tx, { msisdn, codeId, browser: by }));
    expect(await use(stranger.browser)).toBe(false);
    expect(await use(owner.browser)).toBe(true);
  });

  test("a stranger's own code leaves it good", async ({ db }) => {
    const codes = makeCodes(db.database);
    const { code } = await sendCode(codes, msisdn, "wallet", owner.browser);
    const other = await sendCode(codes, msisdn, "wallet", stranger.browser);
    for (let tries = 0; tries < 5; tries += 1)
      await codes.check({ ...stranger, code: wrongCode(other.code) });

    expect(await codes.check({ ...owner, code })).toMatchObject({ kind: "right" });
  });
});

describe("wrong tries add up", () => {
  test("over browsers and days, with growing waits, for strangers together", async ({ db }) => {
    const codes = makeCodes(db.database, { settings: { MESSAGES_PER_PHONE: "100/100" } });
    const steps = [300, 1_800, 10_800, 43_200, ...Array<number>(5).fill(172_800)];
    // In the end not before the first five tries are fifty days old.
    const last = 50 * 86_400 - steps.reduce((sum, wait) => sum + wait, 0);
    for (const [round, wait] of [...steps, last].entries()) {
      await guessWrong(codes, "wallet", `stranger ${round}`);
      const refused = await codes.send({ ...stranger, origin, text });
      expect(refused).toEqual({ kind: "refused", limit: "guesses", retryInSeconds: about(wait) });
      await passCodeTime(db.database, wait);
    }
    expect((await codes.send({ ...stranger, origin, text })).kind).toBe("sent");
  });

  test("an attack on the wallet locks neither payments out nor the owner's own browser", async ({
    db,
  }) => {
    const codes = makeCodes(db.database);
    await prove(db, codes, owner.browser);
    await passCodeTime(db.database, 30);
    await guessWrong(codes, "wallet", "stranger 1");
    expect(await codes.send({ ...stranger, origin, text })).toMatchObject({ limit: "guesses" });

    const payment = { ...stranger, purpose: "charge:1" } as const;
    expect((await codes.send({ ...payment, origin, text })).kind).toBe("sent");
    const { code } = await sendCode(codes, msisdn, "wallet", owner.browser);
    expect(await codes.check({ ...owner, code })).toMatchObject({ kind: "right" });
  });

  test("strangers cannot use up the messages of the owner's own browser", async ({ db }) => {
    const codes = makeCodes(db.database, { settings: { MESSAGES_PER_PHONE: "25/10" } });
    await prove(db, codes, owner.browser);
    await passCodeTime(db.database, 30);
    const answers: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      const asker = browser(`stranger ${round}`);
      const purpose = round % 2 === 0 ? ("wallet" as const) : ("charge:1" as const);
      const sent = await codes.send({ msisdn, purpose, browser: asker, origin, text });
      answers.push(sent.kind === "sent" ? "sent" : sent.limit);
    }
    expect(answers).toEqual([...Array(7).fill("sent"), ...Array(5).fill("phone")]);

    expect((await codes.send({ ...owner, origin, text })).kind).toBe("sent");
  });

  test("a code typed wrong before it was typed right counts for nothing", async ({ db }) => {
    const codes = makeCodes(db.database);
    for (let round = 0; round < 3; round += 1) {
      const asker = browser(`browser ${round}`);
      const { code } = await sendCode(codes, msisdn, "wallet", asker);
      for (const typed of [wrongCode(code), wrongCode(code), wrongCode(code), code])
        await codes.check({ msisdn, purpose: "wallet", browser: asker, code: typed });
    }

    expect((await codes.send({ ...stranger, origin, text })).kind).toBe("sent");
  });

  test("guesses at a code that the gateway is about to refuse count too", async ({ db }) => {
    const gateway = await startReceiver((_received, response) => {
      void (async () => {
        for (let tries = 0; tries < 5; tries += 1)
          await codes.check({ ...stranger, code: "not it" });
        response.writeHead(400).end();
      })();
    });
    const logger = pino({ level: "silent" });
    const messenger = httpMessenger({ url: gateway.url, token: "t0k3n", logger });
    const codes = makeCodes(db.database, { messenger });

    await expect(codes.send({ ...stranger, origin, text })).rejects.toThrow();

    expect(await codes.send({ ...stranger, origin, text })).toMatchObject({ limit: "guesses" });
  });

  test("are in the metrics and in the log, without the number", async ({ db }) => {
    const lines: string[] = [];
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString());
        done();
      },
    });
    const metrics = new Metrics();
    const codes = makeCodes(db.database, { logger: pino(stream), metrics });
    await guessWrong(codes, "wallet", "a stranger's");
    await codes.send({ ...stranger, origin, text });

    const wrong = lines.filter((line) => line.includes("a wrong code was typed"));
    expect(wrong).toHaveLength(5);
    expect(wrong[0]).toContain('"to":"***********04"');
    expect(lines.join("")).not.toContain("0701020304");
    expect(metrics.toText()).toContain('cauri_codes_total{kind="wallet",outcome="wrong"} 5');
    expect(metrics.toText()).toContain(
      'cauri_codes_total{kind="wallet",outcome="refused_guesses"} 1',
    );
  });
});

/** Asks for a code and types all its tries wrong. */
async function guessWrong(codes: OneTimeCodes, purpose: CodePurpose, name: string): Promise<void> {
  const asker = browser(name);
  const { code } = await sendCode(codes, msisdn, purpose, asker);
  for (let tries = 0; tries < 5; tries += 1)
    await codes.check({ msisdn, purpose, browser: asker, code: wrongCode(code) });
}

/** Signs in once, so that the phone knows the browser. */
async function prove(db: TestDatabase, codes: OneTimeCodes, asker: Buffer): Promise<void> {
  const { code, codeId } = await sendCode(codes, msisdn, "wallet", asker);
  await codes.check({ msisdn, purpose: "wallet", browser: asker, code });
  const use = { msisdn, codeId, browser: asker };
  expect(await db.database.transaction((tx) => codes.use(tx, use))).toBe(true);
  expect(await db.database.query(sql`select 1 from known_browsers`)).toHaveLength(1);
}

/** This, or less by the time that the test itself has taken. */
function about(seconds: number): unknown {
  return expect.toSatisfy(
    (found) => Number.isInteger(found) && found <= seconds && found > seconds - 20,
  );
}
