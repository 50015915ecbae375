import { describe, expect } from "vitest";
import { deskOf, enrol, somebody } from "../../test/desk.ts";
import {
  auditDifferences,
  box,
  makeCompany,
  startService,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
} from "../../test/fixtures.ts";
import { reviewed, sendByKey } from "../../test/held.ts";
import { giveClock, type SettableClock } from "../../test/settable-clock.ts";
import { createKey, type IssuedKey, replaceKey, revokeKey } from "../companies/credentials.ts";
import { Signals } from "../database/signals.ts";
import { operator } from "../trail/actor.ts";
import { approveHeld } from "./decide-held.ts";
import { OwnKey } from "./errors.ts";
import { setKeysAloneMax } from "./rules.ts";

const minuteMs = 60_000;
const by = operator("a test");

interface Town {
  readonly db: TestDatabase;
  readonly service: TestService;
  readonly company: TestCompany;
  readonly clock: SettableClock;
  readonly signals: Signals;
  readonly maker: ReturnType<typeof somebody>;
}

/** What happens when the database's clock goes back, by whatever: a failover to a machine whose clock is behind. */
describe("the maker of a key decides about nothing that came by it, though the clock went back", () => {
  const begin = new Date("2026-03-02T09:00:00Z");
  const at = (minutes: number) => new Date(begin.getTime() + minutes * minuteMs);

  async function inTown(db: TestDatabase, play: (town: Town) => Promise<void>): Promise<void> {
    const clock = await giveClock(db, begin);
    const service = await startService(db);
    try {
      const company = await makeCompany(db.database);
      const maker = somebody();
      await enrol(db.database, company.id, [maker]);
      await setKeysAloneMax(db.database, company.id, 0, by);
      const signals = new Signals(db.url, db.database);
      await play({ db, service, company, clock, signals, maker });
    } finally {
      await service.stop();
    }
  }

  const make = ({ db, company, signals, maker }: Town, now: Date): Promise<IssuedKey> =>
    createKey(db.database, signals, box, now, { companyId: company.id, name: "own" }, maker, 9);

  async function send({ service, company }: Town, accessToken: string, reference: string) {
    const { status } = await sendByKey(service, { ...company, accessToken }, reference);
    expect(status).toBe(201);
  }

  async function expectRefused({ db, company, maker }: Town): Promise<void> {
    const request = await reviewed(db.database, company.id, maker);
    await expect(approveHeld(deskOf(db.database), request)).rejects.toThrow(OwnKey);
    expect(await auditDifferences(db.database)).toEqual([]);
  }

  test("after the key was made", async ({ db }) => {
    await inTown(db, async (town) => {
      await town.clock.moveTo(at(10));
      const { accessToken } = await make(town, at(10));
      await town.clock.moveTo(at(1));
      await send(town, accessToken, "rent");
      await expectRefused(town);
    });
  });

  test("before the key was revoked", async ({ db }) => {
    await inTown(db, async (town) => {
      const { accessToken, keyId } = await make(town, at(0));
      await town.clock.moveTo(at(10));
      await town.service.call("GET", "/v1/balance", { token: accessToken });
      await send(town, accessToken, "first");
      await town.clock.moveTo(at(1));
      await send(town, accessToken, "second");
      await revokeKey(town.db.database, town.signals, keyId, town.maker);
      const { body } = await town.service.call("GET", "/v1/balance", { token: accessToken });
      expect(body.code).toBe("invalid_token");
      await expectRefused(town);
    });
  });

  test("before the key's time ran out", async ({ db }) => {
    await inTown(db, async (town) => {
      const { database } = town.db;
      const { accessToken, keyId } = await make(town, at(0));
      await town.clock.moveTo(at(10));
      await send(town, accessToken, "first");
      await town.clock.moveTo(at(1));
      await send(town, accessToken, "second");
      const replacement = { companyId: town.company.id, keyId, endsAt: at(2) };
      await replaceKey(database, town.signals, box, at(1), replacement, by, 9);
      await town.clock.moveTo(at(4));
      await expectRefused(town);
    });
  });
});
