import { pino } from "pino";
import { describe, expect } from "vitest";
import { browser, makeCodes, origin, passCodeTime, sendCode } from "../../test/codes.ts";
import { type TestDatabase, test } from "../../test/fixtures.ts";
import { type Receiver, startReceiver } from "../../test/receiver.ts";
import { sql } from "../database/sql.ts";
import { MessageNotSent } from "../messages/errors.ts";
import { httpMessenger } from "../messages/http-messenger.ts";
import type { CodePurpose } from "./one-time-code.ts";
import type { OneTimeCodes } from "./one-time-codes.ts";

const msisdn = "2250701020304";
const wallet = { msisdn, purpose: "wallet", browser: browser() } as const;
const text = (code: string) => `Code: ${code}`;

describe("limits on sending", () => {
  test("thirty seconds between two sends of one purpose, and it says how many are left", async ({
    db,
  }) => {
    const codes = makeCodes(db.database);
    await sendCode(codes, msisdn, "wallet");
    await passCodeTime(db.database, 10);

    const refused = await codes.send({ ...wallet, origin, text });
    expect(refused).toEqual({ kind: "refused", limit: "pause", retryInSeconds: about(20) });
    expect(await codes.current(wallet)).toMatchObject({ resendInSeconds: about(20), sendsLeft: 2 });
    expect((await codes.send({ ...wallet, purpose: chargeOf(1), origin, text })).kind).toBe("sent");
    await passCodeTime(db.database, 20);
    expect((await codes.send({ ...wallet, origin, text })).kind).toBe("sent");
  });

  test("three sends of one purpose; then not before the first is an hour old", async ({ db }) => {
    const codes = makeCodes(db.database);
    for (const sendsLeft of [2, 1, 0]) {
      expect((await sendCode(codes, msisdn, "wallet")).sendsLeft).toBe(sendsLeft);
      await passCodeTime(db.database, 30);
    }

    const refused = await codes.send({ ...wallet, origin, text });
    expect(refused).toEqual({ kind: "refused", limit: "purpose", retryInSeconds: about(3_510) });
    expect((await codes.send({ ...wallet, msisdn: "2250709999999", origin, text })).kind).toBe(
      "sent",
    );
    await passCodeTime(db.database, 3_510);
    expect((await codes.send({ ...wallet, origin, text })).kind).toBe("sent");
    expect((await codes.send({ ...wallet, origin, text })).kind).toBe("refused");
  });

  test("a code that was used does not count against its purpose", async ({ db }) => {
    const codes = makeCodes(db.database);
    for (let round = 0; round < 5; round += 1) {
      const { code, codeId } = await sendCode(codes, msisdn, "wallet");
      await codes.check({ ...wallet, code });
      await db.database.transaction((tx) => codes.use(tx, { msisdn, codeId, browser: browser() }));
      await passCodeTime(db.database, 30);
    }

    expect(await sendCode(codes, msisdn, "wallet")).toMatchObject({ sendsLeft: 2 });
  });

  test("what other browsers ask for keeps nobody waiting: neither the pause nor the three sends", async ({
    db,
  }) => {
    const codes = makeCodes(db.database);
    for (let round = 0; round < 3; round += 1) {
      await sendCode(codes, msisdn, "wallet", browser("a stranger's"));
      await passCodeTime(db.database, 30);
    }
    const stranger = { ...wallet, browser: browser("a stranger's"), origin, text };
    expect(await codes.send(stranger)).toMatchObject({ limit: "purpose" });

    expect(await sendCode(codes, msisdn, "wallet")).toMatchObject({ sendsLeft: 2 });
  });

  test("many sends at once stay within the limits, on two nodes", async ({ db }) => {
    const settings = { MESSAGES_PER_PHONE: "100/12" };
    const nodes = [
      makeCodes(db.database, { settings }),
      makeCodes(db.database, { settings }),
    ] as const;
    const nodeOf = (index: number) => nodes[index % 2 === 0 ? 0 : 1];
    const same = await Promise.all(
      Array.from({ length: 20 }, (_, index) => nodeOf(index).send({ ...wallet, origin, text })),
    );
    expect(same.filter((answer) => answer.kind === "sent")).toHaveLength(1);

    const different = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        nodeOf(index).send({ ...wallet, purpose: chargeOf(index), origin, text }),
      ),
    );
    expect(different.filter((answer) => answer.kind === "sent")).toHaveLength(9);
    expect(await sendsOf(db)).toBe(10);
  });
});

describe("when the gateway fails", () => {
  test("a refused message counts for nothing, and the code before it is good again", async ({
    db,
  }) => {
    const gateway = await startReceiver();
    const codes = withGateway(db, gateway);
    await codes.send({ ...wallet, origin, text });
    const code = codeIn(gateway);
    await passCodeTime(db.database, 30);

    gateway.respond = (_received, response) => response.writeHead(400).end("no such number");
    for (let round = 0; round < 5; round += 1)
      await expect(codes.send({ ...wallet, origin, text })).rejects.toThrow(MessageNotSent);
    expect(await sendsOf(db)).toBe(1);
    expect(await codes.current(wallet)).toMatchObject({ sendsLeft: 2, resendInSeconds: 0 });
    expect(await codes.check({ ...wallet, code })).toMatchObject({ kind: "right" });
  });

  test("a message that may have arrived counts, and its code is good", async ({ db }) => {
    const gateway = await startReceiver((_received, response) => response.writeHead(500).end());
    const codes = withGateway(db, gateway);

    const sent = await codes.send({ ...wallet, origin, text });
    expect(sent).toMatchObject({ kind: "sent", isCertain: false, sendsLeft: 2 });
    const code = codeIn(gateway);
    expect(await codes.check({ ...wallet, code })).toMatchObject({ kind: "right" });
    expect(await codes.send({ ...wallet, origin, text })).toMatchObject({ limit: "pause" });
  });
});

/** This, or less by the time that the test itself has taken. */
function about(seconds: number): unknown {
  return expect.toSatisfy(
    (found) => Number.isInteger(found) && found <= seconds && found > seconds - 20,
  );
}

function chargeOf(number: number): CodePurpose {
  return `charge:${number}`;
}

function withGateway(db: TestDatabase, gateway: Receiver): OneTimeCodes {
  const logger = pino({ level: "silent" });
  return makeCodes(db.database, {
    messenger: httpMessenger({ url: gateway.url, token: "t0k3n", logger }),
  });
}

function codeIn(gateway: Receiver): string {
  return /\d{6}/.exec(gateway.received.at(-1)?.body.text)?.[0] ?? "";
}

async function sendsOf(db: TestDatabase): Promise<number> {
  return (await db.database.query(sql`select 1 from one_time_codes`)).length;
}
