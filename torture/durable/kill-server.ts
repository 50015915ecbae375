import { setTimeout as sleep } from "node:timers/promises";
import { databaseUrl } from "../../src/database/embedded/session.ts";
import { makeServer } from "../failover/make-server.ts";
import type { Server } from "../failover/server.ts";
import { inFolder } from "../in-folder.ts";
import type { Campaign, PartReport } from "../part.ts";
import { untilReady } from "../until-ready.ts";
import { acknowledgeRows, countLost } from "./forgetful-session.ts";
import { Load } from "./load.ts";
import { Production } from "./production.ts";

interface Configuration {
  readonly name: string;
  /** Of the server's command line. */
  readonly server?: Readonly<Record<string, string>>;
  /** What a superuser runs once. */
  readonly statement?: string;
  /** What the address of the database ends with. */
  readonly query?: string;
  /** By itself, without the service's own precaution, it loses what it acknowledged. */
  readonly isForgetful: boolean;
}

/** So that what was not waited for is not written soon by chance. */
const slowWriter = { wal_writer_delay: "10s", wal_writer_flush_after: "1GB" };
const configurations: readonly Configuration[] = [
  { name: "as PostgreSQL comes", isForgetful: false },
  ...["off", "local", "remote_write", "remote_apply"].map((value) => ({
    name: `synchronous_commit = ${value}`,
    server: { ...slowWriter, synchronous_commit: value },
    isForgetful: value === "off",
  })),
  {
    name: "synchronous_commit = off for the role",
    server: slowWriter,
    statement: "alter role cauri set synchronous_commit = off",
    isForgetful: true,
  },
  {
    name: "synchronous_commit = off for the database",
    server: slowWriter,
    statement: "alter database cauri set synchronous_commit = off",
    isForgetful: true,
  },
  {
    name: "synchronous_commit = off in the address",
    server: slowWriter,
    query: "?options=-c%20synchronous_commit%3Doff",
    isForgetful: true,
  },
];
/** A short campaign has the default, and each place where something weaker can be set. */
const short = new Set([0, 1, 5, 7]);

const kills = { short: 1, full: 5 } as const;
/** The first ones have to be answered before anything can be lost. */
const acknowledgedLeast = 100;
const loadMs = { short: 500, full: 4_000 } as const;
const recoveryLimitMs = 60_000;

/** One server, which is killed and comes back with what is on its disk. */
export async function killServer(campaign: Campaign): Promise<PartReport> {
  const chosen = configurations.filter((_, at) => campaign.scale === "full" || short.has(at));
  const counts = { configurations: 0, "kills of PostgreSQL": 0, acknowledged: 0 };
  const findings: string[] = [];
  for (const configuration of chosen) {
    if (campaign.deadline.aborted) break;
    campaign.progress(`one server, ${configuration.name}`);
    const { acknowledged, found, killed } = await inFolder((folder) =>
      tryConfiguration(campaign, configuration, folder),
    );
    counts.configurations += 1;
    counts["kills of PostgreSQL"] += killed;
    counts.acknowledged += acknowledged;
    findings.push(...found.map((finding) => `${configuration.name}: ${finding}`));
  }
  return { counts, findings };
}

async function tryConfiguration(
  { scale, random }: Campaign,
  configuration: Configuration,
  folder: string,
) {
  const { server, accounts } = await makeServer(`${folder}/data`);
  const { port } = server.place;
  const url = `${databaseUrl(port, accounts.own)}${configuration.query ?? ""}`;
  const service = new Production(`${folder}/service`, url);
  const found: string[] = [];
  let acknowledged = 0;
  try {
    await server.start(configuration.server);
    if (configuration.statement !== undefined) await server.ask(configuration.statement);
    found.push(...(await showForgetting(server, url, configuration)));
    await service.start();
    const token = await service.makeCompany();
    for (let kill = 0; kill < kills[scale]; kill += 1) {
      const load = new Load(service.url, token, `kill-${kill}`);
      await load.reach(acknowledgedLeast);
      await sleep(random.integer(0, loadMs[scale]));
      await server.kill();
      await load.stop();
      await server.start(configuration.server);
      found.push(...(await untilReady(service.url, recoveryLimitMs)));
      const there = await service.readReferences();
      const lost = load.acknowledged.filter((reference) => !there.has(reference));
      if (load.acknowledged.length === 0) found.push(`nothing was acknowledged: ${load.refusal}`);
      if (lost.length > 0)
        found.push(`${lost.length} of ${load.acknowledged.length} acknowledged transfers are lost`);
      acknowledged += load.acknowledged.length;
    }
    const { code, stdout, stderr } = await service.command(["audit", "--full", "--json"]);
    if (code !== 0) found.push(`the audit says: ${stdout} ${stderr}`);
    // That has nothing to do with the other settings: once is enough.
    const taken = configuration.server === undefined ? ["fsync", "full_page_writes"] : [];
    for (const setting of taken) found.push(...(await takeAway(server, service, setting)));
    return { acknowledged, found, killed: kills[scale] };
  } finally {
    await service.stop();
    await server.kill();
  }
}

/** A setting that is changed under a running service is told, nothing begins there, and it can be accepted by its name. */
async function takeAway(server: Server, service: Production, setting: string): Promise<string[]> {
  const found: string[] = [];
  await server.ask(`alter system set ${setting} = off`);
  await server.ask("select pg_reload_conf()");
  const series = `cauri_database_not_durable{setting="${setting}"}`;
  found.push(...(await service.untilMetric(series, "1")));
  const refused = await service.command(["migrate"]);
  if (refused.code === 0 || !refused.stderr.includes(`${setting} is off`))
    found.push(`a start with ${setting} off was not refused: ${refused.stderr}`);
  const accepted = await service.command(["migrate"], { PAYMENTS_MAY_BE_LOST_WITHOUT: setting });
  if (accepted.code !== 0) found.push(`${setting} off could not be accepted: ${accepted.stderr}`);
  await server.ask(`alter system reset ${setting}`);
  await server.ask("select pg_reload_conf()");
  return found;
}

/** That nothing is lost shows something only where a session without the precaution does lose. */
async function showForgetting(
  server: Server,
  url: string,
  { isForgetful, server: settings }: Configuration,
): Promise<string[]> {
  const rows = await acknowledgeRows(url);
  await server.kill();
  await server.start(settings);
  const lost = await countLost(url, rows);
  return lost > 0 === isForgetful
    ? []
    : [`a session that takes no precaution lost ${lost} of ${rows} rows: this shows nothing`];
}
