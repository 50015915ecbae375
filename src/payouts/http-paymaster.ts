import { setTimeout as sleep } from "node:timers/promises";
import { countryDefault, findCountry, isTimeZone } from "../kernel/countries.ts";
import { toDigits } from "../kernel/msisdn.ts";
import { askService } from "./ask-service.ts";
import { NotTheService, ServiceRefused, ServiceUnreachable } from "./errors.ts";
import type { Acceptance, Account, Paymaster, Recipient, SentPayout } from "./paymaster.ts";
import type { Payout } from "./payout.ts";

export interface HttpPaymasterOptions {
  readonly url: string;
  readonly token: string;
  /** Whose the token is known to be: the service refuses it for any other. */
  readonly companyId?: string | undefined;
  /** Told why it takes longer. */
  readonly onWait?: (why: string) => void;
}

interface Reply {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of a service whose document says what it holds.
  readonly body: any;
}

/** Between tries, when the service does not say how long. */
const pausesMs = [500, 1_000, 2_000, 5_000, 10_000, 20_000] as const;
/** Of one request, from the first try on. */
const patienceMs = 10 * 60_000;
/** Whoever is told to wait longer than this is told so, instead of waiting in silence. */
const askedWaitMaxMs = 3 * 60_000;

/** The service over HTTP, with a company's token. It waits and asks again where that is safe, and it always is here. */
export class HttpPaymaster implements Paymaster {
  readonly #options: HttpPaymasterOptions;

  constructor(options: HttpPaymasterOptions) {
    this.#options = options;
  }

  async account(): Promise<Account> {
    const { body } = await this.#ask("GET", "/v1/company");
    if (typeof body?.transferFee?.rate !== "number") throw new NotTheService(this.#options.url);
    const country = findCountry(body.country) ?? countryDefault;
    const { rate, flat, min, max } = body.transferFee;
    return {
      companyId: body.id,
      name: body.name,
      country,
      timeZone: isTimeZone(body.timeZone) ? body.timeZone : country.timeZone,
      transferAmount: body.transferAmount,
      transferFee: { ratePpm: Math.round(rate * 1_000_000), flat, min, max },
    };
  }

  async balance(): Promise<number> {
    return (await this.#ask("GET", "/v1/balance")).body.balance;
  }

  async check(msisdns: readonly string[]): Promise<readonly Recipient[]> {
    return (await this.#ask("POST", "/v1/customers/check", { msisdns })).body.data;
  }

  async find(references: readonly string[]): Promise<readonly SentPayout[]> {
    const { body } = await this.#ask("POST", "/v1/transactions/lookup", { references });
    return (body.data as SentPayout[]).map((sent) => ({
      id: sent.id,
      reference: sent.reference,
      msisdn: toDigits(sent.msisdn),
      amount: sent.amount,
      fee: sent.fee,
      status: sent.status,
      failureReason: sent.failureReason,
      createdAt: sent.createdAt,
      updatedAt: sent.updatedAt,
    }));
  }

  async send(key: string, payouts: readonly Payout[]): Promise<Acceptance> {
    const transactions = payouts.map(({ amount, msisdn, reference, description }) => ({
      amount,
      msisdn,
      reference,
      ...(description === null ? {} : { description }),
    }));
    const expected = [402, 409];
    const path = "/v1/transactions/batch";
    const { status } = await this.#ask("POST", path, { transactions }, { key, expected });
    if (status === 402) return "insufficient_funds";
    return status === 409 ? "references_used" : "accepted";
  }

  /** Repeats until there is an answer that means something. Everything above may be repeated. */
  async #ask(
    method: string,
    path: string,
    body?: unknown,
    { key, expected = [] }: { readonly key?: string; readonly expected?: readonly number[] } = {},
  ): Promise<Reply> {
    const { url, token, companyId, onWait } = this.#options;
    const endMs = performance.now() + patienceMs;
    for (let tries = 0; ; tries += 1) {
      let why: string;
      let askedMs: number | undefined;
      try {
        const answer = await askService(url + path, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(companyId === undefined ? {} : { "x-company-id": companyId }),
            ...(body === undefined ? {} : { "content-type": "application/json" }),
            ...(key === undefined ? {} : { "idempotency-key": key }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const { status } = answer;
        const reply = { status, body: parse(answer.text) };
        const isGood = status >= 200 && status < 300;
        if (isGood || expected.includes(status)) return reply;
        const { code, message } = reply.body ?? {};
        if (code === undefined && status < 500) throw new NotTheService(url);
        const refusal = new ServiceRefused(status, String(code), String(message));
        if (status !== 429 && status < 500) throw refusal;
        askedMs = retryAfterMs(answer.retryAfter);
        if (askedMs !== undefined && askedMs > askedWaitMaxMs) throw refusal;
        why = `${status} ${String(code)}`;
      } catch (error) {
        if (error instanceof ServiceRefused || error instanceof NotTheService) throw error;
        why = describe(error);
      }
      const pauseMs = askedMs ?? pausesMs[Math.min(tries, pausesMs.length - 1)] ?? 0;
      if (performance.now() + pauseMs > endMs) throw new ServiceUnreachable(url, why);
      onWait?.(`${why}: asking again in ${Math.ceil(pauseMs / 1_000)} s`);
      await sleep(pauseMs);
    }
  }
}

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function retryAfterMs(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined;
}

/** A name that leads to several addresses fails with one error for each, and no message of its own. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return first instanceof Error && first.message !== "" ? first.message : error.message;
}
