import type { Database } from "../../src/database/database.ts";
import { chargeRequest } from "../traffic/charge-request.ts";
import { Journal } from "../traffic/journal.ts";
import { Hold, lockOfCompany, lockOfPerson } from "./hold.ts";
import { lapseLeases } from "./leases.ts";
import type { Neighbour } from "./neighbour.ts";
import { addNearCeiling, closeParty, openParty, type Party, type Scene, until } from "./scene.ts";
import { stop } from "./stop.ts";

const tooMuch = 50_000;
const payment = 100_000;
/** How long the attack waits for somebody to run into its lock; a machine can be slow. */
const patienceMs = 10_000;
/** For the second worker, which must never come: only the short cut gives up on it before the stall is over. */
const secondPatienceMs = 3_000;
const holdPatienceMs = 1_000;
/** Far more than two transfers take on any machine. */
const turnsPatienceMs = 60_000;

/** A company whose rows are held while it settles, and the wallets of people it pays. */
export class Stage {
  readonly journal = new Journal();
  readonly party: Party;
  readonly people: string[] = [];
  readonly #scene: Scene;

  private constructor(scene: Scene, party: Party) {
    this.#scene = scene;
    this.party = party;
  }

  static async open(scene: Scene): Promise<Stage> {
    return new Stage(scene, await openParty(scene, "Stage"));
  }

  close(): Promise<void> {
    return closeParty(this.party);
  }

  /**
   * A worker refuses a transfer, because the wallet is too full, and then stands still at the company's books for longer
   * than any lease: because they are held, or because its backend is stopped there with the wallet and the transfers in
   * hand. A payment from that wallet queues behind it, and then whoever takes the work over. When the books are free
   * again, the first ends the transfer as failed, the payment makes room, and the second would find that the transfer
   * fits. False when no worker came to the books.
   */
  async refuseAndStall(payee: Party, isBackendStopped: boolean): Promise<boolean> {
    const { place, campaign } = this.#scene;
    const { database, databaseUrl: url } = place;
    const [first, second] = campaign.random.shuffle([0, 1] as const) as [0, 1];
    const person = await this.#addPerson();
    const { id: chargeId } = await payee.clients[second].demand({
      method: "POST",
      path: "/v1/charges",
      body: chargeRequest(`of ${person}`, payment),
    });

    const wallet = await Hold.take(url, patienceMs, lockOfPerson("wallets"), [person]);
    let books: Hold | undefined;
    let goOn: (() => Promise<void>) | undefined;
    try {
      await this.#send(first, person);
      await until(async () => (await wallet?.waiting(database))?.length !== 0, patienceMs);
      books = await Hold.take(url, holdPatienceMs, lockOfCompany("books"), [this.party.company.id]);
      await wallet?.release();
      if (books === undefined) return false;
      const held = books;
      const isWaitedForBy = (count: number) => async () =>
        (await held.waiting(database)).length >= count;
      const hasCome = await until(isWaitedForBy(1), patienceMs);
      if (isBackendStopped) goOn = await stopFirstWaiting(held, database);
      let isAnswered = false;
      const pay = async () => {
        const body = { recipientMsisdn: person };
        const path = `/v1/charges/${chargeId}/pay`;
        await payee.clients[second].send({ method: "POST", path, body });
        isAnswered = true;
      };
      const paying = pay();
      await until(async () => isAnswered || (await isWaitedForBy(2)()), patienceMs);
      await this.#outlastLeases(isWaitedForBy(3));
      await held.release();
      await goOn?.();
      await paying;
      return isBackendStopped ? goOn !== undefined : hasCome;
    } finally {
      await wallet?.release();
      await books?.release();
      await goOn?.();
    }
  }

  /**
   * Holds every row that the company has, with work of it under way, until each neighbour has settled something
   * meanwhile. False when they could not.
   */
  async stallCompany(neighbours: readonly Neighbour[]): Promise<boolean> {
    const { catalog, place, campaign } = this.#scene;
    const person = await this.#addPerson();
    const take = (text: string, value: string) =>
      Hold.take(place.databaseUrl, holdPatienceMs, text, [value]);
    const holds = [await take(lockOfPerson("wallets"), person)];
    try {
      await this.#send(0, person);
      await until(async () => (await holds[0]?.waiting(place.database))?.length !== 0, patienceMs);
      await lapseLeases(place.database, catalog);
      const owned = catalog.filter(({ columns }) => columns.includes("company_id"));
      const { id } = this.party.company;
      holds.push(...(await Promise.all(owned.map(({ name }) => take(lockOfCompany(name), id)))));
      const before = neighbours.map(({ ended }) => ended);
      await until(() => false, campaign.stallMs, campaign.deadline);
      // The first of the two may have been under way before.
      return await until(
        () => neighbours.every(({ ended }, index) => ended >= (before[index] ?? 0) + 2),
        turnsPatienceMs,
        campaign.deadline,
      );
    } finally {
      for (const hold of holds) await hold?.release();
    }
  }

  /** Every lease has run out. A campaign waits for as long as a stall lasts, its short cut until `isTrue` at most. */
  async #outlastLeases(isTrue: () => Promise<boolean>): Promise<void> {
    const { campaign, catalog, place } = this.#scene;
    await lapseLeases(place.database, catalog);
    if (campaign.scale === "short") await until(isTrue, secondPatienceMs, campaign.deadline);
    else await until(() => false, campaign.stallMs, campaign.deadline);
  }

  async #addPerson(): Promise<string> {
    const person = `22607${String(this.people.length).padStart(6, "0")}`;
    this.people.push(person);
    await addNearCeiling(this.#scene, this.party, person);
    return person;
  }

  /** A batch with more than fits into the wallet, and with something that does fit. */
  async #send(service: 0 | 1, person: string): Promise<void> {
    const rows = [tooMuch, 5_000].map((amount, row) => ({
      type: "transfer",
      reference: `${row} to ${person}`,
      amount,
      msisdn: person,
    }));
    const call = {
      method: "POST",
      path: "/v1/transactions/batch",
      body: { transactions: rows },
    } as const;
    const body = await this.party.clients[service].demand(call);
    this.journal.transfers.push({ call, rows, outcomes: [{ kind: "ok", status: 201, body }] });
  }
}

/** Stops the backend that waits for the held row, while it does: it has everything else in hand then. */
async function stopFirstWaiting(
  hold: Hold,
  database: Database,
): Promise<(() => Promise<void>) | undefined> {
  let goOn: (() => Promise<void>) | undefined;
  await until(async () => {
    const [pid] = await hold.waiting(database);
    goOn = stop(pid);
    // It may have given up between the look and the stop.
    if (goOn === undefined || (await hold.waiting(database))[0] === pid) return goOn !== undefined;
    await goOn();
    goOn = undefined;
    return false;
  }, patienceMs);
  return goOn;
}
