import { setTimeout as sleep } from "node:timers/promises";
import { type AwayNodes, awayNodesOf } from "./away-nodes.ts";
import { isNodeWell, nodesWithRows } from "./cluster.ts";
import { Database } from "./database.ts";
import { isSharded, readParts } from "./parts.ts";

const askEveryMs = 1_000;
const awayAfterMs = 5_000;

/**
 * Finds out which nodes of a database that is split are away. One that is down refuses a connection at once, but one that hangs
 * keeps whoever asks it waiting, and with a connection each, soon all of them. So nothing more is sent to a node that has not answered
 * for a while. A question is never given up: the coordinator could not take it back from such a node, and would keep a connection for
 * each. The next one is asked when the last was answered.
 */
class NodeWatch {
  readonly #database: Database;
  readonly #url: string;
  readonly #away: AwayNodes;
  readonly #answeredMs = new Map<string, number>();
  #asking: Database | undefined;
  #timer: NodeJS.Timeout | undefined;
  #judgedMs = 0;

  constructor(database: Database, url: string) {
    this.#database = database;
    this.#url = url;
    this.#away = awayNodesOf(database);
  }

  async start(): Promise<void> {
    if (!(await isSharded(this.#database))) return;
    // Without the coordinator nothing goes on anyway.
    const nodes = (await nodesWithRows(this.#database)).filter((node) => !node.is_coordinator);
    if (nodes.length === 0) return;
    const { timelines } = this.#database;
    this.#asking = new Database({ url: this.#url, poolSize: nodes.length, timelines });
    for (const { host, port } of nodes) {
      this.#answeredMs.set(`${host}:${port}`, performance.now());
      void this.#ask(this.#asking, host, port);
    }
    this.#timer = setInterval(() => void this.#judge(), askEveryMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    const asking = this.#asking;
    this.#asking = undefined;
    // Not waited for: a node that hangs does not let its question go.
    void asking?.close().catch(() => {});
    this.#away.replace(new Map());
  }

  async #ask(asking: Database, host: string, port: number): Promise<void> {
    while (this.#asking === asking) {
      // Whether the coordinator itself is there, others find out.
      const isWell = await isNodeWell(asking, host, port).catch(() => true);
      if (isWell) this.#answeredMs.set(`${host}:${port}`, performance.now());
      await sleep(askEveryMs, undefined, { ref: false });
    }
  }

  async #judge(): Promise<void> {
    const nowMs = performance.now();
    const isLate = nowMs - this.#judgedMs > 2 * askEveryMs;
    this.#judgedMs = nowMs;
    // This process was held up itself, and answers may lie there unread.
    if (isLate) return;
    const latestMs = nowMs - awayAfterMs;
    const late = [...this.#answeredMs].flatMap(([node, ms]) => (ms < latestMs ? node : []));
    if (late.length === this.#away.count && late.every((node) => this.#away.has(node))) return;
    const parts = late.length === 0 ? [] : await readParts(this.#database).catch(() => undefined);
    if (parts === undefined || this.#asking === undefined) return;
    this.#away.replace(
      new Map(
        late.map((node) => [
          node,
          new Set(parts.flatMap((part) => (part.node === node ? part.companyIds : []))),
        ]),
      ),
    );
  }
}

/** Watches until it is stopped; where the database is not split, there is nothing to watch. */
export async function watchNodes(database: Database, url: string): Promise<NodeWatch> {
  const watch = new NodeWatch(database, url);
  await watch.start();
  return watch;
}
