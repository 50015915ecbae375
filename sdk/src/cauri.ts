import type { GetBalanceAnswer, GetCompanyAnswer, GetLedgerKeysAnswer } from "./api.ts";
import { type RawAnswer, type RawOptions, readRaw, toRawCall } from "./raw.ts";
import { Batches } from "./resources/batches.ts";
import { Charges } from "./resources/charges.ts";
import { Customers } from "./resources/customers.ts";
import { StatementResource } from "./resources/statement.ts";
import { SubCompanies } from "./resources/sub-companies.ts";
import { Transfers } from "./resources/transfers.ts";
import { Webhooks } from "./resources/webhooks.ts";
import { type Method, Sender } from "./sender.ts";
import { type CallOptions, type CauriOptions, readSettings } from "./settings.ts";

/** A company's way to its account: `new Cauri({ url, token })`. */
export class Cauri {
  readonly #sender: Sender;
  readonly transfers: Transfers;
  readonly batches: Batches;
  readonly charges: Charges;
  readonly customers: Customers;
  readonly subCompanies: SubCompanies;
  readonly statement: StatementResource;
  readonly webhooks: Webhooks;

  constructor(options: CauriOptions) {
    const sender = new Sender(readSettings(options));
    this.#sender = sender;
    this.transfers = new Transfers(sender);
    this.batches = new Batches(sender);
    this.charges = new Charges(sender);
    this.customers = new Customers(sender);
    this.subCompanies = new SubCompanies(sender);
    this.statement = new StatementResource(sender);
    this.webhooks = new Webhooks(sender);
  }

  /** What can be spent now. */
  balance(options?: CallOptions): Promise<GetBalanceAnswer> {
    return this.#sender.get("/v1/balance", options, {}, "balance");
  }

  /** The account, its limits and its fees. */
  company(options?: CallOptions): Promise<GetCompanyAnswer> {
    return this.#sender.get("/v1/company", options);
  }

  /** The operator's public keys, which seals are signed with. */
  ledgerKeys(options?: CallOptions): Promise<GetLedgerKeysAnswer> {
    return this.#sender.get("/.well-known/cauri-ledger.json", options, {}, "keys");
  }

  /**
   * Asks anything of the API, also what this package has no method for. A POST is repeated only if you give it an
   * `idempotencyKey`; without one, an answer that is lost is an OutcomeUnknownError.
   */
  async request(method: Method, path: string, options: RawOptions = {}): Promise<RawAnswer> {
    return this.#sender.send(toRawCall(method, path, options), readRaw);
  }
}
