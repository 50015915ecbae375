import { expect } from "vitest";
import { signInOperator } from "../../test/console.ts";
import { test } from "../../test/fixtures.ts";
import { sql } from "../database/sql.ts";
import { BannerBoard } from "./banner-board.ts";
import { setBanner } from "./set-banner.ts";

const texts = { severity: "warning", fr: "Retard", en: "Delay" } as const;

test("a banner that another node sets is seen within two seconds, and gone at its end, also while the database is away", async ({
  db,
}) => {
  const { personId } = await signInOperator(db);
  const by = { personId, address: "192.0.2.1", via: "a test" };
  let nowMs = 0;
  let isAway = false;
  const asked = {
    query: (query: Parameters<typeof db.database.query>[0]) => {
      if (isAway) throw new Error("away");
      return db.database.query(query);
    },
  };
  const board = new BannerBoard(asked as typeof db.database, () => nowMs);
  const now = new Date();
  expect(await board.read(now)).toBeUndefined();

  await setBanner(db.database, { ...texts, minutes: 30 }, by);
  nowMs = 1_999;
  expect(await board.read(now)).toBeUndefined();
  nowMs = 2_000;
  expect(await board.read(now)).toMatchObject(texts);

  isAway = true;
  nowMs = 10_000;
  expect(await board.read(now)).toMatchObject(texts);
  expect(await board.read(new Date(now.getTime() + 31 * 60_000))).toBeUndefined();

  isAway = false;
  await db.database.query(sql`update banners set ends_at = now() - interval '1 second'`);
  nowMs = 20_000;
  expect(await board.read(now)).toBeUndefined();
});
