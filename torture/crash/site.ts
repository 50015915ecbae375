import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createCompany, type NewCompany } from "../../src/companies/create-company.ts";
import { Database } from "../../src/database/database.ts";
import { type Postmaster, runningPostmaster } from "../../src/database/embedded/postmaster.ts";
import { databaseUrl } from "../../src/database/embedded/session.ts";
import { secretBox } from "../../src/kernel/secret-box.ts";
import { type CommandResult, endProcess, postmasterPid, runCommand } from "../program.ts";
import { Node } from "./node.ts";

const startLimitMs = 120_000;

/**
 * An installation as large as one data folder allows: a service that owns the embedded PostgreSQL, a second
 * service that joined it, and a worker without an API. Any of the four can be killed.
 */
export class Site {
  readonly owner: Node;
  readonly second: Node;
  readonly worker: Node;
  readonly database: Database;
  readonly #folder: string;
  readonly #masterKey: Buffer;
  #hasLeft = false;

  private constructor(folder: string, masterKey: Buffer, owner: Node, url: string) {
    const shared = { DATABASE_URL: url, MASTER_KEY: masterKey.toString("base64") };
    const nodeOf = (name: string, settings: Record<string, string>) =>
      new Node(name, `${folder}/${name}`, { ...quiet, ...shared, ...settings }, startLimitMs);
    this.#folder = folder;
    this.#masterKey = masterKey;
    this.owner = owner;
    this.second = nodeOf("second", {});
    this.worker = nodeOf("worker", { ROLES: "worker,webhooks" });
    this.database = new Database({ url, poolSize: 4 });
  }

  /** The folder is the caller's; `isAlone` leaves out the second service and the worker. */
  static async open(folder: string, { isAlone = false } = {}): Promise<Site> {
    const masterKey = randomBytes(32);
    const settings = { ...quiet, MASTER_KEY: masterKey.toString("base64") };
    const owner = new Node("owner", dataDirIn(folder), settings, startLimitMs);
    try {
      await owner.start();
      const site = new Site(folder, masterKey, owner, await readUrl(dataDirIn(folder)));
      if (!isAlone) await Promise.all([site.second.start(), site.worker.start()]);
      return site;
    } catch (error) {
      await owner.destroy();
      await endPostgres(folder);
      throw error;
    }
  }

  get nodes(): readonly Node[] {
    return [this.owner, this.second, this.worker];
  }

  /** Those that answer requests. */
  get services(): readonly Node[] {
    return [this.owner, this.second];
  }

  async makeCompany(request: NewCompany) {
    const box = secretBox(this.#masterKey);
    const { company, key } = await createCompany(this.database, box, request);
    return { id: company.id, accessToken: key.accessToken };
  }

  /** The running PostgreSQL, if there is one. */
  postgres(): Promise<Postmaster | undefined> {
    return runningPostmaster(join(dataDirIn(this.#folder), "postgres"));
  }

  async killPostgres(): Promise<void> {
    const postmaster = await this.postgres();
    if (postmaster !== undefined) await endProcess(postmaster.pid, "SIGKILL");
  }

  /** As an operator does it. */
  audit(): Promise<CommandResult> {
    const settings = { MASTER_KEY: this.#masterKey.toString("base64") };
    return runCommand(dataDirIn(this.#folder), ["audit", "--full", "--json"], settings);
  }

  /** Lets go of the database, which would otherwise stay up for our sake. */
  async leave(): Promise<void> {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    await this.database.close();
  }

  async close(): Promise<void> {
    await this.leave();
    for (const node of this.nodes) await node.destroy();
    await endPostgres(this.#folder);
  }
}

const quiet = { LOG_LEVEL: "fatal" };

function dataDirIn(folder: string): string {
  return join(folder, ".cauri");
}

async function readUrl(dataDir: string): Promise<string> {
  const port = Number(await readFile(join(dataDir, "postgres.port"), "utf8"));
  const password = (await readFile(join(dataDir, "postgres.password"), "utf8")).trim();
  return databaseUrl(port, { role: "cauri", password });
}

async function endPostgres(folder: string): Promise<void> {
  const pid = await postmasterPid(dataDirIn(folder));
  if (pid !== undefined) await endProcess(pid, "SIGQUIT");
}
