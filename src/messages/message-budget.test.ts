import { Writable } from "node:stream";
import { pino } from "pino";
import { describe, expect } from "vitest";
import { withinOneHour } from "../../test/codes.ts";
import { test } from "../../test/fixtures.ts";
import { setBack } from "../../test/set-back.ts";
import { readConfig } from "../config.ts";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { Metrics } from "../kernel/metrics.ts";
import { watchBudgets } from "./budget-watch.ts";
import { forgetMessageCounts } from "./forget-counts.ts";
import { MessageBudget, type MessageFacts } from "./message-budget.ts";

const wide = {
  MESSAGES_PER_PHONE: "1000/1000",
  MESSAGES_PER_ADDRESS: "1000/1000",
  MESSAGES_PER_COMPANY: "1000/1000",
  MESSAGES_PER_COUNTRY: "1000/1000",
  MESSAGES_IN_ALL: "1000/1000",
};
const message: MessageFacts = {
  msisdn: "2250701020304",
  address: "203.0.113.7",
  companyId: "019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6",
  isKnown: true,
};
/** Another message that has nothing in common with it but what is asked for. */
const other: MessageFacts = {
  msisdn: "221771234567",
  address: "2001:db8:1:2::/64",
  companyId: "019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f7",
  isKnown: true,
};

describe("each budget ends by itself", () => {
  test.for([
    ["phone", "MESSAGES_PER_PHONE", { msisdn: message.msisdn }],
    ["address", "MESSAGES_PER_ADDRESS", { address: message.address }],
    ["company", "MESSAGES_PER_COMPANY", { companyId: message.companyId }],
    ["country", "MESSAGES_PER_COUNTRY", { msisdn: "2250709999999" }],
    ["all", "MESSAGES_IN_ALL", {}],
  ] as const)("%s, by the hour and by the day", ([scope, setting, shared], { db }) =>
    withinOneHour(db.database, async () => {
      for (const [limits, span] of [
        ["3/100", "hour"],
        ["100/3", "day"],
      ] as const) {
        await db.database.query(sql`delete from message_counts`);
        const { budget } = makeBudget(db.database, { ...wide, [setting]: limits });
        for (let sent = 0; sent < 3; sent += 1)
          expect(await spend(db.database, budget, message)).toBe("counted");

        const same = { ...other, ...shared };
        expect(await spend(db.database, budget, same), span).toBe(scope);
        expect(await budget.findRefusal(same)).toMatchObject({ scope });
        if (scope !== "all") expect(await spend(db.database, budget, other)).toBe("counted");
        // Refused messages are counted nowhere, also not in the budgets that had room.
        const rows = await db.database.query<{ count: number }>(sql`
        select day_count as count from message_counts where subject = 'all'`);
        expect(rows).toEqual([{ count: scope === "all" ? 3 : 4 }]);
      }
    }),
  );

  test("and begins anew with the next hour, and with the next day", ({ db }) =>
    withinOneHour(db.database, async () => {
      const { budget } = makeBudget(db.database, { ...wide, MESSAGES_PER_PHONE: "2/3" });
      for (const expected of ["counted", "counted", "phone"])
        expect(await spend(db.database, budget, message)).toBe(expected);
      await setBack(db.database, "message_counts", "hour", "1 hour");
      for (const expected of ["counted", "phone"])
        expect(await spend(db.database, budget, message)).toBe(expected);
      for (const column of ["hour", "day"])
        await setBack(db.database, "message_counts", column, "1 day");
      for (const expected of ["counted", "counted", "phone"])
        expect(await spend(db.database, budget, message)).toBe(expected);
    }));
});

