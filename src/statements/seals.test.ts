import { randomBytes } from "node:crypto";
import { expect, onTestFinished } from "vitest";
import { makeCompany, startService, test } from "../../test/fixtures.ts";
import { passDays, rewriteHistory, statementDifferences } from "../../test/history.ts";
import { startReceiver, subscribe } from "../../test/receiver.ts";
import { fund, sealAll, sealingOf, zone } from "../../test/seals.ts";
import { replaceLostSecrets } from "../companies/replace-lost-secrets.ts";
import { rotateMasterKey } from "../companies/rotate-master-key.ts";
import { openVault } from "../companies/vault.ts";
import { Signals } from "../database/signals.ts";
import { sql } from "../database/sql.ts";
import { dayOf } from "../kernel/days.ts";
import { bindLedgerKeys, listLedgerKeys, openLedgerKey, readLedgerKeys } from "./ledger-key.ts";
import { isGenuine } from "./seal.ts";
import { sealNextDay } from "./seal-days.ts";
import { parseSealResource } from "./seal-resource.ts";

test("each day with postings is sealed when it is over, with the balance and the hash at its end", async ({
  db,
}) => {
  const { id } = await makeCompany(db.database, { fund: 1_000 });
  await passDays(db.database, id, 3);
  await fund(db, id, 200);
  await fund(db, id, 30);
  await passDays(db.database, id, 2);
  await fund(db, id, 4);
  const sealing = await sealingOf(db);

  const seals = await sealAll(sealing, id);

  const daysAgo = (days: number) => dayOf(new Date(Date.now() - days * 86_400_000), zone);
  expect(seals.map(({ day, number, balance }) => [day, number, balance])).toEqual([
    [daysAgo(5), 1, 1_000],
    [daysAgo(2), 3, 1_230],
  ]);
  expect(seals.every((seal) => isGenuine([sealing.key], seal))).toBe(true);
  expect(await sealAll(sealing, id)).toEqual([]);
  expect(await statementDifferences(db.database)).toEqual([]);
});

test("a company without postings needs no seal, nor does one whose day is not over", async ({
  db,
}) => {
  const { id } = await makeCompany(db.database, { fund: 0 });
  const sealing = await sealingOf(db);

  expect(await sealNextDay(sealing, id)).toEqual({ kind: "nothing" });
  await fund(db, id, 1_000);
  expect(await sealNextDay(sealing, id)).toEqual({ kind: "nothing" });
});

test("any number of nodes seal a day once, and it is told once", async ({ db, service }) => {
  const company = await makeCompany(db.database, { fund: 1_000 });
  const receiver = await startReceiver();
  await subscribe(service, company, receiver.url, ["statements/sealed"]);
  await passDays(db.database, company.id, 2);
  const sealing = await sealingOf(db);

  await Promise.all(Array.from({ length: 8 }, () => sealNextDay(sealing, company.id)));

  expect(await db.database.query(sql`select 1 from seals`)).toHaveLength(1);
  const events = await db.database.query<{ payload: string }>(sql`
    select payload from events where topic = 'statements/sealed'`);
  expect(events).toHaveLength(1);
  const { data, topic } = JSON.parse(events[0]?.payload ?? "");
  expect(topic).toBe("statements/sealed");
  const listed = await service.call("GET", "/v1/statement/seals", { token: company.accessToken });
  expect(listed.body.data).toEqual([data]);
  const { keys } = (await service.call("GET", "/.well-known/cauri-ledger.json")).body;
  const handedOver = parseSealResource(data);
  expect(handedOver && isGenuine(keys, handedOver)).toBe(true);
});

test("a clock that goes back dates nothing into a day that is sealed", async ({ db }) => {
  const { id } = await makeCompany(db.database, { fund: 1_000 });
  await passDays(db.database, id, 1);
  // Further east the day of today is over soon; the one that is over is sealed.
  const [seal] = await sealAll(await sealingOf(db), id);
  const early = seal?.until ?? new Date();
  const closed = await db.database.query<{ posted_at: Date }>(sql`
    select posted_at from books where company_id = ${id}`);
  expect(closed[0]?.posted_at).toEqual(early);

  const later = new Date(Date.now() + 30_000);
  await db.database.query(sql`update books set posted_at = ${later} where company_id = ${id}`);
  await fund(db, id, 5);
  const [posting] = await db.database.query<{ created_at: Date }>(sql`
    select created_at from postings where company_id = ${id} order by number desc limit 1`);
  expect(posting?.created_at).toEqual(later);
});

