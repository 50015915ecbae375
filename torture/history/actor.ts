import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../random.ts";
import type { Client, Outcome } from "../traffic/client.ts";
import { callOf } from "./calls.ts";
import type { Read, SentRow, ServiceWrite } from "./operation.ts";
import { isTurnedAway, type Recorder } from "./recorder.ts";

export interface ActorOptions {
  readonly name: string;
  readonly company: string;
  /** One for each node, by the node's name. */
  readonly nodes: ReadonlyMap<string, Client>;
  readonly random: Random;
  readonly recorder: Recorder;
  /** Who gets money and who pays. */
  readonly people: readonly string[];
  /** Ids and references that anybody of the company may read. */
  readonly seen: Seen;
  readonly isOver: () => boolean;
}

/** What the clients of one company tell each other. */
export interface Seen {
  readonly transfers: string[];
  readonly references: string[];
  readonly charges: string[];
  lastEvent: number;
}

const triesMax = 6;
const pauseMs = 400;
const awayPauseMs = 100;
const rowsMax = 20;
const chargeAmount = 10_000;
/** Two of them fit into a charge, three make it whole, and some make too much. */
const refundAmounts = [3_001, 3_002, 3_997, 4_000, 9_999];
const keptMax = 40;

/** A client that does one thing after the other at either node, and sends again what it does not know of. */
export class Actor {
  readonly #options: ActorOptions;
  #count = 0;

  constructor(options: ActorOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { random, isOver } = this.#options;
    while (!isOver()) {
      this.#count += 1;
      const chance = random.next();
      if (chance < 0.3) await this.#transfer(1);
      else if (chance < 0.36) await this.#transfer(random.integer(2, rowsMax));
      else if (chance < 0.46) await this.#charge();
      else if (chance < 0.58) await this.#pay();
      else if (chance < 0.66) await this.#refund();
      else await this.#read(chance);
    }
  }

  async #transfer(size: number): Promise<void> {
    const { name, random, people, seen } = this.#options;
    const rows: SentRow[] = Array.from({ length: size }, (_, row) => ({
      reference: `${name}-${this.#count}-${row}`,
      amount: random.integer(5_000, 20_000),
      msisdn: random.pick(people),
    }));
    keep(seen.references, rows[0]?.reference ?? "");
    const act: ServiceWrite = {
      kind: size === 1 ? "transfer" : "batch",
      rows,
      ...this.#maybeKey(),
    };
    // Somebody who is impatient sends the same to both nodes at once.
    const isTwice = random.isLikely(0.05);
    const [outcome] = await Promise.all([
      this.#insist(act),
      ...(isTwice ? [this.#insist(act)] : []),
    ]);
    if (outcome.kind !== "ok") return;
    const made: readonly { id: string }[] = size === 1 ? [outcome.body] : outcome.body.transactions;
    for (const { id } of made.slice(0, 3)) keep(seen.transfers, id);
  }

  async #charge(): Promise<void> {
    const { name, seen } = this.#options;
    const externalId = `${name}-${this.#count}`;
    const act = { kind: "charge", externalId, amount: chargeAmount, ...this.#maybeKey() } as const;
    const outcome = await this.#insist(act);
    if (outcome.kind === "ok") keep(seen.charges, outcome.body.id);
  }

  async #pay(): Promise<void> {
    const { random, people, seen } = this.#options;
    if (seen.charges.length === 0) return;
    const chargeId = random.pick(seen.charges);
    await this.#insist({ kind: "pay", chargeId, msisdn: random.pick(people), ...this.#maybeKey() });
  }

  /** All clients that refund the same part of a charge use the same key: then it happens once. */
  async #refund(): Promise<void> {
    const { random, seen } = this.#options;
    if (seen.charges.length === 0) return;
    const chargeId = random.pick(seen.charges);
    const amount = random.pick(refundAmounts);
    await this.#insist({ kind: "refund", chargeId, amount, key: `${chargeId}-${amount}` });
  }

  async #read(chance: number): Promise<void> {
    const act = this.#chooseRead(chance);
    if (act === undefined) return;
    const outcome = await this.#send(act, this.#pickNode());
    if (act.kind === "pull events" && outcome.kind === "ok")
      this.#options.seen.lastEvent = outcome.body.lastSequence;
  }

  #chooseRead(chance: number): Read | undefined {
    const { random, seen } = this.#options;
    if (chance < 0.77) return { kind: "read balance" };
    if (chance < 0.86 && seen.transfers.length > 0)
      return { kind: "read transfer", id: random.pick(seen.transfers) };
    if (chance < 0.89 && seen.references.length > 0)
      return { kind: "find transfer", reference: random.pick(seen.references) };
    if (chance < 0.93) return { kind: "list transfers" };
    if (chance < 0.97 && seen.charges.length > 0)
      return { kind: "read charge", id: random.pick(seen.charges) };
    if (chance < 0.98) return { kind: "read statement" };
    return { kind: "pull events", after: seen.lastEvent };
  }

  /** Until it is known, at either node; after some tries it stays unknown. What has no key is sent once. */
  async #insist(act: ServiceWrite): Promise<Outcome> {
    const { random } = this.#options;
    const most = act.kind === "pay" && act.key === undefined ? 1 : triesMax;
    let outcome = await this.#send(act, this.#pickNode());
    for (let tries = 1; tries < most && isOpen(outcome); tries += 1) {
      await sleep(random.integer(0, pauseMs));
      outcome = await this.#send(act, this.#pickNode());
    }
    return outcome;
  }

  async #send(act: Read | ServiceWrite, node: string): Promise<Outcome> {
    const { name: client, company, nodes, recorder } = this.#options;
    const to = nodes.get(node);
    if (to === undefined) throw new Error(`there is no node ${node}`);
    const call = callOf(act);
    const outcome = await recorder.run({ client, node, company, act }, () => to.send(call));
    const isFrozen = outcome.kind === "refused" && outcome.status === 403;
    if (isTurnedAway(outcome) || isFrozen) await sleep(awayPauseMs);
    return outcome;
  }

  #pickNode(): string {
    return this.#options.random.pick([...this.#options.nodes.keys()]);
  }

  #maybeKey(): { readonly key?: string } {
    const { name, random } = this.#options;
    return random.isLikely(0.6) ? { key: `${name}-key-${this.#count}` } : {};
  }
}

/** It may have happened, or the one who was asked was away. */
function isOpen(outcome: Outcome): boolean {
  return outcome.kind === "unknown" || isTurnedAway(outcome);
}

function keep(list: string[], item: string): void {
  list.push(item);
  if (list.length > keptMax) list.shift();
}
