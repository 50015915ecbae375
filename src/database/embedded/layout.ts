import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { readOrMakePrivateFile, writePrivateFile } from "../../kernel/private-file.ts";
import { EmbeddedUnavailable, errorCode } from "./errors.ts";

/** Where everything is below the data folder. */
export interface Layout {
  readonly dataDir: string;
  readonly cluster: string;
  readonly passwordFile: string;
  readonly adminPasswordFile: string;
  readonly portFile: string;
  readonly logFile: string;
}

/** Enough of the log's end for the reason of a failed start and its hint. */
const LOG_TAIL_BYTES = 2_000;

export async function prepareLayout(dataDir: string): Promise<Layout> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // One spelling for every process: a running server is recognised by this path on its command line.
  const real = await realpath(dataDir);
  return {
    dataDir: real,
    cluster: join(real, "postgres"),
    passwordFile: join(real, "postgres.password"),
    adminPasswordFile: join(real, "postgres.admin-password"),
    portFile: join(real, "postgres.port"),
    logFile: join(real, "postgres.log"),
  };
}

/** Looks without making the data folder, unlike `prepareLayout`. */
export function hasCluster(dataDir: string): Promise<boolean> {
  return exists(join(dataDir, "postgres", "PG_VERSION"));
}

export function clusterExists(layout: Layout): Promise<boolean> {
  return exists(join(layout.cluster, "PG_VERSION"));
}

/** A role of the server and its password. */
export interface Account {
  readonly role: string;
  readonly password: string;
}

/** Who the program is, and who sets up and stops the server: the one whom every statement obeys is not the superuser. */
export interface Accounts {
  readonly own: Account;
  readonly admin: Account;
}

const OWN_ROLE = "cauri";
const ADMIN_ROLE = "cauri_admin";

export async function readOrMakeAccounts(layout: Layout): Promise<Accounts> {
  const isThere = await clusterExists(layout);
  if (isThere && !(await exists(layout.passwordFile))) {
    throw new EmbeddedUnavailable(
      `The password file ${layout.passwordFile} of the existing database in ${layout.cluster} is missing. Put it back from a backup.`,
    );
  }
  const own = { role: OWN_ROLE, password: await readOrMakePassword(layout.passwordFile) };
  // A database of a development version has one role for both, which can never cease to be a superuser.
  if (isThere && !(await exists(layout.adminPasswordFile))) return { own, admin: own };
  const password = await readOrMakePassword(layout.adminPasswordFile);
  return { own, admin: { role: ADMIN_ROLE, password } };
}

async function readOrMakePassword(path: string): Promise<string> {
  const make = () => `${randomBytes(32).toString("base64url")}\n`;
  return (await readOrMakePrivateFile(path, make)).trim();
}

export async function readPort(layout: Layout): Promise<number | undefined> {
  try {
    const port = Number(await readFile(layout.portFile, "utf8"));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

export async function rememberPort(layout: Layout, port: number): Promise<void> {
  if ((await readPort(layout)) === port) return;
  await writePrivateFile(layout.portFile, `${port}\n`);
}

/** What the server's log says from a position on, cut to its end when that is long. */
export async function readLog(layout: Layout, fromByte = 0): Promise<string> {
  if (!(await exists(layout.logFile))) return "";
  const file = await open(layout.logFile, "r");
  try {
    const { size } = await file.stat();
    const start = Math.max(fromByte, size - LOG_TAIL_BYTES, 0);
    const length = Math.max(size - start, 0);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start);
    return buffer.subarray(0, bytesRead).toString("utf8").trim();
  } finally {
    await file.close();
  }
}

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}