test("many at once on two nodes: as many as the budget says, and one of them comes near", ({
  db,
}) =>
  withinOneHour(db.database, async () => {
    const limits = { ...wide, MESSAGES_IN_ALL: "50/60" };
    const nodes = [makeBudget(db.database, limits), makeBudget(db.database, limits)] as const;
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        spend(db.database, nodes[index % 2 === 0 ? 0 : 1].budget, {
          ...message,
          msisdn: `22507010203${String(index).padStart(3, "0")}`,
          address: `203.0.113.${index % 7}`,
        }),
      ),
    );

    const hours = await db.database.query(sql`select 1 from message_counts where subject = 'all'`);
    expect(hours).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "counted")).toHaveLength(50);
    expect(outcomes.filter((outcome) => outcome === "all")).toHaveLength(150);
    const near = nodes.flatMap(({ lines }) => lines.filter((line) => line.includes("four fifths")));
    expect(near.filter((line) => line.includes('"span":"hour"'))).toHaveLength(1);
    expect(near.filter((line) => line.includes('"span":"day"'))).toHaveLength(1);
    const told = nodes.map(({ metrics }) => metrics.toText()).join("");
    expect(told).toContain('{scope="all",span="hour",state="near"} 1');
    expect(told).toMatch(/\{scope="all",span="hour",state="refused"\} \d+/);
  }));

test("the last fifth is kept for browsers that the phone knows", ({ db }) =>
  withinOneHour(db.database, async () => {
    const { budget } = makeBudget(db.database, { ...wide, MESSAGES_IN_ALL: "10/100" });
    const stranger = { ...message, isKnown: false };
    const outcomes: string[] = [];
    for (let sent = 0; sent < 9; sent += 1)
      outcomes.push(await spend(db.database, budget, stranger));

    expect(outcomes).toEqual([...Array(8).fill("counted"), "all"]);
    expect(await spend(db.database, budget, message)).toBe("counted");
    expect(await spend(db.database, budget, message)).toBe("counted");
    expect(await spend(db.database, budget, message)).toBe("all");
  }));

test("countries: the eight of the union, or those of the setting", async ({ db }) => {
  const { budget } = makeBudget(db.database, wide);
  for (const code of ["229", "226", "225", "245", "223", "227", "221", "228"])
    expect(await spend(db.database, budget, { ...message, msisdn: `${code}12345678` })).toBe(
      "counted",
    );
  for (const msisdn of ["88212345678", "33612345678", "2341234567890"])
    expect(await spend(db.database, budget, { ...message, msisdn })).toBe("abroad");

  const french = makeBudget(db.database, { ...wide, MESSAGE_COUNTRIES: "33, 225" });
  expect(await spend(db.database, french.budget, { ...message, msisdn: "33612345678" })).toBe(
    "counted",
  );
  expect(await french.budget.findRefusal({ ...message, msisdn: "221771234567" })).toMatchObject({
    scope: "abroad",
  });
});

test("the log says which budget is near or spent, once a minute at most, without a number", ({
  db,
}) =>
  withinOneHour(db.database, async () => {
    const { budget, lines } = makeBudget(db.database, { ...wide, MESSAGES_PER_PHONE: "5/100" });
    for (let sent = 0; sent < 20; sent += 1) await spend(db.database, budget, message);

    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain("four fifths of a message budget are used");
    expect(lines[1]).toContain("a message budget is spent");
    for (const line of lines) expect(line).toContain('"budget":"phone:***********04"');
    expect(lines.join("")).not.toContain("0701020304");
  }));

test("old counts are forgotten, those of today and yesterday are not", async ({ db }) => {
  const { budget } = makeBudget(db.database, wide);
  await spend(db.database, budget, message);
  await spend(db.database, budget, other);
  await setBack(db.database, "message_counts", "day", "3 days", "subject like 'phone:225%'");

  expect(await forgetMessageCounts(db.database)).toBe(false);
  const rows = await db.database.query<{ subject: string }>(
    sql`select subject from message_counts`,
  );
  expect(rows).toHaveLength(8);
  expect(rows.some(({ subject }) => subject.startsWith("phone:225"))).toBe(false);
});

function makeBudget(database: Database, settings: Record<string, string>) {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const metrics = new Metrics();
  const watch = watchBudgets(pino(stream), metrics);
  const budget = new MessageBudget({ database, config: readConfig(settings), watch });
  return { budget, lines, metrics };
}

/** Which budget had no room; "counted" when all had. */
async function spend(
  database: Database,
  budget: MessageBudget,
  facts: MessageFacts,
): Promise<string> {
  const refusal = await database.transaction((tx) => budget.spend(tx, facts));
  return refusal?.scope ?? "counted";
}
