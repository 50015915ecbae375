import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { packageRoot } from "../../src/kernel/root.ts";
import type { Contender } from "./contender.ts";
import type { Plan } from "./options.ts";
import type { Order } from "./processes/bare-sender.ts";
import type { Arrivals, Expectation } from "./processes/receiver.ts";
import type { RunPostgres } from "./run-postgres.ts";
import { type Spent, startMeter } from "./spent.ts";

export interface Told extends Partial<Spent> {
  readonly perSecond: number;
}

/** Each has a webhook of its own, and every transfer that is paid out has both. */
const topics = ["transactions/started", "transactions/completed"];
/** Requests that the service has under way to one address. */
const connectionsPerUrl = 8;
const tellLimitMs = 300_000;
/** Headers that belong to a connection, not to a notification. */
const ofConnection = ["host", "connection", "content-length", "transfer-encoding"];

/** The notifications of one backlog, told by a contender or by a client that does nothing else. */
export class Notifications {
  readonly #receiver: ChildProcess;
  readonly #urls: readonly string[];
  readonly #backlog: number;
  readonly #stopped: AbortSignal;
  #sample: Arrivals["sample"] | undefined;

  private constructor(receiver: ChildProcess, url: string, plan: Plan, stopped: AbortSignal) {
    this.#receiver = receiver;
    this.#urls = topics.map((topic) => `${url}/${topic}`);
    this.#backlog = plan.backlog;
    this.#stopped = stopped;
  }

  static async with<Result>(
    plan: Plan,
    stopped: AbortSignal,
    work: (notifications: Notifications) => Promise<Result>,
  ): Promise<Result> {
    const receiver = forkProcess("receiver", stopped);
    try {
      const [url] = (await once(receiver, "message", { signal: stopped })) as [string];
      return await work(new Notifications(receiver, url, plan, stopped));
    } finally {
      if (receiver.connected) receiver.disconnect();
    }
  }

  /** The backlog is made while nobody tells it; then a process that does nothing else does. */
  async tell(contender: Contender, postgres: RunPostgres): Promise<Told> {
    return contender.withDatabase(async (database) => {
      await this.#makeBacklog(contender, database);
      const arrivals = this.#expect();
      const dispatcher = await contender.start(database, "webhooks");
      try {
        const spent = startMeter(dispatcher, postgres);
        const { perSecond, sample } = await arrivals;
        this.#sample = sample;
        return { perSecond, ...spent(this.#count) };
      } finally {
        await dispatcher.stop();
      }
    });
  }

  /** What a contender sent is sent again, as often, without a database. */
  async tellBare(): Promise<Told> {
    if (this.#sample === undefined) throw new Error("no contender has sent a notification yet");
    const { headers, body } = this.#sample;
    const order: Order = {
      urls: this.#urls,
      connectionsPerUrl,
      headers: Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) =>
          typeof value === "string" && !ofConnection.includes(name) ? [[name, value]] : [],
        ),
      ),
      body,
      count: this.#count,
    };
    const arrivals = this.#expect();
    const sender = forkProcess("bare-sender", this.#stopped);
    sender.send(order);
    return { perSecond: (await arrivals).perSecond };
  }

  get #count(): number {
    return this.#backlog * topics.length;
  }

  async #makeBacklog(contender: Contender, database: string): Promise<void> {
    const service = await contender.start(database, "api,worker");
    try {
      const account = contender.accountAt(service);
      for (const [place, topic] of topics.entries())
        await account.subscribe(topic, this.#urls[place] ?? "");
      await account.send(this.#backlog);
      await account.untilSettled();
    } finally {
      await service.stop();
    }
  }

  /** Tells the receiver what to expect; the answer is there when everything has arrived. */
  #expect(): Promise<Arrivals> {
    const expectation: Expectation = { count: this.#count };
    this.#receiver.send(expectation);
    const limit = AbortSignal.any([this.#stopped, AbortSignal.timeout(tellLimitMs)]);
    const arrivals = once(this.#receiver, "message", { signal: limit }).then(
      ([message]) => message as Arrivals,
    );
    // When the sender does not even start, nobody waits for it.
    arrivals.catch(() => {});
    return arrivals;
  }
}

function forkProcess(name: string, stopped: AbortSignal): ChildProcess {
  const path = `dist/bench/against/processes/${name}.js`;
  const child = fork(join(packageRoot, path), { signal: stopped, env: {} });
  // When the bench is stopped the child is ended, and says so as an error.
  child.on("error", () => {});
  return child;
}
