import type { Logger } from "pino";
import type { Database } from "../database/database.ts";
import type { Sender } from "./attempt.ts";
import { type NewAddress, noteTest, takeTests } from "./dispatch-store.ts";
import { askAddress } from "./send-test.ts";

export interface AddressTestsOptions {
  readonly sender: Sender;
  readonly database: Database;
  readonly logger: Logger;
  readonly companyId: string;
  /** Lets nothing else of the company's deliveries run at the same time. */
  readonly exclusively: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Called when a test is over, so that what waits for its address may go. */
  readonly onOver: () => void;
}

/**
 * The test events of one company that are under way: one for each new address, signed like a notification. An address
 * that answers 2xx is proved, and what waits for it follows at once. One that does not is tried with what there is to
 * tell, a few requests a minute: a receiver that refuses what it does not know proves itself by its first notification.
 */
export class AddressTests {
  readonly #options: AddressTestsOptions;
  /** From when they are taken until it is written down what came of them. */
  readonly #underWay = new Set<string>();
  #sending = 0;

  constructor(options: AddressTestsOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#underWay.size === 0;
  }

  get isSending(): boolean {
    return this.#sending > 0;
  }

  /** Whether the answer of this endpoint is awaited. */
  has(endpointId: string): boolean {
    return this.#underWay.has(endpointId);
  }

  /** Takes and sends those that are due. */
  async start(): Promise<void> {
    const { database, companyId } = this.#options;
    for (const address of await takeTests(database, companyId)) {
      this.#underWay.add(address.endpoint_id);
      void this.#test(address);
    }
  }

  async #test(address: NewAddress): Promise<void> {
    const { sender, database, logger, companyId, exclusively, onOver } = this.#options;
    this.#sending += 1;
    const { webhook_id: webhookId, url } = address;
    const outcome = await askAddress(sender, companyId, { webhookId, url }).catch(
      (error: unknown) => {
        logger.warn({ err: error, companyId }, "an address could not be sent its test event");
        return { statusCode: null, error: "The test event could not be made." };
      },
    );
    this.#sending -= 1;
    // A turn that has looked at the addresses before the answer still finds this one awaited.
    await exclusively(() => noteTest(database, companyId, address.endpoint_id, outcome)).catch(
      (error: unknown) =>
        logger.warn({ err: error, companyId }, "the answer to a test event could not be written"),
    );
    this.#underWay.delete(address.endpoint_id);
    onOver();
  }
}
