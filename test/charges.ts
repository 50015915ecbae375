import { expect } from "vitest";
import { lockBinding, selectBoundUpto } from "../src/charges/bound-store.ts";
import type { Payments } from "../src/charges/payments.ts";
import { sql } from "../src/database/sql.ts";
import { newNonce } from "../src/kernel/ordered-id.ts";
import { balancesOf } from "../src/ledger/post.ts";
import { settle } from "../src/transfers/settle-store.ts";
import { submitTransfers } from "../src/transfers/submit-store.ts";
import {
  type Answer,
  makeCompany,
  type TestCompany,
  type TestDatabase,
  type TestService,
  untilSettled,
} from "./fixtures.ts";
import { passTriggers } from "./past-triggers.ts";

/** The two test numbers of staging. */
export const payer = "2250700000000";
export const decliner = "2250700000001";

export const chargeRequest = {
  amount: 10_000,
  externalId: "order-1",
  description: "Order 1",
  onCanceledRedirectionUrl: "https://shop.example/cart?step=2#top",
  onCompletedRedirectionUrl: "https://shop.example/thanks",
};

/** The charge calls of one company, as a client makes them. */
export class ChargeClient {
  readonly #service: TestService;
  readonly #token: string;

  constructor(service: TestService, { accessToken }: TestCompany) {
    this.#service = service;
    this.#token = accessToken;
  }

  create(body: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#call("POST", "", { ...chargeRequest, ...body }, headers);
  }

  /** A charge that was created, by its id. */
  async made(body: object = {}): Promise<string> {
    const answer = await this.create(body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.id;
  }

  /** A charge that was paid, by its id. */
  async paid(body: object = {}): Promise<string> {
    const id = await this.made(body);
    const answer = await this.pay(id);
    expect(answer.body.status, JSON.stringify(answer.body)).toBe("paid");
    return id;
  }

  get(id: string): Promise<Answer> {
    return this.#call("GET", `/${id}`);
  }

  list(query = ""): Promise<Answer> {
    return this.#call("GET", query === "" ? "" : `?${query}`);
  }

  pay(
    id: string,
    recipientMsisdn: string = payer,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return this.#call("POST", `/${id}/pay`, { recipientMsisdn }, headers);
  }

  refund(id: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#call("POST", `/${id}/refund`, body, headers);
  }

  async balance(): Promise<number> {
    const answer = await this.#service.call("GET", "/v1/balance", { token: this.#token });
    return answer.body.balance;
  }

  #call(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return this.#service.call(method, `/v1/charges${path}`, {
      token: this.#token,
      headers,
      ...(body === undefined ? {} : { body }),
    });
  }
}

/**
 * Makes a charge's time be over, now or a moment later, as if the clock had gone on. No worker knows of it. What the trail has of its
 * company's charges is taken back with its chain, or the audit would rightly say that the charge is another: the worker binds them anew.
 */
export async function expire({ database }: TestDatabase, id: string, inMs = 0): Promise<void> {
  await database.transaction(async (tx) => {
    const [charge] = await tx.query<{ company_id: string }>(sql`
      select company_id from charges where id = ${id}`);
    const companyId = charge?.company_id ?? "";
    await lockBinding(tx, companyId);
    await tx.query(sql`
      update charges set expires_at = clock_timestamp() + make_interval(secs => ${inMs / 1_000})
      where company_id = ${companyId} and id = ${id}`);
    if ((await selectBoundUpto(tx, companyId)) === undefined) return;
    await passTriggers(tx);
    await tx.query(sql`
      delete from company_trail where company_id = ${companyId} and action = 'charges.bound'`);
    await tx.query(sql`
      update company_trail set number = null, hash = null where company_id = ${companyId}`);
    await tx.query(sql`delete from trail_heads where company_id = ${companyId}`);
  });
}

export async function walletOf({ database }: TestDatabase, msisdn: string): Promise<number> {
  const rows = await database.query<{ balance: number }>(sql`
    select balance from wallets where msisdn = ${msisdn}`);
  return rows[0]?.balance ?? 0;
}

/** What a company's accounts hold, by kind. */
export async function accountsOf(
  { database }: TestDatabase,
  companyId: string,
): Promise<Record<string, number>> {
  return { ...(await balancesOf(database, companyId)) };
}

/** The notifications of a company's charges in the order they happened, as receivers will read them. */
export async function chargeEvents(
  { database }: TestDatabase,
  companyId: string,
): Promise<{ readonly subject: string; readonly data: Record<string, unknown> }[]> {
  const rows = await database.query<{ subject_id: string; payload: string }>(sql`
    select subject_id, payload from events
    where company_id = ${companyId} and topic = 'charge/events' order by number`);
  return rows.map(({ subject_id, payload }) => {
    const body = JSON.parse(payload) as { data: Record<string, unknown>; topic: string };
    expect(body.topic).toBe("charge/events");
    return { subject: subject_id, data: body.data };
  });
}

/** For tests that act on charges without the API. */
export function paymentsOf({ database }: TestDatabase): Payments {
  return {
    database,
    policy: {
      walletMax: { complete: 2_000_000, otherwise: 200_000 },
      testMsisdns: { success: payer, failure: decliner },
    },
    refundPartsMax: 100,
    outcomes: { add: () => {} },
    onEvent: () => {},
  };
}

/** Puts money into a person's wallet by a transfer that has been settled. */
export async function fillWallet(
  { database }: TestDatabase,
  service: TestService,
  { accessToken: token }: TestCompany,
  msisdn: string,
  amount: number,
): Promise<void> {
  const body = { type: "transfer", amount, msisdn, reference: `fill ${msisdn} ${amount}` };
  expect((await service.call("POST", "/v1/transactions", { token, body })).status).toBe(201);
  await untilSettled(database);
}

/** Money that the audit accepts: a company of its own sends it to people in the book, whatever their ceilings. */
export async function giveEach(db: TestDatabase, people: readonly string[], amount: number) {
  const transferAmount = { min: 1, max: 1_000_000_000 };
  const { id } = await makeCompany(db.database, { fund: amount * people.length, transferAmount });
  const transfer = { amount, fee: 0, description: null, metadata: null, subCompanyId: null };
  const submissions = people.map((msisdn, index) => ({
    transfer: { ...transfer, msisdn, reference: `given ${index}` },
    key: undefined,
    priceNumber: 1,
  }));
  await submitTransfers(db.database, id, newNonce(), submissions);
  const walletMax = { complete: Number.MAX_SAFE_INTEGER, otherwise: Number.MAX_SAFE_INTEGER };
  const policy = { walletMax, testMsisdns: undefined };
  const { reasons } = await settle(db.database, policy, { companyId: id, limit: people.length });
  expect(reasons?.every((reason) => reason === null)).toBe(true);
}
