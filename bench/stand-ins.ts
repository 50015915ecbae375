import type { Database } from "../src/database/database.ts";
import { Metrics } from "../src/kernel/metrics.ts";
import { SubmissionLanes, type Verdict } from "../src/transfers/submission-lanes.ts";
import type { Submission } from "../src/transfers/submit-store.ts";
import { insertTransferTheTextbookWay } from "./textbook.ts";

// The routes of the service run unchanged on these: what differs is only what happens to a transfer
// that was read, validated and turned into its answer.

const unusedSizes = () => new Metrics().histogram("unused", "unused", []);

/** Says yes to everything and asks no database. */
export class NoDatabase extends SubmissionLanes {
  constructor(database: Database) {
    super(database, unusedSizes(), () => {});
  }

  override submit(): Promise<Verdict> {
    return Promise.resolve(null);
  }
}

/** One database transaction per request, as a textbook has it. */
export class Textbook extends SubmissionLanes {
  readonly #database: Database;

  constructor(database: Database) {
    super(database, unusedSizes(), () => {});
    this.#database = database;
  }

  override async submit(companyId: string, { transfer }: Submission): Promise<Verdict> {
    await this.#database.transaction((tx) => insertTransferTheTextbookWay(tx, companyId, transfer));
    return null;
  }
}
