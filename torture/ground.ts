import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditChecks } from "../src/audit-checks.ts";
import { createCompany, type NewCompany } from "../src/companies/create-company.ts";
import { Database } from "../src/database/database.ts";
import { startEmbedded } from "../src/database/embedded/server.ts";
import { migrate } from "../src/database/migrate.ts";
import { secretBox } from "../src/kernel/secret-box.ts";
import { audit } from "../src/ledger/audit.ts";
import { type CommandResult, Program, runCommand } from "./program.ts";

export interface GroundCompany {
  readonly id: string;
  readonly accessToken: string;
}

type Settings = Readonly<Record<string, string>>;

/** A database of a part's own, and services on it as it wants them. */
export interface Place {
  readonly databaseUrl: string;
  readonly database: Database;
  readonly dataDir: string;
  /** A service in a process of its own; it ends with the place at the latest. */
  start(settings?: Settings): Promise<Program>;
  /** The same, without waiting until it is ready. */
  launch(settings?: Settings): Program;
  makeCompany(request: NewCompany): Promise<GroundCompany>;
  /** One command of the command line, run to its end as an operator would. */
  command(args: readonly string[]): Promise<CommandResult>;
  /** Settings of every service and command here. */
  readonly environment: Settings;
  /** Everything the audit finds wrong, each as one sentence. */
  auditFindings(): Promise<string[]>;
}

/** What a part attacks: a service in a process of its own, and its database to look into afterwards. */
export interface Ground extends Place {
  readonly program: Program;
  readonly url: string;
}

export interface PlaceOptions {
  /** An empty, migrated database to use. Without one a PostgreSQL of its own is started. */
  readonly databaseUrl?: string;
  /** The checkout whose program is run, where it is not this one. */
  readonly root?: string | undefined;
}

export interface GroundOptions extends PlaceOptions {
  readonly settings?: Settings;
}

/** A place with one service on it. */
export async function onGround<Result>(
  options: GroundOptions,
  work: (ground: Ground) => Promise<Result>,
): Promise<Result> {
  return onPlace(options, async (place) => {
    const program = await place.start(options.settings);
    return work({ ...place, program, url: program.url });
  });
}

/** Prepares a place, works on it and removes every trace of it, whatever happens meanwhile. */
export async function onPlace<Result>(
  options: PlaceOptions,
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  const closings: (() => Promise<unknown>)[] = [];
  try {
    const folder = await mkdtemp(join(tmpdir(), "cauri-torture-"));
    closings.unshift(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
    const dataDir = join(folder, ".cauri");
    let { databaseUrl, root } = options;
    if (databaseUrl === undefined) {
      const embedded = await startEmbedded({ dataDir, log: () => {} });
      closings.unshift(() => embedded.stop());
      databaseUrl = embedded.adminUrl;
    }
    const database = new Database({ url: databaseUrl, poolSize: 4 });
    closings.unshift(() => database.close());
    const masterKey = randomBytes(32);
    const box = secretBox(masterKey);
    const environment = {
      DATABASE_URL: databaseUrl,
      MASTER_KEY: masterKey.toString("base64"),
      LOG_LEVEL: "warn",
    };
    const command = (args: readonly string[]) => runCommand(dataDir, args, environment, root);
    if (root === undefined) await migrate(database);
    else await migrateByCommand(command);
    const launch = (settings: Settings = {}) => {
      const program = new Program(dataDir, { ...environment, ...settings }, root);
      closings.unshift(() => program.end("SIGKILL"));
      return program;
    };
    return await work({
      databaseUrl,
      database,
      dataDir,
      launch,
      start: (settings) => launch(settings).ready(),
      makeCompany: async (request) => {
        const { company, key } = await createCompany(database, box, request);
        return { id: company.id, accessToken: key.accessToken };
      },
      command,
      environment,
      auditFindings: () => describeDifferences(database),
    });
  } finally {
    for (const close of closings) await close();
  }
}

/** Another release knows its own tables. */
async function migrateByCommand(command: Place["command"]): Promise<void> {
  const { code, stderr } = await command(["migrate"]);
  if (code !== 0) throw new Error(`the database could not be migrated: ${stderr}`);
}

async function describeDifferences(database: Database): Promise<string[]> {
  const results = await audit(database, auditChecks);
  return results.flatMap(({ check, differences }) =>
    differences.map(
      ({ where, expected, found }) =>
        `the audit (${check}) expects ${expected} and finds ${found}: ${where}`,
    ),
  );
}
