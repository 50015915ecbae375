import { setTimeout as sleep } from "node:timers/promises";
import { contender, path, textbookPath } from "./accept.ts";
import { batchConnections, loadBatches } from "./batches.ts";
import type { Plan } from "./options.ts";
import type { Book, WalBytes } from "./postgres.ts";
import { type Finding, rounded, whole } from "./report.ts";
import type { Counts, Service } from "./service.ts";

const connections = 64;
const stillMs = 300;

/** Part e: what one transfer costs the database, whichever way it came. */
export async function costsPerTransfer(
  service: Service,
  book: Book,
  plan: Plan,
): Promise<Finding[]> {
  const single = contender(service, book, path, connections);
  const textbook = contender(service, book, textbookPath, connections);
  const ways = [
    { id: "e-single", name: `single, ${connections} connections`, load: single },
    {
      id: "e-batch",
      name: `in batches, ${batchConnections} connections`,
      load: (seconds: number) => loadBatches(service, book, seconds),
    },
    { id: "e-textbook", name: `textbook, ${connections} connections`, load: textbook },
  ];
  return book.withoutAutovacuum(async () => {
    const findings: Finding[] = [];
    for (const { id, name, load } of ways) {
      // The first requests of a route look up their company; that is no cost of a transfer.
      await load(plan.warmUpSeconds);
      findings.push(await measure(service, book, id, name, () => load(plan.roundSeconds)));
    }
    return findings;
  });
}

async function measure(
  service: Service,
  book: Book,
  id: string,
  name: string,
  load: () => Promise<unknown>,
): Promise<Finding> {
  await untilStill(book);
  const acceptedBefore = await book.accepted();
  const walSince = await book.startWal();
  const before = await service.counts();
  await load();
  await untilStill(book);
  const after = await service.counts();
  const wal = await walSince();
  const transfers = (await book.accepted()) - acceptedBefore;
  return toCost(id, name, transfers, wal, before, after);
}

/** What was under way when a load ended is still committed: waits until nothing is. */
async function untilStill(book: Book): Promise<void> {
  for (let before = -1, now = await book.accepted(); now !== before; now = await book.accepted()) {
    before = now;
    await sleep(stillMs);
  }
}

/** What so many transfers cost, for each. */
export function toCost(
  id: string,
  name: string,
  transfers: number,
  wal: WalBytes,
  before: Counts,
  after: Counts,
): Finding {
  const records = wal.records / transfers;
  const images = wal.pageImages / transfers;
  const roundTrips = (after.statements - before.statements) / transfers;
  const calls = after.sets - before.sets;
  return {
    id,
    what: `(e) per transfer: ${name}`,
    measured: `${whole(records)} bytes of WAL, and ${whole(images)} of page images`,
    against: `${roundTrips.toFixed(4)} round trips`,
    numbers: {
      transfers,
      walBytesPerTransfer: Math.round(records),
      pageImageBytesPerTransfer: Math.round(images),
      roundTripsPerTransfer: rounded(roundTrips, 4),
      ...(calls === 0 ? {} : { transfersPerCall: rounded(transfers / calls, 1) }),
    },
  };
}
