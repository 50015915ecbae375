import { chargeRequest } from "../charges.ts";

/** What there is when a mistake is made: ids of things, and a key that was used. */
export interface Scene {
  readonly token: string;
  readonly secretKey: string;
  readonly due: string;
  readonly paid: string;
  readonly refunded: string;
  readonly inactive: string;
  /** Of the list of charges. */
  readonly cursor: string;
}

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Instead of the good one; null: none. */
  readonly token?: string | null;
}

export interface Mistake {
  readonly what: string;
  readonly sent: Sent | ((scene: Scene) => Sent);
  readonly status: number;
  readonly code: string;
  /** What the message has to say in English: the thing, and what to do. */
  readonly en: readonly (string | RegExp)[];
  readonly fr: readonly (string | RegExp)[];
}

export const good = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference: "r-1" };
export const post = (path: string, body: unknown, more: Partial<Sent> = {}): Sent => ({
  method: "POST",
  path,
  body,
  ...more,
});
export const transfer = (change: object) => post("/v1/transactions", { ...good, ...change });
export const charge = (change: object) =>
  post("/v1/charges", { ...chargeRequest, externalId: "e-1", ...change });
export const balance = (more: Partial<Sent>): Sent => ({ path: "/v1/balance", ...more });
export const raw = (body: string) => post("/v1/transactions", body);
export const without = (field: string) => transfer({ [field]: undefined });
export const sendAs = "Authorization: Bearer at_…";

export function mistake(
  what: string,
  sent: Mistake["sent"],
  [status, code]: readonly [number, string],
  en: Mistake["en"],
  fr: Mistake["fr"],
): Mistake {
  return { what, sent, status, code, en, fr };
}

export const invalid = [400, "invalid_request"] as const;
export const json = [400, "invalid_json"] as const;
export const unauthenticated = [401, "invalid_token"] as const;
