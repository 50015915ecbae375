import { open, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { writePrivateFile } from "../kernel/private-file.ts";
import { CredentialsExposed, CredentialsUnreadable } from "./errors.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** What `cauri login` keeps. A token is only ever sent to the address that it was kept with. */
export interface Credentials {
  readonly version: 1;
  readonly url: string;
  readonly token: string;
  readonly secretKey: string | null;
  readonly companyId: string;
  readonly company: string;
  readonly environment: string;
}

const othersMode = 0o077;
/** Far more than it ever is. */
const sizeMax = 64 * 1_024;

export function credentialsPath({ XDG_CONFIG_HOME: base = "", HOME }: Environment): string {
  const home = HOME === undefined || HOME === "" ? homedir() : HOME;
  // A path that is not absolute is to be ignored, as the convention has it.
  return join(isAbsolute(base) ? base : join(home, ".config"), "cauri", "credentials.json");
}

/** Undefined where there is no file. Throws CredentialsExposed for one that others may read or write. */
export async function readCredentials(path: string): Promise<Credentials | undefined> {
  const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw new CredentialsUnreadable(path, { cause: error });
  });
  if (file === undefined) return undefined;
  try {
    // What was opened is judged, and not what stands at its place a moment later.
    const { mode, uid, size } = await file.stat();
    if ((mode & othersMode) !== 0) throw new CredentialsExposed(path, mode & 0o777);
    const me = process.getuid?.();
    if (me !== undefined && uid !== me && me !== 0) throw new CredentialsUnreadable(path);
    if (size > sizeMax) throw new CredentialsUnreadable(path);
    return parse(path, await file.readFile("utf8"));
  } finally {
    await file.close();
  }
}

function parse(path: string, text: string): Credentials {
  let kept: Partial<Credentials> | null;
  try {
    kept = JSON.parse(text) as Partial<Credentials> | null;
  } catch (error) {
    throw new CredentialsUnreadable(path, { cause: error });
  }
  if (kept?.version !== 1 || typeof kept.url !== "string" || typeof kept.token !== "string")
    throw new CredentialsUnreadable(path);
  return kept as Credentials;
}

export async function keepCredentials(path: string, credentials: Credentials): Promise<void> {
  await writePrivateFile(path, `${JSON.stringify(credentials, null, 2)}\n`);
}

/** Whether there was anything to forget. */
export async function forgetCredentials(path: string): Promise<boolean> {
  try {
    await rm(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
