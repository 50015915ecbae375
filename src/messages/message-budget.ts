import type { Config } from "../config.ts";
import type { Database, Tx } from "../database/database.ts";
import { type Limits, selectCounts, spendMessages } from "./budget-store.ts";
import type { BudgetScope, BudgetSpan, BudgetWatch } from "./budget-watch.ts";

/** Everything about a message that a budget counts by. */
export interface MessageFacts {
  /** Digits, with country code. */
  readonly msisdn: string;
  /** The network of whoever has it sent. */
  readonly address: string;
  /** On whose account; undefined for the wallet, which is nobody's. */
  readonly companyId: string | undefined;
  /** Whether the phone has proven before that it belongs to whoever asks. */
  readonly isKnown: boolean;
}

export interface BudgetRefusal {
  /** abroad: messages are not sent to this country at all. */
  readonly scope: BudgetScope | "abroad";
  readonly retryInSeconds: number;
}

interface Subject {
  readonly scope: BudgetScope;
  readonly subject: string;
  readonly hour: number;
  readonly day: number;
}

/** What strangers may use of a budget, and where it counts as nearly used: the rest is kept for known browsers. */
const strangersShare = 0.8;

export interface MessageBudgetOptions {
  readonly database: Database;
  readonly config: Pick<Config, "messageBudgets" | "messageCountries">;
  readonly watch: BudgetWatch;
}

/**
 * How many messages may be sent: to one phone, from one address, for one company, to one country and in all, by hour and
 * by day. Counted in the database, in the transaction that decides to send, so that any number of nodes agree.
 */
export class MessageBudget {
  readonly #database: Database;
  readonly #config: MessageBudgetOptions["config"];
  readonly #watch: BudgetWatch;

  constructor({ database, config, watch }: MessageBudgetOptions) {
    this.#database = database;
    this.#config = config;
    this.#watch = watch;
  }

  /** Whether there is no room already: a look that writes nothing, so that refusing a flood costs little. */
  async findRefusal(message: MessageFacts): Promise<BudgetRefusal | undefined> {
    const subjects = this.#subjectsOf(message);
    if (subjects === undefined) return this.#refuseCountry();
    const counts = await selectCounts(
      this.#database,
      subjects.map(({ subject }) => subject),
    );
    for (const subject of subjects) {
      const count = counts.find((row) => row.subject === subject.subject);
      const max = roomOf(subject, message.isKnown);
      if (count !== undefined && count.day_count >= max.day)
        return this.#refuse(subject, "day", count.day_seconds);
      if (count !== undefined && count.hour_count >= max.hour)
        return this.#refuse(subject, "hour", count.hour_seconds);
    }
    return undefined;
  }

  /** Counts a message, as the last thing before the commit: what all companies share is locked until then. */
  async spend(tx: Tx, message: MessageFacts): Promise<BudgetRefusal | undefined> {
    const subjects = this.#subjectsOf(message);
    if (subjects === undefined) return this.#refuseCountry();
    const rows = await spendMessages(tx, limitsOf(subjects, message.isKnown));
    for (const { place, refused_span, retry_seconds, hour_count, day_count } of rows) {
      const subject = subjects[place - 1];
      if (subject === undefined) continue;
      if (refused_span !== null) return this.#refuse(subject, refused_span, retry_seconds ?? 1);
      // Equal, not above: of all messages on all nodes exactly one is the one that comes near.
      if (hour_count === nearOf(subject.hour)) this.#watch.near(subject, "hour", subject.hour);
      if (day_count === nearOf(subject.day)) this.#watch.near(subject, "day", subject.day);
    }
    return undefined;
  }

  /** In the order in which they are locked; undefined when nothing is sent to this country. */
  #subjectsOf({ msisdn, address, companyId }: MessageFacts): readonly Subject[] | undefined {
    const { messageBudgets: budgets, messageCountries } = this.#config;
    const country = messageCountries
      .filter((code) => msisdn.startsWith(code))
      .toSorted((a, b) => b.length - a.length)[0];
    if (country === undefined) return undefined;
    return [
      { scope: "phone", subject: `phone:${msisdn}`, ...budgets.phone },
      { scope: "address", subject: `address:${address}`, ...budgets.address },
      ...(companyId === undefined
        ? []
        : [{ scope: "company", subject: `company:${companyId}`, ...budgets.company } as const]),
      { scope: "country", subject: `country:${country}`, ...budgets.country },
      { scope: "all", subject: "all", ...budgets.all },
    ];
  }

  #refuse(subject: Subject, span: BudgetSpan, retryInSeconds: number): BudgetRefusal {
    this.#watch.refused(subject, span);
    return { scope: subject.scope, retryInSeconds };
  }

  #refuseCountry(): BudgetRefusal {
    this.#watch.refused({ scope: "country", subject: "country:other" }, "day");
    return { scope: "abroad", retryInSeconds: 0 };
  }
}

function nearOf(max: number): number {
  return Math.ceil(max * strangersShare);
}

function roomOf({ hour, day }: Subject, isKnown: boolean): { hour: number; day: number } {
  return isKnown ? { hour, day } : { hour: nearOf(hour), day: nearOf(day) };
}

function limitsOf(subjects: readonly Subject[], isKnown: boolean): Limits {
  const rooms = subjects.map((subject) => roomOf(subject, isKnown));
  return {
    subjects: subjects.map(({ subject }) => subject),
    hourMax: rooms.map(({ hour }) => hour),
    dayMax: rooms.map(({ day }) => day),
  };
}
