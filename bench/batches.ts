import pg from "pg";
import { newNonce } from "../src/kernel/ordered-id.ts";
import { applyLoad } from "./load.ts";
import type { Plan } from "./options.ts";
import type { Book } from "./postgres.ts";
import { type Finding, rounded, whole } from "./report.ts";
import { nextTransfer, type Transfer } from "./requests.ts";
import { compare, medianOf } from "./rounds.ts";
import type { Service } from "./service.ts";

export const batchPath = "/v1/transactions/batch";
export const batchRows = 1_000;
/** One batch is read while another is written; more would only wait for the company's lock. */
export const batchConnections = 2;

/** Part c: batches over HTTP, against nothing but the call they end in. */
export async function batchesAgainstBareCall(
  service: Service,
  book: Book,
  plan: Plan,
): Promise<Finding> {
  const client = await connect(book);
  try {
    const { first, second, ratio, ratios } = await compare(
      plan,
      (seconds) => loadBatches(service, book, seconds),
      (seconds) => callBare(client, book.companyId, batchRows, seconds),
    );
    const p50Ms = medianOf(first, (result) => result.p50Ms);
    const p99Ms = medianOf(first, (result) => result.p99Ms);
    return {
      id: "c",
      what: `(c) batches of ${whole(batchRows)}, ${batchConnections} connections, settling off`,
      measured: `${whole(rate(first))}/s (p50 ${whole(p50Ms)} ms, p99 ${whole(p99Ms)} ms)`,
      against: `bare SQL call: ${whole(rate(second))}/s`,
      ratio,
      target: 0.4,
      numbers: {
        batches: { transfersPerSecond: Math.round(rate(first)), p50Ms, p99Ms },
        bareCall: { transfersPerSecond: Math.round(rate(second)) },
        ratios: ratios.map((r) => rounded(r)),
      },
    };
  } finally {
    await client.end();
  }
}

function rate(results: readonly { readonly transfersPerSecond: number }[]): number {
  return medianOf(results, (result) => result.transfersPerSecond);
}

export function loadBatches(service: Service, book: Book, seconds: number) {
  return applyLoad({
    url: service.url + batchPath,
    token: book.accessToken,
    connections: batchConnections,
    seconds,
    rows: batchRows,
  });
}

export async function connect(book: Pick<Book, "url">): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: book.url,
    options: "-c enable_seqscan=off -c jit=off",
  });
  // A connection that is lost fails the call under way; without a listener it would end the process first.
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Call after call on one connection. Only the calls are timed; their values are made in between. */
async function callBare(
  client: pg.Client,
  companyId: string,
  rowsPerCall: number,
  seconds: number,
) {
  const deadline = performance.now() + seconds * 1_000;
  let calls = 0;
  let busyMs = 0;
  while (performance.now() < deadline) {
    busyMs += await callOnce(client, companyId, rowsPerCall);
    calls += 1;
  }
  return { transfersPerSecond: (calls * rowsPerCall * 1_000) / busyMs };
}

/** Answers how long the call took. */
export async function callOnce(
  client: pg.Client,
  companyId: string,
  rowsPerCall: number,
  next = nextTransfer,
): Promise<number> {
  const values = valuesOf(companyId, rowsPerCall, next);
  const start = performance.now();
  const { rows } = await client.query({ name: "bare_call", text: bareCall, values });
  const busyMs = performance.now() - start;
  if (rows[0].places !== null) throw new Error("the bare call refused transfers");
  return busyMs;
}

const bareCall = `
  select places from submit_transfers($1, true, null, $2, $3::text[], $4::text[], $5::bigint[], $6::bigint[],
    $7::text[], $8::text[], null, null, null)`;

/** The same transfers as in the requests, so that the same bytes reach the tables. */
function valuesOf(companyId: string, rowsPerCall: number, next: () => Transfer): unknown[] {
  const transfers = Array.from({ length: rowsPerCall }, () => next());
  return [
    companyId,
    newNonce(),
    transfers.map(({ reference }) => reference),
    transfers.map(({ msisdn }) => msisdn),
    transfers.map(({ amount }) => amount),
    transfers.map(() => 0),
    transfers.map(({ description }) => description),
    transfers.map(({ metadata }) => JSON.stringify(metadata)),
  ];
}
