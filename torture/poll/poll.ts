import { setTimeout as sleep } from "node:timers/promises";
import { onPlace, type Place } from "../ground.ts";
import type { Campaign, Part, PartReport } from "../part.ts";
import { Client } from "../traffic/client.ts";
import { CursorPoller, type Poller, TimePoller } from "./pollers.ts";
import { type Added, addBatch, addCharge, addTransfer, type Writing } from "./writers.ts";

/** Batches of 1 500 that each of the two services is sent; everything else goes on for as long as they take. */
const batches = { short: 2, full: 25 } as const;
/** Of single transfers and of charges, at each service: enough that they wait for one another. */
const callersEach = { short: 4, full: 8 } as const;
const answerLimitMs = 60_000;
const pollPauseMs = 5;
const refusedPauseMs = 200;
/** Nothing is refused because the machine has other work too. */
const settings = { EVENT_LOOP_DELAY_MAX_MS: "0" };
const fund = 1_000_000_000_000;

export const poll: Part = {
  name: "poll",
  promises:
    "Whoever polls a list by createdFrom or along its cursors sees everything once, beside single transfers, charges and large batches on two services.",
  run: (campaign) => onPlace({}, (place) => follow(campaign, place)),
};

async function follow(campaign: Campaign, place: Place): Promise<PartReport> {
  const { progress } = campaign;
  const programs = await Promise.all([place.start(settings), place.start(settings)]);
  const { accessToken: token } = await place.makeCompany({ name: "Torture", fund });
  const clients = programs.map(({ url }) => new Client({ token, url: () => url, answerLimitMs }));
  const added: Added = { "/v1/transactions": new Set(), "/v1/charges": new Set() };
  try {
    const writings = clients.map((client, index) => ({ added, client, name: `n${index}` }));
    // A cursor towards the newer rows needs two rows to begin with.
    for (const writing of writings) await addTransfer(writing, 0);
    for (const writing of writings) await addCharge(writing, 0);
    const [first, second] = clients as [Client, Client];
    const pollers = (["/v1/transactions", "/v1/charges"] as const).flatMap((path) => [
      new TimePoller(first, path),
      new CursorPoller(second, path),
    ]);
    for (const poller of pollers) await poller.poll();

    const done = new AbortController();
    const writeAll = async () => {
      const counts = await Promise.all(writings.map((writing) => write(campaign, writing)));
      progress("reading to the end");
      done.abort();
      return counts;
    };
    const [sent] = await Promise.all([
      writeAll(),
      ...pollers.map((poller) => pollUntil(poller, done.signal)),
    ]);
    return {
      counts: {
        batches: sent.reduce((sum, count) => sum + count, 0),
        transfers: added["/v1/transactions"].size,
        charges: added["/v1/charges"].size,
        pollers: pollers.length,
      },
      findings: [
        ...clients.flatMap(({ oddities }) => oddities),
        ...pollers.flatMap((poller) => poller.verify(added[poller.path as keyof Added])),
        ...(await place.auditFindings()),
      ],
    };
  } finally {
    for (const client of clients) await client.close();
  }
}

/** Batches one after the other, and everything else beside them. Returns how many batches there were. */
async function write({ scale, progress, deadline }: Campaign, writing: Writing): Promise<number> {
  const full = new AbortController();
  const callers = [addTransfer, addCharge].flatMap((add, kind) =>
    Array.from({ length: callersEach[scale] }, (_, caller) =>
      repeat(add, { ...writing, name: `${writing.name}-${kind}-${caller}` }, full.signal),
    ),
  );
  let count = 0;
  while (count < batches[scale] && !deadline.aborted) {
    progress(`batch ${count + 1} of ${batches[scale]} at each service`);
    if (await addBatch(writing, count)) count += 1;
    else await sleep(refusedPauseMs);
  }
  full.abort();
  await Promise.all(callers);
  return count;
}

async function repeat(
  add: (writing: Writing, count: number) => Promise<void>,
  writing: Writing,
  signal: AbortSignal,
): Promise<void> {
  for (let count = 1; !signal.aborted; count += 1) await add(writing, count);
}

/** Once more after the end: whatever was acknowledged by then is there to be seen. */
async function pollUntil(poller: Poller, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await poller.poll();
    await sleep(pollPauseMs);
  }
  await poller.poll();
}
