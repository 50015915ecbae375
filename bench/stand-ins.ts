import { ChargeLanes } from "../src/charges/submission-lanes.ts";
import { Database } from "../src/database/database.ts";
import type { Query } from "../src/database/sql.ts";
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

/** The same for charges. */
export class NoDatabaseForCharges extends ChargeLanes {
  constructor(database: Database) {
    super(database, 3_600, unusedSizes());
  }

  override submit(): Promise<null> {
    return Promise.resolve(null);
  }
}

/** Asks the database once and answers from memory ever after. */
export class Remembering extends Database {
  readonly #answers = new Map<string, unknown>();

  override async query<Row extends object>(query: Query): Promise<Row[]> {
    const key = JSON.stringify([query.text, query.values]);
    const known = this.#answers.get(key) as Row[] | undefined;
    if (known !== undefined) return known;
    const rows = await super.query<Row>(query);
    this.#answers.set(key, rows);
    return rows;
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
