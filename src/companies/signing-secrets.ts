import { createSecretKey, type KeyObject } from "node:crypto";
import type { Database } from "../database/database.ts";
import type { Signals } from "../database/signals.ts";
import { Remembered } from "../kernel/remembered.ts";
import type { SecretBox } from "../kernel/secret-box.ts";
import { accessTokenChannel } from "./credentials.ts";
import { selectSealedSecrets } from "./credentials-store.ts";
import { NoSigningKey } from "./errors.ts";

const rememberedMs = 10_000;
const rememberedMax = 10_000;

/**
 * The secrets a company's notifications are signed with now, the one first that signs alone where there is room for one
 * signature: more than one while a rotation overlaps, or where a company has several keys. Opened secrets are kept for a
 * few seconds, and forgotten at once when any key changes.
 */
export class SigningSecrets {
  readonly #database: Database;
  readonly #reread: () => Promise<SecretBox | undefined>;
  #box: SecretBox;
  readonly #secrets = new Remembered<readonly KeyObject[]>(rememberedMax, rememberedMs);

  /** `reread` reads the master keys again: those of a file may have become others meanwhile. */
  constructor(
    database: Database,
    signals: Signals,
    box: SecretBox,
    reread: () => Promise<SecretBox | undefined> = async () => undefined,
  ) {
    this.#database = database;
    this.#box = box;
    this.#reread = reread;
    const forget = () => this.#secrets.forgetAll();
    signals.on(accessTokenChannel, forget);
    signals.onListening(forget);
  }

  /** Throws NoSigningKey. */
  of(companyId: string): Promise<readonly KeyObject[]> {
    return this.#secrets.get(companyId, () => this.#read(companyId));
  }

  async #read(companyId: string): Promise<readonly KeyObject[]> {
    const sealed = await selectSealedSecrets(this.#database, companyId);
    if (sealed.length === 0) throw new NoSigningKey();
    try {
      return this.#open(sealed, companyId);
    } catch (error) {
      const box = await this.#reread();
      if (box === undefined) throw error;
      this.#box = box;
      return this.#open(sealed, companyId);
    }
  }

  #open(sealed: readonly Buffer[], companyId: string): readonly KeyObject[] {
    return sealed.map((secret) => createSecretKey(Buffer.from(this.#box.open(secret, companyId))));
  }
}
