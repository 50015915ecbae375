import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { packageRoot } from "../../src/kernel/root.ts";
import { PatroniRest } from "./rest.ts";
import { Way } from "./way.ts";

const script = join(packageRoot, "deploy/ha/cluster");
const exitOfMissing = 3;
const basePort = 15_400;
const pollMs = 200;
const wellLimitMs = 120_000;
export const nodes = [1, 2, 3] as const;
export type NodeNumber = (typeof nodes)[number];

/** By which others reach a node, and it reaches etcd. The service goes to the nodes themselves. */
interface Ways {
  readonly rest: Way;
  readonly sql: Way;
  readonly etcd: Way;
}

/** The cluster of deploy/ha on this machine. */
export class PatroniCluster {
  readonly #folder: string;
  readonly #rest: PatroniRest;
  readonly url: string;
  readonly #ways: ReadonlyMap<NodeNumber, Ways>;
  readonly #stopped = new Set<number>();

  private constructor(folder: string, url: string, ways: ReadonlyMap<NodeNumber, Ways>) {
    this.#folder = folder;
    this.#rest = new PatroniRest(folder);
    this.url = url;
    this.#ways = ways;
  }

  /** Or what is missing for it, as one line. */
  static async start(folder: string): Promise<PatroniCluster | string> {
    const ways = new Map<NodeNumber, Ways>();
    for (const node of nodes)
      ways.set(node, {
        rest: await Way.open(basePort + 30 + node, restPort(node)),
        sql: await Way.open(basePort + 40 + node, sqlPort(node)),
        etcd: await Way.open(basePort + 50 + node, basePort + node),
      });
    const { code, output, complaint } = await run("start", folder);
    if (code === 0) return new PatroniCluster(folder, output.trim(), ways);
    await closeAll(ways);
    if (code === exitOfMissing) return complaint.trim();
    throw new Error(`the cluster did not start: ${complaint}`);
  }

  async stop(): Promise<void> {
    for (const pid of this.#stopped) signal(pid, "SIGCONT");
    await run("stop", this.#folder);
    await closeAll(this.#ways);
  }

  /** Whose certificates all nodes have. */
  get authority(): string {
    return join(this.#folder, "tls/ca.crt");
  }

  /** Where each node is, for a proxy in front of them. */
  get places(): { readonly sqlPort: number; readonly restPort: number }[] {
    return nodes.map((node) => ({ sqlPort: sqlPort(node), restPort: restPort(node) }));
  }

  /**
   * A node on its own side of a network that has fallen apart: it reaches neither etcd nor the others, nor they it. The
   * service still reaches everybody. Returns what mends it. (The others do not ask each other either, which they can do without.)
   */
  isolate(node: NodeNumber): () => void {
    const own = this.#ways.get(node);
    const cut = [...this.#ways.values()].map(({ rest }) => rest);
    if (own !== undefined) cut.push(own.sql, own.etcd);
    for (const way of cut) way.cut();
    return () => {
      for (const way of cut) way.mend();
    };
  }

  async leader(): Promise<NodeNumber> {
    const deadline = performance.now() + wellLimitMs;
    while (performance.now() < deadline) {
      for (const node of nodes) if (await this.#answers(node, "/primary")) return node;
      await sleep(pollMs);
    }
    throw new Error("the cluster has no leader");
  }

  /** After which a leader that says nothing is replaced. */
  async ttlSeconds(): Promise<number> {
    const { text } = await this.#rest.ask(restPort(await this.leader()), "/config");
    return (JSON.parse(text) as { ttl: number }).ttl;
  }

  /** A leader, and two standbys that confirm. */
  async untilWell(): Promise<void> {
    const deadline = performance.now() + wellLimitMs;
    while (performance.now() < deadline) {
      const answers = await Promise.all(nodes.map((node) => this.#answers(node, "/sync")));
      if (answers.filter(Boolean).length === 2) return;
      await sleep(pollMs);
    }
    throw new Error("the cluster did not come back");
  }

  /** Patroni and PostgreSQL at once, like a machine that is switched off. */
  async killNode(node: NodeNumber): Promise<void> {
    for (const pid of await this.#processesOf(node)) signal(pid, "SIGKILL");
  }

  async startNode(node: NodeNumber): Promise<void> {
    await run("node", this.#folder, String(node));
  }

  async killPostgres(node: NodeNumber): Promise<void> {
    const pid = await this.#postmaster(node);
    if (pid !== undefined) signal(pid, "SIGKILL");
  }

  /** Everything of a node stands still; returns what lets it go on. */
  async freezeNode(node: NodeNumber): Promise<() => void> {
    return this.#freeze(await this.#processesOf(node));
  }

  async freezeEtcd(): Promise<() => void> {
    const members = nodes.map((member) => this.#noted(`etcd${member}`));
    return this.#freeze(await Promise.all(members));
  }

  async switchOver(): Promise<void> {
    const leader = await this.leader();
    const order = JSON.stringify({ leader: `node${leader}` });
    const { isOk, text } = await this.#rest.ask(restPort(leader), "/switchover", order);
    if (!isOk) throw new Error(`no switchover: ${text}`);
  }

  #freeze(pids: readonly number[]): () => void {
    for (const pid of pids) if (signal(pid, "SIGSTOP")) this.#stopped.add(pid);
    return () => {
      for (const pid of pids.toReversed()) if (this.#stopped.delete(pid)) signal(pid, "SIGCONT");
    };
  }

  async #answers(node: NodeNumber, path: string): Promise<boolean> {
    try {
      return (await this.#rest.ask(restPort(node), path)).isOk;
    } catch {
      return false;
    }
  }

  async #processesOf(node: NodeNumber): Promise<number[]> {
    const postmaster = await this.#postmaster(node);
    const patroni = await this.#noted(`node${node}`);
    if (postmaster === undefined) return [patroni];
    return [patroni, postmaster, ...(await childrenOf(postmaster))];
  }

  /** The process that was started last under this name. */
  async #noted(name: string): Promise<number> {
    const lines = (await readFile(join(this.#folder, "pids"), "utf8")).trim().split("\n");
    return Number(lines.findLast((line) => line.startsWith(`${name} `))?.split(" ")[1]);
  }

  async #postmaster(node: NodeNumber): Promise<number | undefined> {
    const path = join(this.#folder, `node${node}/data/postmaster.pid`);
    const text = await readFile(path, "utf8").catch(() => "");
    return Number.parseInt(text, 10) || undefined;
  }
}

function restPort(node: NodeNumber): number {
  return basePort + 10 + node;
}

function sqlPort(node: NodeNumber): number {
  return basePort + 20 + node;
}

async function closeAll(ways: ReadonlyMap<NodeNumber, Ways>): Promise<void> {
  for (const { rest, sql, etcd } of ways.values())
    for (const way of [rest, sql, etcd]) await way.close();
}

async function childrenOf(pid: number): Promise<number[]> {
  const numbers = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    numbers.map((name) => readFile(`/proc/${name}/stat`, "utf8").catch(() => "")),
  );
  // pid (name) state ppid …
  return stats.flatMap((stat) =>
    Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === pid
      ? [Number.parseInt(stat, 10)]
      : [],
  );
}

async function run(...args: readonly string[]) {
  const child = spawn(script, args, {
    env: { ...process.env, BASE_PORT: String(basePort), WAYS: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let complaint = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  const [code] = (await once(child, "exit")) as [number | null];
  return { code, output, complaint };
}

/** False when it has ended meanwhile. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
