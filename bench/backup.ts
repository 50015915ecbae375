import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditChecks } from "../src/audit-checks.ts";
import { backUp } from "../src/backup/back-up.ts";
import { checkArchive, restoreInto } from "../src/backup/restore.ts";
import { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { newNonce } from "../src/kernel/ordered-id.ts";
import { audit } from "../src/ledger/audit.ts";
import { settle } from "../src/transfers/settle-store.ts";
import { submitTransfers } from "../src/transfers/submit-store.ts";
import { type Book, startPostgres } from "./postgres.ts";

/** How fast a database of settled transfers is backed up and restored, and how large it gets: `node dist/bench/backup.js 100000`. */
const transfers = Number(process.argv[2] ?? 100_000);
const setSize = 500;

const folder = await mkdtemp(join(tmpdir(), "cauri-bench-backup-"));
const postgres = await startPostgres(false);
try {
  const book = await postgres.makeBook("live");
  await sendAndSettle(book, transfers);
  const path = join(folder, "backup");
  const backup = await timed(() =>
    backUp(book.database, { path, environment: "staging", tell: () => {} }),
  );
  const { header, sums, bytes } = backup.result;
  const rows = sums.reduce((sum, table) => sum + table.rows, 0);
  const textBytes = sums.reduce((sum, table) => sum + table.bytes, 0);
  say("backup", `${rows} rows of ${header.tables.length} tables, ${perSecond(rows, backup)}`);
  say(
    "archive",
    `${mb(bytes)}, ${Math.round(bytes / transfers)} bytes a transfer (text: ${mb(textBytes)})`,
  );

  const check = await timed(() => checkArchive(path, "staging", () => {}));
  say("check", perSecond(rows, check));
  const there = await emptyDatabase(book);
  const restore = await timed(() => restoreInto(there, check.result, () => {}));
  say("restore", perSecond(restore.result.rows, restore));
  const audited = await timed(() => audit(there, auditChecks));
  const isClean = audited.result.every(({ differences }) => differences.length === 0);
  say("audit", `${audited.seconds.toFixed(1)} s, ${isClean ? "in order" : "NOT IN ORDER"}`);
  say("memory", `at most ${Math.round(process.resourceUsage().maxRSS / 1_024)} MB`);
  await there.close();
  await book.close();
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true });
}

async function sendAndSettle({ database, companyId }: Book, count: number): Promise<void> {
  const rest = { amount: 5_000, fee: 0, description: "Salary", metadata: null, subCompanyId: null };
  const most = Number.MAX_SAFE_INTEGER;
  const policy = { walletMax: { complete: most, otherwise: most }, testMsisdns: undefined };
  for (let first = 0; first < count; first += setSize) {
    const submissions = Array.from({ length: Math.min(setSize, count - first) }, (_, index) => {
      const number = first + index;
      const msisdn = `2250710${String(number % 5_000).padStart(6, "0")}`;
      const transfer = { ...rest, msisdn, reference: `salary of person ${number}` };
      return { transfer, key: undefined, priceNumber: 1 };
    });
    await submitTransfers(database, companyId, newNonce(), submissions);
    await settle(database, policy, { companyId, limit: setSize });
  }
}

async function emptyDatabase(book: Book): Promise<Database> {
  await book.database.query(sql`create database restored template template0`);
  const url = new URL(book.url);
  url.pathname = "/restored";
  return new Database({ url: url.href, poolSize: 2 });
}

interface Timed<Result> {
  readonly result: Result;
  readonly seconds: number;
}

async function timed<Result>(work: () => Promise<Result>): Promise<Timed<Result>> {
  const startedMs = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - startedMs) / 1_000 };
}

function perSecond(rows: number, { seconds }: Timed<unknown>): string {
  return `${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows a second`;
}

function mb(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function say(what: string, text: string): void {
  process.stdout.write(`${what.padEnd(8)} ${text}\n`);
}
