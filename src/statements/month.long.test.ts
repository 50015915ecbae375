import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import {
  auditDifferences,
  box,
  startService,
  type TestService,
  test,
} from "../../test/fixtures.ts";
import { Business, dayOfLine, type KnownLine, zone } from "../../test/month/business.ts";
import { readBack } from "../../test/month/read-back.ts";
import { sealAll, sealingOf } from "../../test/seals.ts";
import { giveClock } from "../../test/settable-clock.ts";
import { readAll } from "../../test/statements.ts";
import { Random } from "../../torture/random.ts";
import { exportFormats } from "./file-signature.ts";
import { ledgerKeyIn, listLedgerKeys } from "./ledger-key.ts";
import type { Seal } from "./seal.ts";
import { parseSealResource } from "./seal-resource.ts";
import type { LineTotals, StatementLine } from "./statement.ts";
import { verifyFile } from "./verify/verify-file.ts";
import type { Witness } from "./verify/verify-ledger.ts";

const daysOfMonth = 31;
const fund = 30_000_000;

/** A moment of March 2026 as clocks in Niamey show it, an hour ahead of UTC; day 32 is 1 April. */
function at(day: number, hours: number, minutes: number): Date {
  return new Date(Date.UTC(2026, 2, day, hours - 1, minutes));
}

function dayName(day: number): string {
  return `2026-03-${String(day).padStart(2, "0")}`;
}

test("a month of everything a company does: every statement and every export of it adds up to the franc, for the company and for each sub-company, while money moves", async ({
  db,
}) => {
  const clock = await giveClock(db, at(1, 0, 5));
  const service = await startService(db);
  onTestFinished(() => service.stop());
  const business = await Business.open(db, service, fund);
  const sealing = await sealingOf(db, zone);
  const random = new Random(11);

  for (let day = 1; day <= daysOfMonth; day += 1) {
    await clock.moveTo(at(day, 0, 10));
    await startDay(business, random, day);
    await clock.moveTo(at(day, 12, 0));
    await spendDay(business, random, day);
    // In the middle of the month somebody looks at everything up to that very moment.
    if (day === 15) {
      const traffic = new Traffic(business);
      await expectExports(service, business, { seals: [] });
      await traffic.end();
    }
    await clock.moveTo(at(day, 23, 50));
    await endDay(business, random, day);
    await clock.moveTo(at(day + 1, 0, 2));
    await sealAll(sealing, business.company.id);
  }

  const seals = await sealsOf(service, business);
  expect(seals.map(({ day, balance }) => [day, balance])).toEqual(
    Array.from({ length: daysOfMonth }, (_, index) => {
      const day = dayName(index + 1);
      return [day, sumOf(business.lines.filter((line) => line.day <= day))];
    }),
  );
  const traffic = new Traffic(business);
  const witness = { seals, keys: await listLedgerKeys(db.database, ledgerKeyIn(box)) };
  await expectExports(service, business, witness, [dayName(1), dayName(daysOfMonth)]);
  await traffic.end();
  for (const size of [1, 7, daysOfMonth])
    for (let day = 1; day <= daysOfMonth; day += size) {
      const to = dayName(Math.min(day + size - 1, daysOfMonth));
      for (const subCompanyId of [undefined, ...business.subCompanyIds])
        await expectKnown(service, business, [dayName(day), to], subCompanyId);
    }
  expect(await business.balance()).toBe(sumOf(business.lines));
  expect(await auditDifferences(db.database)).toEqual([]);
});

async function startDay(business: Business, random: Random, day: number): Promise<void> {
  const [plateau] = business.subCompanyIds;
  await business.pay({ amount: random.integer(5_000, 20_000), subCompanyId: plateau });
  if (day % 7 === 1 && day > 1) await business.fund(random.integer(200_000, 900_000));
  await business.settled();
}

async function spendDay(business: Business, random: Random, day: number): Promise<void> {
  const scopes = [undefined, ...business.subCompanyIds];
  await business.payTogether(
    Array.from({ length: 6 }, (_, row) => ({
      amount: random.integer(5_000, 9_999),
      comesBack: random.isLikely(0.2),
      subCompanyId: scopes[row % 3],
    })),
  );
  if (day % 2 === 0) await business.collect(random.integer(5_001, 20_000), scopes[day % 3]);
  if (day === 10 || day === 20) await business.withdraw(random.integer(10_000, 50_000));
  if (day === 12) await business.adjust("available", "fees", 777);
  if (day === 13) await business.adjust("fees", "external", 111);
  if (day === 22) await business.adjust("fees", "available", 333);
  if (day === 23) await business.adjust("external", "available", 1);
  if (day === 16)
    await business.agree({ transferRatePpm: 15_000, transferFlat: 0, chargeRatePpm: 33_333 });
  await business.settled();
}

/** Ten minutes before midnight. A charge is given back in three parts, the last of them on the fourth night. */
async function endDay(business: Business, random: Random, day: number): Promise<void> {
  const [, lazaret] = business.subCompanyIds;
  const amount = random.integer(5_000, 20_000);
  await business.pay({ amount, comesBack: day % 5 === 0, subCompanyId: lazaret });
  const charge = business.charges[Math.floor(day / 4) - 1];
  if (charge !== undefined && day % 4 < 2)
    await business.refund(charge, Math.floor(charge.amount / 3) + day);
  else if (charge !== undefined && day % 4 === 3)
    await business.refund(charge, charge.amount - charge.refunded);
  await business.settled();
}

