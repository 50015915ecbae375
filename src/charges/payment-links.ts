import { createHmac, timingSafeEqual } from "node:crypto";
import { toUuid } from "../kernel/ids.ts";

/** What a payment link leads to. A charge is never looked up without its company. */
export interface LinkTarget {
  readonly companyId: string;
  readonly chargeId: string;
}

const uuidBytes = 16;
const markBytes = 16;
const tokenBytes = 2 * uuidBytes + markBytes;

/**
 * The address of a charge's payment page. Its token is company, charge and a mark that only the holder of
 * the key can make: nothing is stored, so a link can be shown again on every read, and a copy of the
 * database opens no page. See docs/decisions/0050-payment-link-token.md.
 */
export class PaymentLinks {
  readonly #key: Buffer;
  readonly #prefix: string;

  constructor(key: Buffer, publicUrl: string) {
    this.#key = key;
    this.#prefix = `${publicUrl}/pay/`;
  }

  tokenOf(companyId: string, chargeId: string): string {
    const target = Buffer.from((companyId + chargeId).replaceAll("-", ""), "hex");
    return Buffer.concat([target, this.#markOf(target)]).toString("base64url");
  }

  urlOf(companyId: string, chargeId: string): string {
    return this.#prefix + this.tokenOf(companyId, chargeId);
  }

  /** Undefined for everything that is not a link of ours, whatever is wrong with it. */
  parse(token: string): LinkTarget | undefined {
    const bytes = Buffer.from(token, "base64url");
    if (bytes.length !== tokenBytes || bytes.toString("base64url") !== token) return undefined;
    const target = bytes.subarray(0, 2 * uuidBytes);
    if (!timingSafeEqual(bytes.subarray(2 * uuidBytes), this.#markOf(target))) return undefined;
    return {
      companyId: toUuid(target.toString("hex", 0, uuidBytes)),
      chargeId: toUuid(target.toString("hex", uuidBytes)),
    };
  }

  #markOf(target: Buffer): Buffer {
    return createHmac("sha256", this.#key).update(target).digest().subarray(0, markBytes);
  }
}
