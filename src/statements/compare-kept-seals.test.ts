import { expect } from "vitest";
import { makeCompany, test } from "../../test/fixtures.ts";
import { passDays } from "../../test/history.ts";
import { fund, sealAll, sealingOf } from "../../test/seals.ts";
import { compareKeptSeals } from "./compare-kept-seals.ts";
import { ledgerKeyOf, type Seal, type SealFacts, signSeal } from "./seal.ts";

test("seals that were kept are held against the books: same, different, cut, missing, forged", async ({
  db,
}) => {
  const { id } = await makeCompany(db.database, { fund: 1_000 });
  await fund(db, id, 200);
  await passDays(db.database, id, 3);
  const sealing = await sealingOf(db);
  const [seal] = (await sealAll(sealing, id)) as [Seal];
  const foundFor = async (...kept: Seal[]) =>
    (await compareKeptSeals(db.database, kept, sealing.key)).differences.map(({ found }) => found);
  const other = (facts: Partial<SealFacts>) => signSeal(sealing.key, { ...seal, ...facts });
  const later = { day: "2999-01-01", until: new Date("2999-01-02") };

  expect(await foundFor(seal)).toEqual([]);
  expect(await foundFor(other({ balance: 7 }))).toEqual([
    expect.stringMatching(/^another history: posting 2, balance 1200, hash \w{64}, until /),
  ]);
  expect(await foundFor(other({ ...later, number: 3 }))).toEqual([
    "a history that was cut: the books end at posting 2",
  ]);
  expect(await foundFor(other(later))).toEqual(["no seal of that day"]);
  expect(await foundFor(other({ companyId: "019b2d5f-3a7c-7c0f-8000-000000000001" }))).toEqual([
    "a history that was cut: the books end at posting 0",
  ]);
  expect(await foundFor(signSeal(ledgerKeyOf(Buffer.alloc(32, 9)), seal))).toEqual(["another"]);
  expect(await foundFor(seal, other({ number: 1 }))).toEqual([
    expect.stringMatching(/^Two seals of com_\w+ for \S+ differ: /),
    expect.stringMatching(/^another history: /),
  ]);
});
