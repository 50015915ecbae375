import { expect } from "vitest";
import { changeCompany } from "../../src/companies/change-company.ts";
import { fundCompany } from "../../src/companies/fund-company.ts";
import { adjustBooks, withdrawFromCompany } from "../../src/companies/move-money.ts";
import type { AdjustableAccount } from "../../src/ledger/funding.ts";
import { ChargeClient, decliner } from "../charges.ts";
import {
  makeCompany,
  type TestCompany,
  type TestDatabase,
  type TestService,
  untilSettled,
} from "../fixtures.ts";
import { send } from "../receiver.ts";
import { makeSubCompany } from "../statements.ts";

export const zone = "Africa/Niamey";
/** Nobody's: what is sent there comes back. */
const stranger = "2250733333333";
const known = "2250700000000";

/** A line that a statement must have, as whoever moved the money knows it. */
export interface KnownLine {
  readonly day: string;
  readonly kind: string;
  readonly amount: number;
  readonly fee: number;
  readonly subCompanyId: string | undefined;
}

interface Fees {
  readonly transferRatePpm: number;
  readonly transferFlat: number;
  readonly chargeRatePpm: number;
}

interface PaidCharge {
  readonly id: string;
  readonly amount: number;
  readonly fee: number;
  readonly subCompanyId: string | undefined;
  refunded: number;
  feeReturned: number;
}

interface Payout {
  readonly amount: number;
  readonly comesBack?: boolean | undefined;
  readonly subCompanyId?: string | undefined;
}

const firstFees: Fees = { transferRatePpm: 10_000, transferFlat: 25, chargeRatePpm: 20_000 };

/**
 * What a company does, and what it knows of its money without having read a statement: each action adds the lines that
 * must come of it, from what was asked for, the fees that were agreed and what was answered.
 */
export class Business {
  readonly lines: KnownLine[] = [];
  readonly company: TestCompany;
  readonly subCompanyIds: readonly string[];
  readonly charges: PaidCharge[] = [];
  readonly #db: TestDatabase;
  readonly #service: TestService;
  readonly #client: ChargeClient;
  #fees = firstFees;
  #references = 0;

  private constructor(
    db: TestDatabase,
    service: TestService,
    company: TestCompany,
    subCompanyIds: readonly string[],
  ) {
    this.#db = db;
    this.#service = service;
    this.#client = new ChargeClient(service, company);
    this.company = company;
    this.subCompanyIds = subCompanyIds;
  }

  static async open(db: TestDatabase, service: TestService, fund: number): Promise<Business> {
    const company = await makeCompany(db.database, { ...toPrice(firstFees), fund, timeZone: zone });
    const names = ["Plateau", "Lazaret"];
    const ids = await Promise.all(names.map((name) => makeSubCompany(service, company, name)));
    const business = new Business(db, service, company, ids);
    business.#know("funding", fund, 0);
    return business;
  }

