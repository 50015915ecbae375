import { applyLoad, type Load, type LoadResult } from "./load.ts";
import type { Plan } from "./options.ts";
import type { Book } from "./postgres.ts";
import { type Finding, rounded, whole } from "./report.ts";
import { type Contender, compare, medianOf } from "./rounds.ts";
import type { Service } from "./service.ts";

export const path = "/v1/transactions";
const barePath = `/bench/bare${path}`;
export const textbookPath = `/bench/textbook${path}`;

/** A load's result, with the CPU it took: who is busy tells where the limit is. */
export interface Busy extends LoadResult {
  /** CPU time of the server process per transfer. */
  readonly serverCpuUs: number;
  /** Shares of one core. */
  readonly serverBusy: number;
  readonly loaderBusy: number;
}

/** Part a: accepting with everything, against the same without the database. */
export async function acceptAgainstBare(
  service: Service,
  book: Book,
  plan: Plan,
  connections: number,
): Promise<Finding> {
  const real = contender(service, book, path, connections);
  const bare = contender(service, book, barePath, connections);
  const { first, second, ratio, ratios } = await compare(plan, real, bare);
  return {
    id: `a-${connections}`,
    what: `(a) single, ${connections} connections, settling off`,
    measured: describe(first),
    against: `without database: ${describe(second)}`,
    ratio,
    target: 0.85,
    numbers: {
      accept: summary(first),
      bare: summary(second),
      ratios: ratios.map((r) => rounded(r)),
    },
  };
}

/** Part b: the same against one database transaction per request. */
export async function acceptAgainstTextbook(
  service: Service,
  book: Book,
  plan: Plan,
): Promise<Finding> {
  const connections = 64;
  const real = contender(service, book, path, connections);
  const textbook = contender(service, book, textbookPath, connections);
  const { first, second, ratio, ratios } = await compare(plan, real, textbook);
  return {
    id: "b",
    what: `(b) single, ${connections} connections, settling off`,
    measured: describe(first),
    against: `textbook: ${describe(second)}`,
    ratio,
    target: 8,
    numbers: {
      accept: summary(first),
      textbook: summary(second),
      ratios: ratios.map((r) => rounded(r)),
    },
  };
}

/** One load without comparison, on the bare route or the real one. */
export function contender(
  service: Service,
  book: Book,
  route: string,
  connections: number,
  other?: Load["other"],
): Contender<Busy> {
  return async (seconds) => {
    const serverBefore = await service.cpuMs();
    const loaderBefore = process.cpuUsage();
    const result = await applyLoad({
      url: service.url + route,
      token: book.accessToken,
      connections,
      seconds,
      rows: 1,
      ...(other === undefined ? {} : { other }),
    });
    const { user, system } = process.cpuUsage(loaderBefore);
    const serverMs = (await service.cpuMs()) - serverBefore;
    return {
      ...result,
      serverCpuUs: (serverMs * 1_000) / result.answers,
      serverBusy: serverMs / (result.seconds * 1_000),
      loaderBusy: (user + system) / (result.seconds * 1_000_000),
    };
  };
}

export const bareContender = (service: Service, book: Book, connections: number) =>
  contender(service, book, barePath, connections);

export function describe(results: readonly Busy[]): string {
  const rate = whole(medianOf(results, (result) => result.transfersPerSecond));
  const p50 = whole(medianOf(results, (result) => result.p50Ms));
  const p99 = whole(medianOf(results, (result) => result.p99Ms));
  return `${rate}/s (p50 ${p50} ms, p99 ${p99} ms)`;
}

export function summary(results: readonly Busy[]) {
  return {
    transfersPerSecond: rounded(
      medianOf(results, (result) => result.transfersPerSecond),
      0,
    ),
    p50Ms: medianOf(results, (result) => result.p50Ms),
    p99Ms: medianOf(results, (result) => result.p99Ms),
    serverCpuUsPerTransfer: rounded(
      medianOf(results, (result) => result.serverCpuUs),
      1,
    ),
    serverBusy: rounded(
      medianOf(results, (result) => result.serverBusy),
      2,
    ),
    loaderBusy: rounded(
      medianOf(results, (result) => result.loaderBusy),
      2,
    ),
    rounds: results.map((result) => Math.round(result.transfersPerSecond)),
  };
}
