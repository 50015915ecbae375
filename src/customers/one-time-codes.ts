import { createHmac, randomInt, randomUUID, timingSafeEqual } from "node:crypto";
import type { Logger } from "pino";
import type { Database, Tx } from "../database/database.ts";
import { DomainError } from "../kernel/domain-error.ts";
import type { Counter, Metrics } from "../kernel/metrics.ts";
import { maskMsisdn } from "../kernel/msisdn.ts";
import { type SecretBox, secretBox } from "../kernel/secret-box.ts";
import { judgeSends } from "./code-limits.ts";
import { NoRoomForCode } from "./errors.ts";
import { isOwn } from "./guess-limits.ts";
import { isKnownBrowser, noteKnownBrowser } from "./known-browsers-store.ts";
import {
  type CodeCheck,
  type CodeKey,
  type CodeRefused,
  type CodeSent,
  type CurrentCode,
  codeLifetimeSeconds,
  codeSendsWindowSeconds,
  codeTriesMax,
  kindOf,
} from "./one-time-code.ts";
import {
  deleteCode,
  insertCode,
  lockRecipient,
  markRight,
  markUsed,
  type SendRow,
  selectSends,
  spendTry,
  type UsedCode,
} from "./one-time-codes-store.ts";

/** Who has a message sent: the network the request came from, and the company it is for, if any. */
export interface MessageOrigin {
  readonly address: string;
  readonly companyId: string | undefined;
}

type MessageFacts = MessageOrigin & { readonly msisdn: string; readonly isKnown: boolean };
type BudgetRefusal = { readonly scope: string; readonly retryInSeconds: number };

export interface OneTimeCodesOptions {
  readonly database: Database;
  readonly box: SecretBox;
  /**
   * Who carries codes to phones; handed in, because messages are another folder. An error with the code
   * `message_not_sent` says that nothing will arrive, `message_outcome_unknown` that it may.
   */
  readonly messenger: {
    showsCode(msisdn: string): boolean;
    /** False for a test number, which no message is sent to. */
    costs(msisdn: string): boolean;
    send(message: { readonly msisdn: string; readonly text: string }): Promise<void>;
  };
  /** How many messages may be sent; handed in for the same reason. */
  readonly budget: {
    findRefusal(message: MessageFacts): Promise<BudgetRefusal | undefined>;
    spend(tx: Tx, message: MessageFacts): Promise<BudgetRefusal | undefined>;
  };
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Six digits that prove who holds a phone.
 *
 * Every decision is the database's, by its own clock: any number of nodes may send and check at once.
 */
export class OneTimeCodes {
  readonly #database: Database;
  readonly #box: SecretBox;
  readonly #messenger: OneTimeCodesOptions["messenger"];
  readonly #budget: OneTimeCodesOptions["budget"];
  readonly #logger: Logger;
  readonly #outcomes: Counter;
  readonly #hashKey: Buffer;

  constructor({ database, box, messenger, budget, logger, metrics }: OneTimeCodesOptions) {
    this.#database = database;
    this.#box = secretBox(box.deriveKey("shown code"));
    this.#messenger = messenger;
    this.#budget = budget;
    this.#logger = logger;
    this.#hashKey = box.deriveKey("one-time code");
    this.#outcomes = metrics.counter(
      "cauri_codes_total",
      "One-time codes asked for and typed, by kind and what became of it.",
    );
  }

  /**
   * Sends a new code, which makes the older ones of this purpose in this browser useless. It counts from before it is
   * sent, so that a crash in between cannot be used to send more. Throws what the messenger throws when the
   * message was certainly not sent; then the code before it is good again.
   */
  async send(
    request: CodeKey & {
      readonly origin: MessageOrigin;
      readonly text: (code: string) => string;
    },
  ): Promise<CodeSent | CodeRefused> {
    const sent = await this.#send(request);
    const outcome = sent.kind === "sent" ? "sent" : `refused_${sent.limit}`;
    this.#outcomes.add({ kind: kindOf(request.purpose), outcome });
    return sent;
  }

  async #send(request: Parameters<OneTimeCodes["send"]>[0]): Promise<CodeSent | CodeRefused> {
    const { msisdn, purpose, browser } = request;
    const isKnown = await isKnownBrowser(this.#database, msisdn, browser);
    const message = { ...request.origin, msisdn, isKnown };
    const costs = this.#messenger.costs(msisdn);
    const spent = costs ? await this.#budget.findRefusal(message) : undefined;
    if (spent !== undefined) return refusedBy(spent);

    const asker = { purpose, browser, isKnown };
    const code = randomInt(0, 1_000_000).toString().padStart(6, "0");
    const id = randomUUID();
    const verdict = await this.#database
      .transaction(async (tx) => {
        await lockRecipient(tx, msisdn);
        const before = judgeSends(await selectSends(tx, msisdn), asker);
        if (before.refusal !== undefined) return before.refusal;
        await insertCode(tx, {
          msisdn,
          purpose,
          browser,
          isKnown,
          id,
          codeHash: this.#hash(request, id, code),
          sealedCode: this.#messenger.showsCode(msisdn)
            ? this.#box.seal(code, boundTo(msisdn, id))
            : undefined,
        });
        const sends = await selectSends(tx, msisdn);
        const refusal = costs ? await this.#budget.spend(tx, message) : undefined;
        if (refusal !== undefined) throw new NoRoomForCode(refusedBy(refusal));
        return sends;
      })
      .catch((error: unknown) => {
        if (error instanceof NoRoomForCode) return error.refusal;
        throw error;
      });
    if ("kind" in verdict) return verdict;

    const isCertain = await this.#deliver(msisdn, id, request.text(code));
    const { sendsLeft, resendInSeconds } = judgeSends(verdict, asker);
    return {
      kind: "sent",
      codeId: id,
      expiresAt: expiryOf(verdict.find((row) => row.id === id)?.sent_at ?? new Date()),
      isCertain,
      sendsLeft,
      resendInSeconds,
      code: this.#messenger.showsCode(msisdn) ? code : undefined,
    };
  }

