import { createHmac, randomInt, randomUUID, timingSafeEqual } from "node:crypto";
import type { Database, Tx } from "../database/database.ts";
import { DomainError } from "../kernel/domain-error.ts";
import type { SecretBox } from "../kernel/secret-box.ts";
import { judgeSends } from "./code-limits.ts";
import {
  type CodeCheck,
  type CodeKey,
  type CodeRefused,
  type CodeSent,
  type CurrentCode,
  codeLifetimeSeconds,
  codeTriesMax,
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
} from "./one-time-codes-store.ts";

export interface OneTimeCodesOptions {
  readonly database: Database;
  readonly box: SecretBox;
  /**
   * Who carries codes to phones; handed in, because messages are another folder. An error with the code
   * `message_not_sent` says that nothing will arrive, `message_outcome_unknown` that it may.
   */
  readonly messenger: {
    showsCode(msisdn: string): boolean;
    send(message: { readonly msisdn: string; readonly text: string }): Promise<void>;
  };
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
  readonly #hashKey: Buffer;

  constructor({ database, box, messenger }: OneTimeCodesOptions) {
    this.#database = database;
    this.#box = box;
    this.#messenger = messenger;
    this.#hashKey = box.deriveKey("one-time code");
  }

  /**
   * Sends a new code, which makes the older ones of this purpose useless. It counts from before it is
   * sent, so that a crash in between cannot be used to send more. Throws what the messenger throws when the
   * message was certainly not sent; then it does not count, and the code before it is good again.
   */
  async send(
    request: CodeKey & { readonly text: (code: string) => string },
  ): Promise<CodeSent | CodeRefused> {
    const { msisdn, purpose } = request;
    const code = randomInt(0, 1_000_000).toString().padStart(6, "0");
    const id = randomUUID();
    const verdict = await this.#database.transaction(async (tx) => {
      await lockRecipient(tx, msisdn);
      const before = judgeSends(await selectSends(tx, msisdn), purpose);
      if (before.refusal !== undefined) return before.refusal;
      await insertCode(tx, {
        msisdn,
        purpose,
        id,
        codeHash: this.#hash(request, id, code),
        sealedCode: this.#messenger.showsCode(msisdn)
          ? this.#box.seal(code, boundTo(msisdn, id))
          : undefined,
      });
      return selectSends(tx, msisdn);
    });
    if ("kind" in verdict) return verdict;

    const isCertain = await this.#deliver(msisdn, id, request.text(code));
    const { sendsLeft, resendInSeconds } = judgeSends(verdict, purpose);
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
    const { msisdn } = request;
    const spent = await spendTry(this.#database, request);
    if (spent === undefined) return this.#whyNot(request);
    if (!timingSafeEqual(this.#hash(request, spent.id, request.code), spent.code_hash))
      return { kind: "wrong", triesLeft: codeTriesMax - spent.tries };
    await markRight(this.#database, msisdn, spent.id);
    return { kind: "right", codeId: spent.id };
  }

  /**
   * Uses a right code up, inside the transaction of what it permits: both happen, once, or neither. False
   * when it was used, replaced or too old by then.
   */
  use(tx: Tx, code: { readonly msisdn: string; readonly codeId: string }): Promise<boolean> {
    return markUsed(tx, code.msisdn, code.codeId);
  }

  /** The code this person was sent last and has not used, so that a page can be opened again. */
  async current({ msisdn, purpose }: CodeKey): Promise<CurrentCode | undefined> {
    const sends = await selectSends(this.#database, msisdn);
    const newest = sends.find((send) => send.purpose === purpose);
    if (newest === undefined || newest.is_used) return undefined;
    const { sendsLeft, resendInSeconds } = judgeSends(sends, purpose);
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

  async #whyNot({ msisdn, purpose }: CodeKey): Promise<CodeCheck> {
    const sends = await selectSends(this.#database, msisdn);
    const newest = sends.find((send) => send.purpose === purpose);
    if (newest === undefined || newest.is_used) return { kind: "none" };
    return stateOf(newest) === "expired" ? { kind: "expired" } : { kind: "wrong", triesLeft: 0 };
  }

  /** The hash of a code, bound to phone, purpose and send: copied to another row it matches no code there. */
  #hash({ msisdn, purpose }: CodeKey, id: string, code: string): Buffer {
    return createHmac("sha256", this.#hashKey)
      .update(JSON.stringify([msisdn, purpose, id, code]))
      .digest();
  }
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
