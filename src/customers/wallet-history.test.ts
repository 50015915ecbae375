import { describe, expect } from "vitest";
import {
  makeCustomer,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import { notOnCluster } from "../../test/on-cluster.ts";
import { sql } from "../database/sql.ts";
import { InvalidCursor } from "../kernel/errors.ts";
import { newUuid } from "../kernel/ids.ts";
import type { Page } from "../kernel/page.ts";
import type { WalletEntry } from "./wallet.ts";
import { findWallet, listWalletEntries } from "./wallet-history.ts";

const msisdn = "2250701020304";

describe("a wallet", () => {
  test("has its owner's name and what it holds; nobody has none", async ({
    db,
    service,
    company,
  }) => {
    await makeCustomer(db.database, msisdn);
    expect(await findWallet(db.database, msisdn)).toEqual({
      name: "Awa Diop",
      balance: 0,
      isFrozen: false,
    });
    expect(await findWallet(db.database, "2250709999999")).toBeUndefined();

    await send(service, company, { reference: "r1" });
    await send(service, company, { reference: "r2", msisdn: "2250700000000" });
    await untilSettled(db.database);
    expect(await findWallet(db.database, msisdn)).toEqual({
      name: "Awa Diop",
      balance: 5_000,
      isFrozen: false,
    });
    // The staging test number has a wallet, but is in nobody's book.
    const unnamed = await findWallet(db.database, "2250700000000");
    expect(unnamed).toEqual({ name: undefined, balance: 5_000, isFrozen: false });
  });
});

describe("a wallet's history", () => {
  test("says who sent it, for whom, and the reference the sender sees too", async ({
    db,
    service,
    company,
  }) => {
    await makeCustomer(db.database, msisdn);
    const shop = { name: "Boutique Awa", logoUrl: "http://127.0.0.1:9/awa.png" };
    const { body: sub } = await service.call("POST", "/v1/sub-companies", {
      token: company.accessToken,
      body: shop,
    });
    const plain = await send(service, company, { reference: "r1" });
    const changes = { reference: "r2", amount: 7_000, description: "Loyer", subCompanyId: sub.id };
    const onBehalf = await send(service, company, changes);
    await untilSettled(db.database);

    const { rows, prev, next: older } = await listWalletEntries(db.database, msisdn);
    expect([prev, older]).toEqual([null, null]);
    expect(rows).toEqual([
      {
        id: expect.any(String),
        event: "transfer.completed",
        amount: 7_000,
        companyId: company.id,
        companyName: "Test",
        subCompany: shop,
        serviceReference: onBehalf.serviceTransactionReference,
        description: "Loyer",
        createdAt: expect.any(Date),
      },
      expect.objectContaining({
        amount: 5_000,
        subCompany: undefined,
        serviceReference: plain.serviceTransactionReference,
        description: null,
      }),
    ]);
    expect((await listWalletEntries(db.database, "2250709999999")).rows).toEqual([]);
  });

  test("comes in pages of twenty, newest first, there and back, each entry once", async ({
    db,
  }) => {
    const subjects = await fill(db, msisdn, 45);
    await fill(db, "2250709999999", 5);

    const first = await listWalletEntries(db.database, msisdn);
    const second = await next(db, first.next);
    // What arrives meanwhile shifts nothing.
    const [late] = await fill(db, msisdn, 1);
    const third = await next(db, second.next);
    expect([first, second, third].map(subjectsOf)).toEqual([
      subjects.slice(0, 20),
      subjects.slice(20, 40),
      subjects.slice(40),
    ]);
    expect([first.prev, third.next]).toEqual([null, null]);

    const back = await next(db, third.prev);
    expect(subjectsOf(back)).toEqual(subjects.slice(20, 40));
    const start = await next(db, back.prev);
    expect(subjectsOf(start)).toEqual(subjects.slice(0, 20));
    const newest = await next(db, start.prev);
    expect([subjectsOf(newest), newest.prev]).toEqual([[late], null]);
    expect(subjectsOf(await next(db, newest.next))).toEqual(subjects.slice(0, 20));
    const beyond = await next(db, (await next(db, newest.next)).prev);
    expect(subjectsOf(beyond)).toEqual([late]);
  });

  test("a cursor that no page gave out is refused", async ({ db }) => {
    await fill(db, msisdn, 21);
    const { next: older } = await listWalletEntries(db.database, msisdn);
    const bytes = Buffer.from(older ?? "", "base64url");
    const changed = (at: number, value: number) => {
      const copy = Buffer.from(bytes);
      copy[at] = value;
      return copy.toString("base64url");
    };
    const forged = [changed(0, 2), changed(3, (bytes[3] ?? 0) ^ 1), changed(17, 0), `${older}A`];
    for (const cursor of ["", "x", "é", ...forged, bytes.toString("hex")])
      await expect(listWalletEntries(db.database, msisdn, { cursor }), cursor).rejects.toThrow(
        InvalidCursor,
      );
  });

  test("every page is read along the primary key", async ({ db, skip }) => {
    notOnCluster({ skip }, "plans");
    const [subject] = await fill(db, msisdn, 50);
    await db.database.query(sql`analyze wallet_entries`);
    const plan = await db.database.query<Record<string, string>>(sql`
      explain select * from wallet_entries
      where msisdn = ${msisdn} and subject_id < ${subject} order by subject_id desc limit 21`);

    const text = plan.map((row) => Object.values(row)[0]).join("\n");
    expect(text).toContain("wallet_entries_pk");
    expect(text).not.toContain("Sort");
  });
});

function next(db: TestDatabase, cursor: string | null): Promise<Page<WalletEntry>> {
  if (cursor === null) throw new Error("there is no such page");
  return listWalletEntries(db.database, msisdn, { cursor });
}

function subjectsOf({ rows }: Page<WalletEntry>): readonly string[] {
  return rows.map(({ id }) => id);
}

/** So many entries; the newest subject first. */
async function fill(
  db: TestDatabase,
  owner: string,
  count: number,
  event = "transfer.completed",
): Promise<string[]> {
  const subjects = Array.from({ length: count }, () => newUuid(Date.now()));
  await insert(db, owner, subjects, event);
  return subjects.toReversed();
}

async function insert(
  { database }: TestDatabase,
  owner: string,
  subjects: readonly string[],
  event: string,
): Promise<void> {
  await database.query(sql`
    insert into wallet_entries (msisdn, subject_id, event, amount, company_id, company_name)
    select ${owner}, x.id, ${event}::posting_event, 100, x.id, 'Test' from unnest(${subjects}::uuid[]) as x(id)`);
}

async function send(
  service: TestService,
  { accessToken: token }: TestCompany,
  changes: Record<string, unknown>,
) {
  const body = { type: "transfer", amount: 5_000, msisdn, ...changes };
  const answer = await service.call("POST", "/v1/transactions", { token, body });
  expect(answer.status).toBe(201);
  return answer.body;
}
