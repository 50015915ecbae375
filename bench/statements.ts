import { setTimeout as sleep } from "node:timers/promises";
import { exportFormats } from "../src/statements/file-signature.ts";
import { contender, describe, summary } from "./accept.ts";
import { callOnce, connect } from "./batches.ts";
import type { Plan } from "./options.ts";
import type { Book } from "./postgres.ts";
import { type Finding, rounded, whole } from "./report.ts";
import { compare } from "./rounds.ts";
import type { Service } from "./service.ts";

const connections = 16;
const rowsPerCall = 1_000;
const pageLines = 100;
const summedWithinMs = 60_000;

/** Part n: pages of a statement against pages of the list of the same transfers, and whole statements as files. */
export async function readStatements(service: Service, book: Book, plan: Plan): Promise<Finding[]> {
  await fillStatement(book, plan.statementLines);
  return [await pagesAgainstList(service, book, plan), ...(await exportAll(service, book))];
}

/** Transfers that were accepted and wait: each is a line. */
export async function fillStatement(book: Book, lines: number): Promise<void> {
  const client = await connect(book);
  try {
    for (let made = 0; made < lines; made += rowsPerCall)
      await callOnce(client, book.companyId, rowsPerCall);
  } finally {
    await client.end();
  }
}

/** The second page of each: what a caller who goes through all of them asks for. */
async function pagesAgainstList(service: Service, book: Book, plan: Plan): Promise<Finding> {
  const page = { body: undefined, status: 200 } as const;
  const secondOf = async (path: string) => {
    const first = await askUntilSummed(service.url + path, book);
    const { cursor } = (await first.json()) as { cursor: { next: string } };
    return `${path}&cursor=${cursor.next}`;
  };
  const ofStatement = await secondOf(`/v1/statement?limit=${pageLines}`);
  const ofList = await secondOf(`/v1/transactions?limit=${pageLines}`);
  const { first, second, ratio, ratios } = await compare(
    plan,
    contender(service, book, ofStatement, connections, page),
    contender(service, book, ofList, connections, page),
  );
  return {
    id: "n",
    what: `(n) pages of ${pageLines} lines of a statement, ${connections} connections`,
    measured: describe(first),
    against: `pages of the list of transactions: ${describe(second)}`,
    ratio,
    numbers: {
      statement: summary(first),
      list: summary(second),
      ratios: ratios.map((one) => rounded(one)),
    },
  };
}

/** What was posted by the hundred thousand a moment ago is still being summed, and whoever asks is told to try again. */
async function askUntilSummed(url: string, book: Book): Promise<Response> {
  const deadline = performance.now() + summedWithinMs;
  for (;;) {
    const answer = await fetch(url, { headers: authorization(book) });
    if (answer.status !== 503 || performance.now() > deadline) return answer;
    await answer.arrayBuffer();
    await sleep(100);
  }
}

/** One after the other, over HTTP. */
async function exportAll(service: Service, book: Book): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const format of exportFormats) {
    const start = performance.now();
    const answer = await fetch(`${service.url}/v1/statement.${format}`, {
      headers: authorization(book),
    });
    if (answer.status !== 200 || answer.body === null)
      throw new Error(`an export was answered ${answer.status}`);
    let bytes = 0;
    for await (const piece of answer.body) bytes += (piece as Uint8Array).length;
    const seconds = (performance.now() - start) / 1_000;
    const lines = await linesOf(service, book);
    findings.push({
      id: `n-${format}`,
      what: `(n) a statement of ${whole(lines)} lines as ${format.toUpperCase()}`,
      measured: `${whole(lines / seconds)} lines/s`,
      against: `${(1 / seconds).toFixed(2)} files/s of ${(bytes / 1e6).toFixed(0)} MB`,
      numbers: { lines, bytes, seconds: rounded(seconds) },
    });
  }
  return findings;
}

async function linesOf(service: Service, book: Book): Promise<number> {
  const answer = await fetch(`${service.url}/v1/statement?limit=1`, {
    headers: authorization(book),
  });
  const { totals } = (await answer.json()) as { totals: readonly { count: number }[] };
  return totals.reduce((sum, { count }) => sum + count, 0);
}

function authorization({ accessToken }: Book): Record<string, string> {
  return { authorization: `Bearer ${accessToken}` };
}
