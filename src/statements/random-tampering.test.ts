import { expect, onTestFinished } from "vitest";
import { startService, test } from "../../test/fixtures.ts";
import { Business, zone } from "../../test/month/business.ts";
import { Tamperer } from "../../test/month/tamperings.ts";
import { notOnCluster } from "../../test/on-cluster.ts";
import { sealAll, sealingOf } from "../../test/seals.ts";
import { giveClock } from "../../test/settable-clock.ts";
import { isFoundAt } from "../../test/spoil.ts";
import { Random } from "../../torture/random.ts";

const days = 3;
const changes = 400;

test(`whoever can change everything in the database: the audit names the place of ${changes} random changes`, async ({
  db,
  skip,
}) => {
  notOnCluster({ skip }, "forgeries");
  const clock = await giveClock(db, new Date("2026-03-01T08:00:00Z"));
  const service = await startService(db);
  onTestFinished(() => service.stop());
  const business = await Business.open(db, service, 1_000_000);
  const [shop] = business.subCompanyIds;
  const sealing = await sealingOf(db, zone);
  for (let day = 1; day <= days; day += 1) {
    await clock.moveTo(new Date(Date.UTC(2026, 2, day, 12)));
    await business.fund(50_000 + day);
    await business.payTogether([
      { amount: 5_000 + day },
      { amount: 6_000, comesBack: true, subCompanyId: shop },
      { amount: 7_000, subCompanyId: shop },
    ]);
    await business.collect(9_000 + day);
    await business.refund(business.charges[day - 1] ?? never(), 4_000);
    await business.withdraw(1_000 + day);
    await business.adjust("available", "fees", day);
    if (day === 2)
      await business.agree({ transferRatePpm: 15_000, transferFlat: 0, chargeRatePpm: 33_333 });
    await business.settled();
    await clock.moveTo(new Date(Date.UTC(2026, 2, day + 1, 1)));
    await sealAll(sealing, business.company.id);
  }
  await business.pay({ amount: 8_000 });
  await business.settled();

  const tamperer = new Tamperer(db.database, business.company.id, new Random(7));
  const unseen: string[] = [];
  for (let n = 0; n < changes; n += 1) {
    const { texts, places } = await tamperer.next();
    const isNamed = await isFoundAt(db.database, texts, ({ where, expected }) =>
      places.some((place) => `${where} ${expected}`.includes(place)),
    );
    if (!isNamed) unseen.push(`${texts.join("; ")} (${places.slice(0, 3).join(", ")})`);
  }
  expect(unseen.join("\n")).toBe("");
});

function never(): never {
  throw new Error("every day has a charge");
}
