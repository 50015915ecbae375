import { awayNodesOf } from "../database/away-nodes.ts";
import type { Database } from "../database/database.ts";
import { DatabaseUnavailable } from "../database/errors.ts";
import type { Signals } from "../database/signals.ts";
import { toPublicId } from "../kernel/ids.ts";
import { Remembered } from "../kernel/remembered.ts";
import { accessTokenShape } from "./access-token.ts";
import { type Company, companyIdPrefix } from "./company.ts";
import type { PresentedToken } from "./connection-tokens.ts";
import { accessTokenChannel, keyIdPrefix } from "./credentials.ts";
import { selectTokenCompany } from "./credentials-store.ts";
import { selectCompany } from "./store.ts";

const rememberedMs = 30_000;
const rememberedMax = 10_000;
const strangersToo = () => true;

/** Whom a token speaks for, and the key it belongs to. */
export interface TokenHolder {
  readonly company: Company;
  readonly keyId: string;
  /** Both as the log names them. */
  readonly caller: { readonly companyId: string; readonly keyId: string };
}

/** As this node remembers it. */
export interface GoodToken extends TokenHolder {
  /** By the process's steady clock; infinity for a key without an end. */
  readonly endsAtMs: number;
  readonly rememberedUntilMs: number;
  /** How often everything had been forgotten when it was looked up. */
  readonly generation: number;
}

/**
 * Bearer token → company and key. Good tokens are remembered for half a minute, but only while this node is told of
 * revocations and freezes: with the listening connection down or silent, every request asks the database, and when it is
 * up again nothing is remembered from before.
 */
export class Authenticator {
  readonly #database: Database;
  readonly #signals: Signals;
  readonly #tokens = new Remembered<GoodToken | undefined>(rememberedMax, rememberedMs);

  /** Tokens that were good once on this node, in that order: they are worth a question, whoever else fails. */
  readonly #familiar = new Set<string>();

  #generation = 0;

  readonly #onFound: (companyId: string, keyId: string) => void;

  /** `onFound` is told of a token that was looked up and is good: once in half a minute for one that is in use. */
  constructor(
    database: Database,
    signals: Signals,
    onFound: (companyId: string, keyId: string) => void = () => {},
  ) {
    this.#database = database;
    this.#signals = signals;
    this.#onFound = onFound;
    const forget = () => this.#forgetAll();
    signals.on(accessTokenChannel, forget);
    signals.onListening(forget);
  }

  /** The holder of a token that is remembered, as nearly every request's is. Undefined: `findHolder` tells. */
  recall({ hash }: PresentedToken): GoodToken | undefined {
    const nowMs = performance.now();
    if (!this.#signals.isListeningAt(nowMs)) return undefined;
    const token = this.#tokens.peek(hash);
    return token !== undefined && token.endsAtMs > nowMs ? token : undefined;
  }

  /** Whether a token would be recalled as it was, told without looking it up. */
  isStillGood({ endsAtMs, rememberedUntilMs, generation }: GoodToken): boolean {
    const nowMs = performance.now();
    const isRemembered = generation === this.#generation && rememberedUntilMs > nowMs;
    return isRemembered && endsAtMs > nowMs && this.#signals.isListeningAt(nowMs);
  }

  #forgetAll(): void {
    this.#generation += 1;
    this.#tokens.forgetAll();
  }

  /** A token that this node has never seen good is looked up only if `mayAsk` says so. */
  async findHolder(
    { token: text, hash: key }: PresentedToken,
    mayAsk = strangersToo,
  ): Promise<TokenHolder | undefined> {
    if (!accessTokenShape.test(text)) return undefined;
    if (!this.#familiar.has(key) && !mayAsk()) return undefined;
    if (!this.#signals.isListening) this.#forgetAll();
    const token = await (this.#signals.isListening
      ? this.#tokens.get(key, () => this.#look(key))
      : this.#look(key));
    if (token === undefined || token.endsAtMs <= performance.now()) return undefined;
    this.#familiarize(key);
    return token;
  }

  #familiarize(key: string): void {
    if (this.#familiar.has(key)) return;
    const [first] = this.#familiar;
    if (this.#familiar.size >= rememberedMax && first !== undefined) this.#familiar.delete(first);
    this.#familiar.add(key);
  }

  /** Its rows are on a node that does not answer: whoever asked for them would wait in vain. */
  isAway(companyId: string): boolean {
    return awayNodesOf(this.#database).concerns(companyId);
  }

  async #look(key: string): Promise<GoodToken | undefined> {
    const generation = this.#generation;
    const rememberedUntilMs = performance.now() + rememberedMs;
    const found = await selectTokenCompany(this.#database, Buffer.from(key, "hex"));
    if (found !== undefined && this.isAway(found.company_id)) throw new DatabaseUnavailable();
    const company = found && (await selectCompany(this.#database, found.company_id));
    if (found === undefined || company === undefined) return undefined;
    this.#onFound(company.id, found.key_id);
    return {
      company,
      keyId: found.key_id,
      caller: {
        companyId: toPublicId(companyIdPrefix, company.id),
        keyId: toPublicId(keyIdPrefix, found.key_id),
      },
      endsAtMs: performance.now() + (found.ends_in_ms ?? Infinity),
      rememberedUntilMs,
      generation,
    };
  }
}