  /** Whether this is the code. The try is spent, on disk, before anything is compared. */
  async check(request: CodeKey & { readonly code: string }): Promise<CodeCheck> {
    const check = await this.#compare(request);
    this.#outcomes.add({ kind: kindOf(request.purpose), outcome: check.kind });
    return check;
  }

  async #compare(request: CodeKey & { readonly code: string }): Promise<CodeCheck> {
    const { msisdn, purpose } = request;
    const spent = await spendTry(this.#database, request);
    if (spent === undefined) return this.#whyNot(request);
    if (timingSafeEqual(this.#hash(request, spent.id, request.code), spent.code_hash)) {
      await markRight(this.#database, msisdn, spent.id);
      return { kind: "right", codeId: spent.id };
    }
    const triesLeft = codeTriesMax - spent.tries;
    this.#logger.warn(
      { kind: kindOf(purpose), to: maskMsisdn(msisdn), phone: this.#tagOf(msisdn), triesLeft },
      "a wrong code was typed",
    );
    return { kind: "wrong", triesLeft };
  }

  /**
   * Uses a right code up, inside the transaction of what it permits: both happen, once, or neither. False
   * when it was used, replaced or too old by then. From then on the phone knows this browser.
   */
  async use(tx: Tx, code: UsedCode): Promise<boolean> {
    if (!(await markUsed(tx, code))) return false;
    await noteKnownBrowser(tx, code.msisdn, code.browser);
    return true;
  }

  /** The code this browser had sent last and has not used, so that a page can be opened again. */
  async current(key: CodeKey): Promise<CurrentCode | undefined> {
    const { msisdn, purpose, browser } = key;
    const sends = await selectSends(this.#database, msisdn);
    const newest = newestOf(sends, key);
    if (newest === undefined || newest.is_used) return undefined;
    const isKnown = await isKnownBrowser(this.#database, msisdn, browser);
    const { sendsLeft, resendInSeconds } = judgeSends(sends, { purpose, browser, isKnown });
    return {
      codeId: newest.id,
      state: stateOf(newest),
      sentAt: newest.sent_at,
      expiresAt: expiryOf(newest.sent_at),
      triesLeft: codeTriesMax - newest.tries,
      sendsLeft,
      resendInSeconds,
      // Sealed by a node without a gateway; one that has a gateway shows no code that it would send.
      code:
        newest.sealed_code === null || !this.#messenger.showsCode(msisdn)
          ? undefined
          : this.#box.open(newest.sealed_code, boundTo(msisdn, newest.id)),
    };
  }

  /** False when it may have arrived or not. */
  async #deliver(msisdn: string, id: string, text: string): Promise<boolean> {
    try {
      await this.#messenger.send({ msisdn, text });
      return true;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code === "message_outcome_unknown") return false;
      if (error.code === "message_not_sent") await deleteCode(this.#database, msisdn, id);
      throw error;
    }
  }

  async #whyNot(key: CodeKey): Promise<CodeCheck> {
    const newest = newestOf(await selectSends(this.#database, key.msisdn), key);
    if (newest === undefined || newest.is_used) return { kind: "none" };
    return stateOf(newest) === "expired" ? { kind: "expired" } : { kind: "wrong", triesLeft: 0 };
  }

  /** A name for a phone in the log, by which its lines are found together and the phone is not. */
  #tagOf(msisdn: string): string {
    return createHmac("sha256", this.#hashKey).update(`log ${msisdn}`).digest("hex").slice(0, 12);
  }

  /** The hash of a code, bound to phone, purpose and send: copied to another row it matches no code there. */
  #hash({ msisdn, purpose }: Omit<CodeKey, "browser">, id: string, code: string): Buffer {
    return createHmac("sha256", this.#hashKey)
      .update(JSON.stringify([msisdn, purpose, id, code]))
      .digest();
  }
}

/** What is older than an hour is over, and only its wrong tries are still there. */
function newestOf(sends: readonly SendRow[], key: CodeKey): SendRow | undefined {
  return sends.find(
    (send) =>
      send.purpose === key.purpose && send.age_seconds < codeSendsWindowSeconds && isOwn(send, key),
  );
}

/** Only the limit of the phone is the person's own business; the others are told as one. */
function refusedBy({ scope, retryInSeconds }: BudgetRefusal): CodeRefused {
  const limit = scope === "phone" || scope === "abroad" ? scope : "busy";
  return { kind: "refused", limit, retryInSeconds };
}

function stateOf(send: SendRow): CurrentCode["state"] {
  if (send.age_seconds >= codeLifetimeSeconds) return "expired";
  return send.tries >= codeTriesMax ? "exhausted" : "good";
}

function expiryOf(sentAt: Date): Date {
  return new Date(sentAt.getTime() + codeLifetimeSeconds * 1_000);
}

function boundTo(msisdn: string, id: string): string {
  return `one-time code ${msisdn} ${id}`;
}
