import { chmod, chown, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Binaries } from "./binaries.ts";
import { EmbeddedUnavailable } from "./errors.ts";
import { exists, type Layout } from "./layout.ts";
import { type Command, runToEnd } from "./run.ts";

/** The operating-system user that PostgreSQL runs as. */
export interface ServerAccount {
  /** Who has to own the cluster; undefined when that is the current user anyway. */
  readonly owner: Owner | undefined;
  readonly command: (program: string, args: readonly string[]) => Command;
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

type Privileges = ServerAccount["command"];

/** In order of preference; macOS calls its account _postgres. */
const ACCOUNT_NAMES = ["postgres", "_postgres", "nobody"];

/**
 * Either lets an account that is not root pass through folders closed to it. The first also only
 * reads; a container started with the usual defaults has the second alone.
 */
const TRAVERSAL_CAPABILITIES = ["dac_read_search", "dac_override"];

const PROBE_LIMIT_MS = 20_000;
const CHOWN_LIMIT_MS = 60_000;

/** Prints the first folder that the account cannot enter, or the program that it cannot run. */
const REACH_PROBE = `program=$1; shift
for folder do cd "$folder" 2>/dev/null || { printf %s "$folder"; exit 1; }; done
"$program" --version >/dev/null 2>&1 || { printf %s "$program"; exit 1; }`;

export async function chooseAccount(layout: Layout, binaries: Binaries): Promise<ServerAccount> {
  const current = process.getuid?.();
  const found = (await exists(layout.cluster)) ? await stat(layout.cluster) : undefined;
  if (current !== 0) {
    if (found !== undefined && found.uid !== current) {
      throw new EmbeddedUnavailable(
        `The database in ${layout.cluster} belongs to another user (uid ${found.uid}), and PostgreSQL only runs as its owner. Start this program as that user, or choose another data folder.`,
      );
    }
    return { owner: undefined, command: (program, args) => ({ program, args }) };
  }
  // An existing cluster keeps its owner, whoever created it: the account of that name may since have
  // another number, or an ordinary user of this checkout may have been first.
  const owner =
    found !== undefined && found.uid !== 0
      ? { uid: found.uid, gid: found.gid }
      : await unprivilegedAccount();
  if (found?.uid === 0) await takeFromRoot(layout.cluster, owner);
  return { owner, command: await findPrivileges(layout, binaries, owner) };
}

async function unprivilegedAccount(): Promise<Owner> {
  const lines = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  for (const name of ACCOUNT_NAMES) {
    const [, , uid, gid] = lines.find((fields) => fields[0] === name) ?? [];
    if (Number(uid) > 0 && Number(gid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new EmbeddedUnavailable(
    "PostgreSQL refuses to run as root, and this machine has neither an account `postgres` nor `nobody` to run it as. Start this program as an ordinary user.",
  );
}

/** A cluster copied or unpacked by root has lost its owner, and PostgreSQL insists on one. */
async function takeFromRoot(cluster: string, { uid, gid }: Owner): Promise<void> {
  const args = ["-R", `${uid}:${gid}`, cluster];
  const outcome = await runToEnd({ program: "chown", args }, CHOWN_LIMIT_MS);
  if (!outcome.succeeded) {
    throw new EmbeddedUnavailable(
      `The database in ${cluster} belongs to root and could not be given to uid ${uid}: ${outcome.complaint}`,
    );
  }
}

async function findPrivileges(
  layout: Layout,
  binaries: Binaries,
  owner: Owner,
): Promise<Privileges> {
  const plain: Privileges = (program, args) => ({ program, args, ...owner });
  let blocked = await firstBlocked(plain, layout, binaries);
  if (blocked === layout.dataDir) {
    await letPass(layout.dataDir, owner);
    blocked = await firstBlocked(plain, layout, binaries);
  }
  if (blocked === undefined) return plain;

  for (const capability of TRAVERSAL_CAPABILITIES) {
    const elevated = withCapability(capability, owner);
    if ((await firstBlocked(elevated, layout, binaries)) === undefined) return elevated;
  }
  if (blocked === "") {
    throw new EmbeddedUnavailable(
      `PostgreSQL refuses to run as root, and this process may not switch to another account (uid ${owner.uid}). Start this program as an ordinary user.`,
    );
  }
  throw new EmbeddedUnavailable(
    `PostgreSQL refuses to run as root, and the account it would run as (uid ${owner.uid}) cannot use ${blocked}. Let that account in (chmod o+x ${blocked}), move this program to a folder open to it, install setpriv (util-linux), or start this program as an ordinary user.`,
  );
}

/** Empty when the account could not even be switched to. */
async function firstBlocked(
  command: Privileges,
  layout: Layout,
  { initdb }: Binaries,
): Promise<string | undefined> {
  const folders = [...folderChain(layout.dataDir), ...folderChain(dirname(initdb))];
  const probe = command("/bin/sh", ["-c", REACH_PROBE, "sh", initdb, ...folders]);
  const { succeeded, output } = await runToEnd(probe, PROBE_LIMIT_MS);
  return succeeded ? undefined : output;
}

/** Every folder on the way, the outermost first, so that the probe names the one that blocks. */
function folderChain(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [...folderChain(parent), folder];
}

/**
 * Passing through a folder is not reading it: its other files keep their own modes. The account's
 * group is the narrower opening, but taking over a group that already has rights would lock it out.
 */
async function letPass(dataDir: string, owner: Owner): Promise<void> {
  const { mode, uid } = await stat(dataDir);
  if ((mode & 0o070) === 0) {
    await chown(dataDir, uid, owner.gid);
    await chmod(dataDir, (mode & 0o7777) | 0o010);
  } else {
    await chmod(dataDir, (mode & 0o7777) | 0o001);
  }
}

/**
 * The account with one capability and no other. Without `no_setuid_fixup` the kernel ignores
 * capabilities in access(2) for anyone but root, and PostgreSQL looks for its own binary that way.
 */
function withCapability(capability: string, { uid, gid }: Owner): Privileges {
  const only = `-all,+${capability}`;
  const options = [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    "--clear-groups",
    "--no-new-privs",
    "--securebits=+no_setuid_fixup",
    `--bounding-set=${only}`,
    `--inh-caps=${only}`,
    `--ambient-caps=${only}`,
  ];
  return (program, args) => ({ program: "setpriv", args: [...options, "--", program, ...args] });
}
