import { createSecretKey, type KeyObject } from "node:crypto";
import type { Database } from "../database/database.ts";
import type { Signals } from "../database/signals.ts";
import type { SecretBox } from "../kernel/secret-box.ts";
import { accessTokenChannel } from "./credentials.ts";
import { selectSealedSecrets } from "./credentials-store.ts";

const cacheLifetimeMs = 10_000;
const cacheEntriesMax = 10_000;

/**
 * The secrets a company's notifications are signed with now, newest first: more than one while a rotation
 * overlaps. Opened secrets are kept for a few seconds, and forgotten at once when any key changes.
 */
export class SigningSecrets {
  readonly #database: Database;
  readonly #box: SecretBox;
  readonly #entries = new Map<
    string,
    { readonly secrets: Promise<readonly KeyObject[]>; readonly goodUntilMs: number }
  >();

  constructor(database: Database, signals: Signals, box: SecretBox) {
    this.#database = database;
    this.#box = box;
    const forget = () => this.#entries.clear();
    signals.on(accessTokenChannel, forget);
    signals.onListening(forget);
  }

  of(companyId: string): Promise<readonly KeyObject[]> {
    const cached = this.#entries.get(companyId);
    if (cached !== undefined && cached.goodUntilMs > performance.now()) return cached.secrets;
    const secrets = this.#read(companyId);
    if (this.#entries.size >= cacheEntriesMax) this.#entries.clear();
    this.#entries.set(companyId, { secrets, goodUntilMs: performance.now() + cacheLifetimeMs });
    secrets.catch(() => this.#entries.delete(companyId));
    return secrets;
  }

  async #read(companyId: string): Promise<readonly KeyObject[]> {
    const sealed = await selectSealedSecrets(this.#database, companyId);
    if (sealed.length === 0)
      throw new Error("the company has no secret key to sign with; rotate its key");
    return sealed.map((secret) => createSecretKey(Buffer.from(this.#box.open(secret, companyId))));
  }
}
