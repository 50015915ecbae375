import { chown, mkdtemp, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ServerAccount } from "./account.ts";
import { EmbeddedUnavailable, errorCode } from "./errors.ts";
import { type Account, clusterExists, type Layout, prepareLayout } from "./layout.ts";
import { runningPostmaster } from "./postmaster.ts";
import { runToEnd } from "./run.ts";

const DRAFT_PREFIX = "postgres.new-";

/** About a second on a fast disk; a small machine with a slow one gets plenty. */
const INITDB_LIMIT_MS = 120_000;

/** Past this age no initdb can still be at work in a draft. */
const ABANDONED_AFTER_MS = 2 * INITDB_LIMIT_MS;

export interface ClusterPlan {
  readonly layout: Layout;
  readonly account: ServerAccount;
  readonly initdb: string;
  /** The superuser that initdb makes. */
  readonly admin: Account;
  readonly log: (message: string) => void;
}

/**
 * The cluster is made in a draft folder and moved into place whole. A killed initdb therefore leaves
 * no half a cluster, and of two processes at once the second to finish finds the place taken.
 */
export async function ensureCluster(plan: ClusterPlan): Promise<void> {
  const { layout, account, log } = plan;
  if (await clusterExists(layout)) return;
  await removeAbandonedDrafts(layout);
  log(`Creating a new PostgreSQL database in ${layout.cluster}.`);
  const draft = await mkdtemp(join(layout.dataDir, DRAFT_PREFIX));
  try {
    if (account.owner !== undefined) await chown(draft, account.owner.uid, account.owner.gid);
    await runInitdb(plan, draft);
    await moveIntoPlace(join(draft, "cluster"), layout);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Removes a cluster that was made in vain, unless somebody is running it. The passwords stay, for the next one. */
export async function removeCluster(dataDir: string): Promise<void> {
  const { cluster } = await prepareLayout(dataDir);
  if ((await runningPostmaster(cluster)) === undefined)
    await rm(cluster, { recursive: true, force: true });
}

async function runInitdb({ account, initdb, admin }: ClusterPlan, draft: string): Promise<void> {
  // The account cannot read our own password file, and must not.
  const passwordFile = join(draft, "password");
  await writeFile(passwordFile, admin.password, { mode: 0o600 });
  if (account.owner !== undefined) await chown(passwordFile, account.owner.uid, account.owner.gid);
  const command = account.command(initdb, [
    `--pgdata=${join(draft, "cluster")}`,
    `--username=${admin.role}`,
    "--auth=scram-sha-256",
    `--pwfile=${passwordFile}`,
    "--encoding=UTF8",
    // Built into PostgreSQL, so that sorting and case are the same on every machine.
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--no-instructions",
  ]);
  const outcome = await runToEnd(command, INITDB_LIMIT_MS);
  if (!outcome.succeeded) {
    throw new EmbeddedUnavailable(`PostgreSQL could not be set up: ${outcome.complaint}`);
  }
}

async function moveIntoPlace(finished: string, layout: Layout): Promise<void> {
  try {
    await rename(finished, layout.cluster);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(errorCode(error) ?? "")) throw error;
    if (await clusterExists(layout)) return;
    throw new EmbeddedUnavailable(
      `${layout.cluster} exists but holds no PostgreSQL database. Move it away.`,
    );
  }
  // The rename itself has to outlast a power failure, as initdb made sure its files do.
  const folder = await open(layout.dataDir, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function removeAbandonedDrafts({ dataDir }: Layout): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(DRAFT_PREFIX)) continue;
    const draft = join(dataDir, name);
    const { mtimeMs } = await stat(draft).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) {
      await rm(draft, { recursive: true, force: true });
    }
  }
}
