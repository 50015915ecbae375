import { type Busy, contender, describe, path, summary } from "./accept.ts";
import type { Plan } from "./options.ts";
import type { Book, Postgres } from "./postgres.ts";
import { type Finding, rounded } from "./report.ts";
import { type Contender, compare } from "./rounds.ts";
import { type Service, startService } from "./service.ts";
import { expectSoundBooks, untilSettled } from "./settle.ts";

const connections = 64;
const roles = "api,worker";

/**
 * Part l: two service processes on one PostgreSQL, accepting and settling for one company, against one
 * process with as many connections. Everybody shares one machine, so this shows what a second process
 * costs there; on machines of their own the two would not compete for its cores.
 */
export async function twoAgainstOne(
  postgres: Postgres,
  plan: Plan,
  stopped: AbortSignal,
): Promise<Finding[]> {
  const book = await postgres.makeBook("processes");
  const services: Service[] = [];
  try {
    for (let process = 0; process < 2; process += 1)
      services.push(await startService(book, roles, stopped));
    const [alone] = services;
    if (alone === undefined) throw new Error("two were started");
    const { first, second, ratio, ratios } = await compare(
      plan,
      together(services, book),
      contender(alone, book, path, connections),
    );
    await untilSettled(book);
    await expectSoundBooks(book);
    return [
      {
        id: "l",
        what: `(l) two processes, ${connections} connections in all, settling on`,
        measured: describe(first),
        against: `one process: ${describe(second)}`,
        ratio,
        numbers: {
          two: summary(first),
          one: summary(second),
          ratios: ratios.map((r) => rounded(r)),
        },
      },
    ];
  } finally {
    for (const service of services) await service.stop();
    await book.close();
  }
}

/** The connections shared out among the services; what they did together. */
function together(services: readonly Service[], book: Book): Contender<Busy> {
  const share = connections / services.length;
  const each = services.map((service) => contender(service, book, path, share));
  return async (seconds) => {
    const results = await Promise.all(each.map((run) => run(seconds)));
    const sum = (read: (result: Busy) => number) =>
      results.reduce((total, result) => total + read(result), 0);
    const worst = (read: (result: Busy) => number) => Math.max(...results.map(read));
    const answers = sum((result) => result.answers);
    return {
      transfersPerSecond: sum((result) => result.transfersPerSecond),
      p50Ms: worst((result) => result.p50Ms),
      p99Ms: worst((result) => result.p99Ms),
      seconds: worst((result) => result.seconds),
      answers,
      serverCpuUs: sum((result) => result.serverCpuUs * result.answers) / answers,
      serverBusy: sum((result) => result.serverBusy),
      // One generator loads them all, and each result has seen all of it.
      loaderBusy: worst((result) => result.loaderBusy),
    };
  };
}
