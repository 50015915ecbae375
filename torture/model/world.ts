import { pino } from "pino";
import { fundCompany } from "../../src/companies/fund-company.ts";
import { addCustomer } from "../../src/customers/keep-book.ts";
import { sql } from "../../src/database/sql.ts";
import { settleCompany } from "../../src/transfers/settle-transfers.ts";
import type { GroundCompany, Place } from "../ground.ts";
import { type Call, Client, type Outcome } from "../traffic/client.ts";
import { Books, chargeFeeRatePpm, firstFund, transferFee, type Wallet } from "./books.ts";

const always = "2250700000000";
const never = "2250700000001";
const answerLimitMs = 60_000;
const walletMax = { complete: 2_000_000, otherwise: 200_000 };

/** The service as a model run uses it: one company of its own, and people nobody else knows. */
export class World {
  readonly place: Place;
  readonly company: GroundCompany;
  readonly client: Client;
  readonly url: string;
  /** Who gets money and who pays, in the order of the model's people. */
  readonly people: readonly string[];
  commands = 0;

  private constructor(
    place: Place,
    url: string,
    company: GroundCompany,
    people: readonly string[],
  ) {
    this.place = place;
    this.url = url;
    this.company = company;
    this.people = people;
    this.client = new Client({ token: company.accessToken, url: () => url, answerLimitMs });
  }

  /** A company and people that no other run knows; `number` makes them so. */
  static async open(
    place: Place,
    url: string,
    number: number,
  ): Promise<{ readonly world: World; readonly books: Books }> {
    const name = { name: `Model ${number}`, fund: firstFund };
    const company = await place.makeCompany({ ...name, transferFee, chargeFeeRatePpm });
    const own = (digit: number) => `226${String(number).padStart(8, "0")}${digit}`;
    const { database } = place;
    const [rich, poor, stranger] = [own(1), own(2), own(3)];
    const person = { firstName: "Awa", lastName: "Diop" };
    await addCustomer(database, {
      ...person,
      msisdn: rich,
      kycStatus: "complete",
      balanceMax: 60_000,
    });
    await addCustomer(database, {
      ...person,
      msisdn: poor,
      kycStatus: "pending",
      balanceMax: null,
    });
    const wallets = new Map<string, Wallet>([
      // Test money: it goes down below zero, and others use it too, so only changes count.
      [always, { balance: 0, max: Number.POSITIVE_INFINITY }],
      [rich, { balance: 0, max: 60_000 }],
      [poor, { balance: 0, max: walletMax.otherwise }],
    ]);
    const world = new World(place, url, company, [always, never, rich, poor, stranger]);
    return { world, books: new Books({ always, never }, wallets) };
  }

  send(call: Call): Promise<Outcome> {
    return this.client.send(call);
  }

  /** As the worker does it, but when the run says so. */
  async settle(): Promise<void> {
    const policy = { walletMax, testMsisdns: { success: always, failure: never } };
    const settlement = {
      database: this.place.database,
      policy,
      logger: pino({ level: "silent" }),
      settled: { add: () => {} },
    };
    await settleCompany(settlement, this.company.id, () => true);
  }

  async fund(amount: number): Promise<void> {
    await fundCompany(this.place.database, new Date(), { companyId: this.company.id, amount });
  }

  /** As if the hour were over; answers when it was. */
  async expire(chargeId: string): Promise<Date> {
    const [row] = await this.place.database.execute<{ expires_at: Date }>(sql`
      update charges set expires_at = clock_timestamp() - interval '1 millisecond'
      where company_id = ${this.company.id} and id = ${chargeId} returning expires_at`);
    if (row === undefined) throw new Error(`there is no charge ${chargeId}`);
    return row.expires_at;
  }

  /** What this company put into each wallet, less what it took out. */
  async walletChanges(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.place.database.query<{ msisdn: string; amount: number }>(sql`
      select msisdn, sum(amount)::bigint as amount from wallet_entries
      where company_id = ${this.company.id} group by msisdn`);
    return new Map(rows.map(({ msisdn, amount }) => [msisdn, amount]));
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
