import { chmod, readFile, stat } from "node:fs/promises";
import type { Binaries } from "./binaries.ts";
import { EmbeddedUnavailable } from "./errors.ts";
import { exists, type Layout } from "./layout.ts";
import { type Command, runToEnd } from "./run.ts";

/** The operating-system user that PostgreSQL runs as. */
export interface ServerAccount {
  /** Who has to own the cluster; undefined when that is the current user anyway. */
  readonly owner: Owner | undefined;
  readonly command: CommandOf;
}

type CommandOf = (program: string, args: readonly string[]) => Command;

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** In order of preference; macOS calls its account _postgres. */
const ACCOUNT_NAMES = ["postgres", "_postgres", "nobody"];
const LIMIT_MS = 60_000;

/** PostgreSQL runs as the current user, unless that is root, which it refuses. */
export async function chooseAccount(layout: Layout, binaries: Binaries): Promise<ServerAccount> {
  const found = (await exists(layout.cluster)) ? await stat(layout.cluster) : undefined;
  const current = process.getuid?.();
  if (current === 0) return accountForRoot(layout, binaries, found);
  if (found !== undefined && found.uid !== current) {
    throw new EmbeddedUnavailable(
      `The database in ${layout.cluster} belongs to another user (uid ${found.uid}), and PostgreSQL only runs as its owner. Start this program as that user, or choose another data folder.`,
    );
  }
  return { owner: undefined, command: (program, args) => ({ program, args }) };
}

/** The owner of the cluster; a system account when there is no cluster yet, or when root has copied it. */
async function accountForRoot(
  { dataDir, cluster }: Layout,
  { initdb }: Binaries,
  found: Owner | undefined,
): Promise<ServerAccount> {
  const { uid, gid } = found === undefined || found.uid === 0 ? await systemAccount() : found;
  if (found?.uid === 0)
    await runToEnd({ program: "chown", args: ["-R", `${uid}:${gid}`, cluster] }, LIMIT_MS);
  // The account passes through the data folder to its cluster; the other files keep their own modes.
  await chmod(dataDir, (await stat(dataDir)).mode | 0o001);

  const probe = ["-c", 'cd "$1" && "$2" --version', "sh", dataDir, initdb];
  const complaints: string[] = [];
  for (const command of waysToRunAs({ uid, gid })) {
    const { succeeded, complaint } = await runToEnd(command("/bin/sh", probe), LIMIT_MS);
    if (succeeded) return { owner: { uid, gid }, command };
    complaints.push(complaint);
  }
  throw new EmbeddedUnavailable(
    `PostgreSQL refuses to run as root, and the account it would run as (uid ${uid}) cannot use its folders: ${complaints[0]}. Open the folders on the way to ${dataDir} and ${initdb} (chmod o+x), install setpriv (util-linux), or start this program as an ordinary user.`,
  );
}

async function systemAccount(): Promise<Owner> {
  const lines = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  for (const name of ACCOUNT_NAMES) {
    const [, , uid, gid] = lines.find((fields) => fields[0] === name) ?? [];
    if (Number(uid) > 0 && Number(gid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new EmbeddedUnavailable(
    "PostgreSQL refuses to run as root, and this machine has neither an account `postgres` nor `nobody` to run it as. Start this program as an ordinary user.",
  );
}

/**
 * Without any privilege; else with one capability that lets the account pass through folders closed to it,
 * such as /root. dac_read_search cannot write, so it comes first; containers usually have only dac_override.
 * Without `no_setuid_fixup` the kernel ignores capabilities in access(2) for anyone but root, and PostgreSQL
 * looks for its own binary that way.
 */
function waysToRunAs({ uid, gid }: Owner): CommandOf[] {
  const withCapability = (capability: string): CommandOf => {
    const only = `-all,+${capability}`;
    const identity = [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", "--no-new-privs"];
    const sets = ["--bounding-set", "--inh-caps", "--ambient-caps"].map((set) => `${set}=${only}`);
    const options = [...identity, "--securebits=+no_setuid_fixup", ...sets, "--"];
    return (program, args) => ({ program: "setpriv", args: [...options, program, ...args] });
  };
  return [
    (program, args) => ({ program, args, uid, gid }),
    withCapability("dac_read_search"),
    withCapability("dac_override"),
  ];
}
