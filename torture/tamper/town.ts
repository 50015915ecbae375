import { pino } from "pino";
import { type RunningParts, startParts } from "../../src/app.ts";
import { createCompany } from "../../src/companies/create-company.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { Database } from "../../src/database/database.ts";
import { Signals } from "../../src/database/signals.ts";
import { sql } from "../../src/database/sql.ts";
import type { SecretBox } from "../../src/kernel/secret-box.ts";
import { sealCompany, waitingCompanies } from "../../src/statements/keep-books.ts";
import { ledgerKeyIn } from "../../src/statements/ledger-key.ts";
import { openSink, type Sink } from "../api/belongings.ts";
import { type DatabaseClock, giveDatabaseClock } from "../clock/database-clock.ts";

export interface TownCompany {
  readonly id: string;
  readonly token: string;
}

/** A service with its database, on a clock that can be set; everything in this process. */
export interface Town {
  readonly url: string;
  readonly databaseUrl: string;
  readonly database: Database;
  readonly signals: Signals;
  readonly box: SecretBox;
  readonly config: Config;
  readonly sink: Sink;
  readonly clock: DatabaseClock;
  makeCompany(name: string): Promise<TownCompany>;
  /** What the worker does within a minute: entries of the trail are chained, days that are over are sealed. */
  keepBooks(): Promise<void>;
}

const silent = pino({ level: "silent" });
const hourMs = 3_600_000;
/** Fees that move every account of the books. */
const price = {
  transferFee: { ratePpm: 10_000, flat: 25, min: 0, max: null },
  chargeFeeRatePpm: 20_000,
};

/** Where a town is entered again: its notifications go where they went before. */
interface Entry {
  readonly start: Date;
  readonly sink: Sink;
}

/** A service begins to work two days ago, or at a moment that is given. It has stopped when the work is done. */
export async function inTown<Result>(
  databaseUrl: string,
  box: SecretBox,
  work: (town: Town) => Promise<Result>,
  entry?: Entry,
): Promise<Result> {
  const closings: (() => Promise<unknown>)[] = [];
  try {
    const start = entry?.start ?? new Date(Date.now() - 50 * hourMs);
    const clock = await giveDatabaseClock(databaseUrl, start);
    closings.unshift(() => clock.close());
    const database = new Database({ url: databaseUrl, poolSize: 10 });
    closings.unshift(() => database.close());
    // The release has been there for longer than the town: what it promises from then on holds for all that happens here.
    await database.execute(sql`
      update schema_functions set applied_at = ${new Date(start.getTime() - 48 * hourMs)}`);
    const signals = new Signals(databaseUrl, database);
    const sink = entry?.sink ?? (await openSink());
    if (entry === undefined) closings.unshift(() => sink.close());
    const config = readConfig({
      PORT: "0",
      LOG_LEVEL: "silent",
      // Callers and service share this process's event loop, so its delay says nothing here.
      EVENT_LOOP_DELAY_MAX_MS: "0",
    });
    const parts = await startParts(config, silent, database, databaseUrl, box);
    closings.unshift(() => stop(parts));
    const url = await parts.app.listen({ host: "127.0.0.1", port: 0 });
    return await work({
      url,
      databaseUrl,
      database,
      signals,
      box,
      config,
      sink,
      clock,
      makeCompany: async (name) => {
        const request = { name, fund: 50_000_000, timeZone: "Africa/Dakar", ...price };
        const { company, key } = await createCompany(database, box, request);
        return { id: company.id, token: key.accessToken };
      },
      keepBooks: () => keepBooks(database, box),
    });
  } finally {
    for (const close of closings) await close();
  }
}

async function stop(parts: RunningParts): Promise<void> {
  await parts.app.close();
  await parts.stop();
}

/** The worker's round, as often as there is something to do. */
export async function keepBooks(database: Database, box: SecretBox): Promise<void> {
  const key = ledgerKeyIn(box);
  const timeZoneOf = async () => "Africa/Dakar";
  await database.query(sql`
    update statement_progress set seal_after = '-infinity' where seal_after <> '-infinity' returning 1`);
  await waitingCompanies({ database, key }, 1_000);
  const companies = await database.query<{ id: string }>(
    sql`select company_id as id from companies`,
  );
  for (const { id } of companies)
    await sealCompany(
      { database, key, timeZoneOf, logger: silent, onEvent: () => {} },
      id,
      () => true,
    );
  // Sealing has entries of its own.
  await waitingCompanies({ database, key }, 1_000);
}