  async fund(amount: number): Promise<void> {
    const companyId = this.company.id;
    const request = { companyId, amount, reference: this.#reference("bank") };
    await fundCompany(this.#db.database, new Date(), request);
    this.#know("funding", amount, 0);
  }

  async withdraw(amount: number): Promise<void> {
    const companyId = this.company.id;
    const request = { companyId, amount, reference: this.#reference("out"), memo: null };
    await withdrawFromCompany(this.#db.database, new Date(), request);
    this.#know("withdrawal", -amount, 0);
  }

  /** A line only where the company's own money is on one side of it. */
  async adjust(from: AdjustableAccount, to: AdjustableAccount, amount: number): Promise<void> {
    const reference = this.#reference("case");
    const request = { companyId: this.company.id, from, to, amount, reference, reason: "mistake" };
    await adjustBooks(this.#db.database, new Date(), request);
    if (from === "available") this.#know("adjustment", -amount, 0);
    if (to === "available") this.#know("adjustment", amount, 0);
  }

  async agree(fees: Fees): Promise<void> {
    await changeCompany(this.#db.database, this.company.id, { price: toPrice(fees) });
    this.#fees = fees;
  }

  async pay(payout: Payout): Promise<void> {
    const { amount, subCompanyId } = payout;
    const answer = await send(this.#service, this.company, this.#reference("one"), {
      amount,
      msisdn: payout.comesBack === true ? stranger : known,
      ...(subCompanyId === undefined ? {} : { subCompanyId }),
    });
    this.#knowPayout(payout, answer.fee);
  }

  async payTogether(payouts: readonly Payout[]): Promise<void> {
    const transactions = payouts.map(({ amount, comesBack, subCompanyId }) => ({
      type: "transfer",
      amount,
      msisdn: comesBack === true ? stranger : known,
      reference: this.#reference("batch"),
      ...(subCompanyId === undefined ? {} : { subCompanyId }),
    }));
    const answer = await this.#service.call("POST", "/v1/transactions/batch", {
      token: this.company.accessToken,
      body: { transactions },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    payouts.forEach((payout, row) =>
      this.#knowPayout(payout, answer.body.transactions[row]?.fee as number),
    );
  }

  /** A payer whose first attempt fails, which moves nothing. */
  async collect(amount: number, subCompanyId?: string): Promise<void> {
    const externalId = this.#reference("order");
    const id = await this.#client.made({
      amount,
      externalId,
      ...(subCompanyId === undefined ? {} : { subCompanyId }),
    });
    expect((await this.#client.pay(id, decliner)).body.status).toBe("due");
    const paid = (await this.#client.pay(id)).body;
    const fee = share(amount, this.#fees.chargeRatePpm, 1_000_000);
    expect([paid.status, paid.fees.value]).toEqual(["paid", fee]);
    this.charges.push({ id, amount, fee, subCompanyId, refunded: 0, feeReturned: 0 });
    this.#know("payment", amount - fee, fee, subCompanyId);
  }

  /** The fee comes back in the share that all refunds together have of what was paid. */
  async refund(charge: PaidCharge, amount: number): Promise<void> {
    const answer = await this.#client.refund(charge.id, { amount });
    charge.refunded += amount;
    expect([answer.status, answer.body.refunded]).toEqual([200, charge.refunded]);
    const returned = share(charge.fee, charge.refunded, charge.amount) - charge.feeReturned;
    charge.feeReturned += returned;
    this.#know("refund", returned - amount, -returned, charge.subCompanyId);
  }

  settled(): Promise<void> {
    return untilSettled(this.#db.database, 60_000);
  }

  balance(): Promise<number> {
    return this.#client.balance();
  }

  #knowPayout({ amount, comesBack, subCompanyId }: Payout, answered: number): void {
    const { transferRatePpm, transferFlat } = this.#fees;
    const fee = share(amount, transferRatePpm, 1_000_000) + transferFlat;
    expect(answered).toBe(fee);
    this.#know("transfer", -amount - fee, fee, subCompanyId);
    if (comesBack === true) this.#know("transfer_returned", amount + fee, -fee, subCompanyId);
  }

  #know(kind: string, amount: number, fee: number, subCompanyId?: string): void {
    this.lines.push({ day: dayNow(), kind, amount, fee, subCompanyId });
  }

  #reference(what: string): string {
    this.#references += 1;
    return `${what}-${this.#references}`;
  }
}

function toPrice({ transferRatePpm, transferFlat, chargeRatePpm }: Fees) {
  const transferFee = { ratePpm: transferRatePpm, flat: transferFlat, min: 0, max: null };
  return { transferFee, chargeFeeRatePpm: chargeRatePpm };
}

/** Half up. */
function share(whole: number, part: number, of: number): number {
  return Math.floor((2 * whole * part + of) / (2 * of));
}

const days = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });

function dayNow(): string {
  return days.format(new Date());
}

export function dayOfLine(at: string): string {
  return days.format(new Date(at));
}
