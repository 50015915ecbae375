import { auditChecks } from "../src/audit-checks.ts";
import { type EndedRun, runAudit } from "../src/audits/run-audit.ts";
import { isClean } from "../src/ledger/audit.ts";
import { openLedgerKey } from "../src/statements/ledger-key.ts";
import { extendTotals } from "../src/statements/totals.ts";
import { batchRows, callOnce, connect } from "./batches.ts";
import { fillBooks, spread, transfersOf } from "./fill-books.ts";
import { settleOnce } from "./growth-acts.ts";
import { benchBox } from "./keys.ts";
import type { Plan } from "./options.ts";
import type { Book, Postgres } from "./postgres.ts";
import { type Finding, rounded, whole } from "./report.ts";
import { transferOf } from "./requests.ts";

const daysBefore = 30;
const secondsMax = 60;

/** Part audit: one new day behind years of transfers, by an audit that continues, against an audit of everything. */
export async function auditOneDay(
  postgres: Postgres,
  plan: Plan,
  say: (line: string) => void,
): Promise<Finding[]> {
  const book = await postgres.makeBook("audited");
  try {
    const history = spread(plan.grownTransfers, daysBefore);
    await fillBooks(book, history, () => {});
    say(`filled with ${whole(transfersOf(history))} transfers; auditing all of them`);
    const full = await timedAudit(book, true);
    say(`everything: ${whole(full.seconds)} s; a new day comes`);
    await addDay(book, plan.dayTransfers);
    const since = await timedAudit(book, false);
    if (since.run.continuedFrom === undefined) throw new Error("the audit did not continue");
    return [
      {
        id: "q",
        what: `(audit) ${whole(plan.dayTransfers)} new transfers, behind ${whole(transfersOf(history))}`,
        measured: `${rounded(since.seconds, 1)} s`,
        against: `everything: ${rounded(full.seconds, 1)} s`,
        ratio: secondsMax / since.seconds,
        target: 1,
        numbers: { seconds: rounded(since.seconds, 1), fullSeconds: rounded(full.seconds, 1) },
      },
    ];
  } finally {
    await book.close();
  }
}

/** Adds a day of transfers through the service's own SQL functions: accepted in batches, then settled. No webhook is sent, because the audit does not measure delivery. */
async function addDay(book: Book, transfers: number): Promise<void> {
  const client = await connect(book);
  try {
    for (let made = 0; made < transfers; made += batchRows) {
      let place = made;
      await callOnce(client, book.companyId, Math.min(batchRows, transfers - made), () => {
        place += 1;
        return transferOf(place);
      });
    }
  } finally {
    await client.end();
  }
  while ((await settleOnce({ database: book.database, book })) > 0);
  while (await extendTotals(book.database, book.companyId));
}

async function timedAudit(
  { database }: Book,
  isFull: boolean,
): Promise<{ readonly run: EndedRun; readonly seconds: number }> {
  const key = await openLedgerKey(database, benchBox);
  const start = performance.now();
  const begunAt = new Date();
  const run = await runAudit(database, {
    checks: auditChecks,
    key,
    isFull,
    begunAt,
    operator: "bench",
  });
  if (!isClean(run.results))
    throw new Error(
      `the books are not in order: ${JSON.stringify(run.results.filter((one) => one.differences.length > 0))}`,
    );
  return { run, seconds: (performance.now() - start) / 1_000 };
}