test("a company that moves to another time zone goes on with the day after the one that was sealed", async ({
  db,
}) => {
  const { id } = await makeCompany(db.database, { fund: 1_000 });
  await fund(db, id, 200);
  const moments = ["2026-01-30T12:00:00Z", "2026-01-31T01:00:00Z"];
  await rewriteHistory(db.database, id, (posting) => ({
    ...posting,
    at: new Date(moments[posting.number - 1] ?? ""),
  }));
  const outcome = await sealNextDay(await sealingOf(db, "Africa/Dakar"), id);
  expect(outcome).toMatchObject({ kind: "sealed", seal: { day: "2026-01-30", number: 1 } });

  // There it was still 30 January.
  const [seal] = await sealAll(await sealingOf(db, "America/New_York"), id);

  expect(seal).toMatchObject({ day: "2026-01-31", number: 2, balance: 1_200 });
  expect(await statementDifferences(db.database)).toEqual([]);
});

test("GET /v1/statement/seals: pages, newest first; a cursor that names no day is refused", async ({
  db,
}) => {
  // Without the worker, which would seal while the days still move.
  const service = await startService(db, { ROLES: "api" });
  onTestFinished(() => service.stop());
  const company = await makeCompany(db.database, { fund: 1_000 });
  // Four or five days are over: just after midnight the last of them is not sealed yet.
  for (let day = 0; day < 5; day += 1) {
    await passDays(db.database, company.id, 1);
    await fund(db, company.id, 10);
  }
  const seals = await sealAll(await sealingOf(db), company.id);
  const days = seals.map(({ day }) => day).toReversed();
  const page = async (query: string) =>
    (await service.call("GET", `/v1/statement/seals?${query}`, { token: company.accessToken }))
      .body;

  const first = await page("limit=3");
  const second = await page(`limit=3&cursor=${first.cursor.next}`);
  expect([...first.data, ...second.data].map(({ day }) => day)).toEqual(days);
  expect((await page(`limit=3&cursor=${second.cursor.prev}`)).data).toEqual(first.data);
  expect((await page("cursor=x")).code).toBe("invalid_cursor");
});

test("the key stays when the master key is rotated; when that is lost, another follows and the old one stays known", async ({
  db,
}) => {
  const [old, next, lost] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const source = (...masterKeys: Buffer[]) => ({ masterKeys, dataDir: "/nonexistent" });
  await makeCompany(db.database);
  await db.database.query(sql`truncate vault, secret_keys`);
  const first = await openLedgerKey(db.database, await openVault(db.database, source(old)));

  await rotateMasterKey(db.database, source(next, old));
  const second = await openLedgerKey(db.database, await openVault(db.database, source(next)));
  expect(second.id).toBe(first.id);
  expect((await readLedgerKeys(db.database, second)).unbound).toEqual([]);
  const bindings = await db.database.query(sql`select key_id from ledger_key_bindings`);
  expect(bindings).toEqual([{ key_id: first.id }]);

  const signals = new Signals(db.url, db.database);
  await replaceLostSecrets(db.database, signals, source(lost)).catch(() => {});
  const third = await openLedgerKey(db.database, await openVault(db.database, source(lost)));
  expect(third.id).not.toBe(first.id);
  const ids = async () => (await listLedgerKeys(db.database, third)).map(({ id }) => id);
  // Nothing that is left can tell the old key from one that somebody has put there: a person has to.
  expect(await ids()).toEqual([third.id]);
  expect(await bindLedgerKeys(db.database, third, [first.id])).toEqual([first.id]);
  expect(await ids()).toEqual([third.id, first.id]);
});