/** Somebody who goes on paying, until told to stop. What is paid is known like everything else. */
class Traffic {
  readonly #business: Business;
  readonly #paying: Promise<void>;
  #isOver = false;

  constructor(business: Business) {
    this.#business = business;
    this.#paying = this.#pay([undefined, ...business.subCompanyIds]);
  }

  async #pay(scopes: readonly (string | undefined)[]): Promise<void> {
    for (let turn = 0; !this.#isOver; turn += 1) {
      const subCompanyId = scopes[turn % scopes.length];
      await this.#business.pay({ amount: 5_000 + turn, comesBack: turn % 2 === 0, subCompanyId });
    }
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#paying;
    await this.#business.settled();
  }
}

/**
 * All formats of all scopes, or of an open period all of the company and one of each sub-company: each adds up, verifies, and
 * says what the API says of the same lines.
 */
async function expectExports(
  service: TestService,
  business: Business,
  witness: Witness,
  days?: readonly [string, string],
): Promise<void> {
  const { accessToken } = business.company;
  for (const [n, subCompanyId] of [undefined, ...business.subCompanyIds].entries())
    for (const format of days === undefined && n > 0
      ? exportFormats.slice(n, n + 1)
      : exportFormats) {
      const query = { ...periodOf(days), ...scopeOf(subCompanyId) };
      const answer = await fetch(
        `${service.url}/v1/statement.${format}?${new URLSearchParams({ ...query, lang: "en" })}`,
        { headers: { authorization: `Bearer ${accessToken}` } },
      );
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(answer.status, bytes.toString()).toBe(200);
      const found = await readBack(format, bytes);
      let balance = found.opening;
      for (const [kind, amount, , after] of found.lines) {
        balance += amount;
        expect(after, kind).toBe(balance);
      }
      expect(balance).toBe(found.closing);
      const verified = await verify(bytes, witness);
      expect(verified).toMatchObject({
        problem: undefined,
        lines: found.lines.length,
        witnesses: subCompanyId === undefined ? witness.seals.length : 0,
      });
      const said = await readAll(service, business.company, { ...query, limit: "1000" });
      const lines = (said.lines as Partial<StatementLine>[]).slice(0, found.lines.length);
      expect(found.lines).toEqual(
        lines.map(({ kind, amount, fee, balanceAfter }) => [kind, amount, fee, balanceAfter]),
      );
      // More has come since, unless the period was over.
      if (days !== undefined) expect(said.lines.length).toBe(found.lines.length);
      else expect(found.lines.length).toBeGreaterThan(15);
    }
}

async function verify(bytes: Buffer, witness: Witness) {
  const folder = await mkdtemp(join(tmpdir(), "cauri-month-"));
  try {
    await writeFile(join(folder, "file"), bytes);
    return await verifyFile(join(folder, "file"), witness);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A statement has what the business knows of these days, no more and no less, and opens with what it knows of the days before. */
async function expectKnown(
  service: TestService,
  business: Business,
  days: readonly [string, string],
  subCompanyId: string | undefined,
): Promise<void> {
  const [from, to] = days;
  const isOf = (line: KnownLine) =>
    subCompanyId === undefined || line.subCompanyId === subCompanyId;
  const before = business.lines.filter((line) => isOf(line) && line.day < from);
  const known = business.lines.filter((line) => isOf(line) && line.day >= from && line.day <= to);
  const query = { ...periodOf(days), ...scopeOf(subCompanyId), limit: "1000" };

  const said = await readAll(service, business.company, query);

  expect(said.openingBalance).toBe(sumOf(before));
  expect(said.closingBalance).toBe(sumOf(before) + sumOf(known));
  const told = (said.lines as StatementLine[]).map(({ at: moment, kind, amount, fee }) =>
    [dayOfLine(String(moment)), kind, amount, fee].join(" "),
  );
  expect(told.toSorted()).toEqual(
    known.map(({ day, kind, amount, fee }) => [day, kind, amount, fee].join(" ")).toSorted(),
  );
  for (const { kind, count, amount, fee } of said.totals as LineTotals[]) {
    const ofKind = known.filter((line) => line.kind === kind);
    const fees = ofKind.reduce((sum, line) => sum + line.fee, 0);
    expect([kind, count, amount, fee]).toEqual([kind, ofKind.length, sumOf(ofKind), fees]);
  }
  const kinds = new Set(known.map(({ kind }) => kind));
  expect(said.totals.length).toBe(kinds.size);
  // The whole month has everything that there is.
  if (from === dayName(1) && to === dayName(daysOfMonth) && subCompanyId === undefined)
    expect(kinds.size).toBe(7);
}

function sumOf(lines: readonly KnownLine[]): number {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}

function periodOf(days: readonly [string, string] | undefined): Record<string, string> {
  return days === undefined ? {} : { from: days[0], to: days[1] };
}

function scopeOf(subCompanyId: string | undefined): Record<string, string> {
  return subCompanyId === undefined ? {} : { subCompanyId };
}

/** What the company was handed, oldest first. */
async function sealsOf(service: TestService, { company }: Business): Promise<Seal[]> {
  const { body } = await service.call("GET", "/v1/statement/seals?limit=100", {
    token: company.accessToken,
  });
  return (body.data as unknown[]).flatMap((one) => parseSealResource(one) ?? []).toReversed();
}
