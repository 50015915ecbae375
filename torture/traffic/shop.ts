import { setTimeout as sleep } from "node:timers/promises";
import { addCustomer } from "../../src/customers/keep-book.ts";
import type { Database } from "../../src/database/database.ts";
import type { GroundCompany, Place } from "../ground.ts";
import type { PartReport, Scale } from "../part.ts";
import type { Random } from "../random.ts";
import { Client } from "./client.ts";
import { Journal } from "./journal.ts";
import { Receiver } from "./receiver.ts";
import { Shopper } from "./shopper.ts";
import { verifyBooks } from "./verify-books.ts";
import { untilQuiet, verifyEvents } from "./verify-events.ts";

const registerTries = 60;
const registerPauseMs = 500;
const topics = [
  "transactions/started",
  "transactions/completed",
  "transactions/failed",
  "batches/completed",
  "charge/events",
];
/** The test numbers of staging that always and never work, and people with wallets of their own. */
const people = [
  "2250700000000",
  "2250700000001",
  "2250710000001",
  "2250710000002",
  "2250710000003",
];
const fund = 100_000_000_000;

export interface ShopOptions {
  /** Where the service is just now. */
  readonly url: () => string;
  readonly random: Random;
  readonly shoppers: number;
  readonly pauseMs: number;
  readonly answerLimitMs: number;
  /** Who gets money and who pays. They are in the book already; without them the shop adds its own. */
  readonly people?: readonly string[];
}

/** What a shop needs of the place it opens at. */
export type ShopPlace = Pick<Place, "database" | "makeCompany">;

/** A company with customers, callers that keep it busy, and a receiver that hears of everything. */
export class Shop {
  readonly company: GroundCompany;
  readonly client: Client;
  readonly journal = new Journal();
  readonly receiver: Receiver;
  readonly #database: Database;
  readonly #options: ShopOptions;
  readonly #webhookIds: ReadonlyMap<string, string>;
  #shoppers: Shopper[] = [];

  private constructor(
    place: ShopPlace,
    company: GroundCompany,
    client: Client,
    receiver: Receiver,
    webhookIds: ReadonlyMap<string, string>,
    options: ShopOptions,
  ) {
    this.#database = place.database;
    this.company = company;
    this.client = client;
    this.receiver = receiver;
    this.#webhookIds = webhookIds;
    this.#options = options;
  }

  static async open(place: ShopPlace, options: ShopOptions): Promise<Shop> {
    const company = await place.makeCompany({
      name: "Torture",
      fund,
      transferFee: { ratePpm: 10_000, flat: 25, min: 0, max: null },
      chargeFeeRatePpm: 15_000,
    });
    const strangers = options.people === undefined ? people.slice(2) : [];
    for (const msisdn of strangers) {
      const customer = { msisdn, firstName: "Awa", lastName: "Diop", balanceMax: null };
      await addCustomer(place.database, { ...customer, kycStatus: "complete" });
    }
    const { accessToken: token } = company;
    const client = new Client({ ...options, token });
    const receiver = await Receiver.start();
    const webhookIds = new Map<string, string>();
    for (const topic of topics) {
      const body = { topic, url: receiver.url };
      webhookIds.set(topic, await register(client, body));
    }
    return new Shop(place, company, client, receiver, webhookIds, options);
  }

  /** `name` tells the references of one start from those of another. */
  start(name = ""): void {
    const { random, shoppers, pauseMs } = this.#options;
    const { client, journal } = this;
    this.#shoppers = Array.from(
      { length: shoppers },
      (_, index) =>
        new Shopper({
          client,
          journal,
          random: random.fork(),
          name: `${name}s${index}`,
          people: this.#options.people ?? people,
          pauseMs,
        }),
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.#shoppers.map((shopper) => shopper.stop()));
    this.#shoppers = [];
  }

  /** After the callers have stopped and the service is well again: does everything add up? */
  async verify(quietMs: number, scale: Scale): Promise<PartReport> {
    const unfinished = await untilQuiet(this.#database, quietMs, scale === "short");
    const books = await verifyBooks(this.client, this.journal);
    const { received } = this.receiver;
    const told = { received, webhookIds: this.#webhookIds, companyId: this.company.id };
    const events = await verifyEvents({ ...told, database: this.#database });
    return {
      counts: {
        ...this.journal.counts(),
        notifications: received.length,
        "slowest answer, ms": Math.round(this.client.slowestMs),
      },
      findings: [...this.client.oddities, ...unfinished, ...books, ...events],
    };
  }

  async close(): Promise<void> {
    await this.stop();
    await this.receiver.stop();
    await this.client.close();
  }
}

/** Nothing is attacked yet: whoever is told that the service is behind comes again, as on a machine that is busy. */
async function register(client: Client, body: object): Promise<string> {
  for (let left = registerTries; ; left -= 1) {
    const answer = await client.send({ method: "POST", path: "/v1/webhooks", body });
    if (answer.kind === "ok") return answer.body.id;
    const isBehind = answer.kind === "refused" && answer.status === 503;
    if (!isBehind || left === 0) throw new Error(`no webhook: ${JSON.stringify(answer)}`);
    await sleep(registerPauseMs);
  }
}
