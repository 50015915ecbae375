import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Account } from "./account.ts";
import { cpuMsOf } from "./cpu.ts";
import { copyFirstPerson, firstPerson } from "./people.ts";
import { run } from "./run.ts";
import type { RunPostgres } from "./run-postgres.ts";
import type { Tree } from "./tree.ts";

/** More than any turn can spend, and far below what a number holds exactly. */
const fund = 1_000_000_000_000;
const startLimitMs = 60_000;
const answerLimitMs = 10_000;
const stopLimitMs = 20_000;
const pollMs = 50;

/** A started program: the service of a contender, or the bare route. */
export interface Service {
  readonly url: string;
  cpuMs(): number | undefined;
  /** Asks it to end, waits for it, and ends it by force when it does not. */
  stop(): Promise<void>;
}

/**
 * A built checkout, of which only the program is known: its commands, its settings and its interface. Its
 * code, its tables and its statements may be quite others than those of this checkout.
 */
export class Contender {
  readonly name: string;
  readonly #tree: Tree;
  readonly #postgres: RunPostgres;
  readonly #dataDir: string;
  readonly #stopped: AbortSignal;
  /** A database that every turn gets a copy of. */
  readonly #template: string;
  #token = "";
  #databases = 0;

  private constructor(
    tree: Tree,
    place: number,
    postgres: RunPostgres,
    folder: string,
    stopped: AbortSignal,
  ) {
    this.name = tree.name;
    this.#tree = tree;
    this.#postgres = postgres;
    this.#dataDir = join(folder, `data_${place}`);
    this.#stopped = stopped;
    this.#template = `contender_${place}`;
  }

  /**
   * Its database has one rich company, people to pay, and a history that PostgreSQL has statistics of: what
   * plans are made of an empty table is another question, and would decide the comparison by chance.
   */
  static async prepare(
    tree: Tree,
    place: number,
    postgres: RunPostgres,
    folder: string,
    history: number,
    stopped: AbortSignal,
  ): Promise<Contender> {
    const contender = new Contender(tree, place, postgres, folder, stopped);
    const database = contender.#template;
    await postgres.create(database);
    await contender.command(database, ["migrate"]);
    const company = ["company", "create", "Bench", "--fund", String(fund), "--json"];
    const created = await contender.command(database, company);
    contender.#token = (JSON.parse(created) as { accessToken: string }).accessToken;
    const person = ["--first-name", "Awa", "--last-name", "Diop", "--kyc", "complete"];
    await contender.command(database, ["customer", "add", firstPerson, ...person]);
    await postgres.inside(database, copyFirstPerson);
    const service = await contender.start(database, "api,worker");
    try {
      const account = contender.accountAt(service);
      await account.send(history);
      await account.untilSettled();
    } finally {
      await service.stop();
    }
    await postgres.inside(database, (client) => client.query("vacuum analyze"));
    return contender;
  }

  /** A database for one turn, as every other turn of this contender finds it. */
  async withDatabase<Result>(work: (database: string) => Promise<Result>): Promise<Result> {
    this.#databases += 1;
    const database = `${this.#template}_${this.#databases}`;
    await this.#postgres.create(database, this.#template);
    try {
      return await work(database);
    } finally {
      await this.#postgres.drop(database);
    }
  }

  accountAt({ url }: Service): Account {
    return new Account(url, this.#token, this.#stopped);
  }

  async command(database: string, args: readonly string[]): Promise<string> {
    return run(process.execPath, [this.#main, ...args], {
      cwd: this.#tree.root,
      env: this.#environment(database),
      stopped: this.#stopped,
    });
  }

  async start(
    database: string,
    roles: string,
    nodeOptions: readonly string[] = [],
  ): Promise<Service> {
    const port = await freePort();
    const child = spawn(process.execPath, [...nodeOptions, this.#main, "serve"], {
      cwd: this.#tree.root,
      env: { ...this.#environment(database), PORT: String(port), ROLES: roles },
      // Its log lines are made and thrown away: the disk belongs to the database.
      stdio: ["ignore", "ignore", "inherit"],
      signal: this.#stopped,
    });
    return untilReady(child, `http://127.0.0.1:${port}`, "/readyz", this.#stopped);
  }

  get #main(): string {
    return join(this.#tree.root, "dist/src/main.js");
  }

  /** Nothing of the bench's own environment, and the defaults but for what would end a turn by accident. */
  #environment(database: string): NodeJS.ProcessEnv {
    return {
      PATH: process.env["PATH"],
      DATABASE_URL: this.#postgres.urlOf(database),
      DATA_DIR: this.#dataDir,
      MASTER_KEY: "07".repeat(32),
      WALLET_MAX_KYC_COMPLETE: "1000000000000",
      // A machine that is busy for a moment makes a service late; refusing would be fast, and worth nothing.
      EVENT_LOOP_DELAY_MAX_MS: "60000",
    };
  }
}

/** Waits until a started program answers at this path; one that ends before is an error. */
export async function untilReady(
  child: ChildProcess,
  url: string,
  path: string,
  stopped: AbortSignal,
): Promise<Service> {
  // When the bench is stopped the child is ended, and says so as an error.
  child.on("error", () => {});
  const exit = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    const force = setTimeout(() => child.kill("SIGKILL"), stopLimitMs);
    if (!hasEnded()) child.kill("SIGTERM");
    await exit;
    clearTimeout(force);
  };
  try {
    const deadline = Date.now() + startLimitMs;
    while (!hasEnded() && Date.now() < deadline) {
      const limit = AbortSignal.any([stopped, AbortSignal.timeout(answerLimitMs)]);
      const answer = await fetch(url + path, { signal: limit }).catch(() => undefined);
      await answer?.text();
      if (answer?.ok === true) return { url, cpuMs: () => cpuMsOf(child.pid ?? 0), stop };
      await sleep(pollMs, undefined, { signal: stopped });
    }
    throw new Error(`the program at ${url} did not start`);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Free a moment ago; nobody else on loopback is after it. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
