import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { InvalidConfiguration } from "../kernel/errors.ts";
import { credentialsPath, type Environment } from "./credentials.ts";

/** The login of whoever names none. */
export const profileDefault = "default";

/** In small letters, because some systems have one file for shop and Shop. */
export const profileRule = "a name of 1 to 32 small letters, digits, - and _, such as shop";

export function isProfileName(text: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,31}$/.test(text);
}

/** The profile that is asked for: by the command, or else by CAURI_PROFILE. Undefined where nobody names one. */
export function askedProfile(
  { CAURI_PROFILE = "" }: Environment,
  given: string | undefined,
): string | undefined {
  const name = given ?? CAURI_PROFILE.trim();
  if (name === "") return undefined;
  if (!isProfileName(name))
    throw new InvalidConfiguration([`CAURI_PROFILE must be ${profileRule}.`]);
  return name;
}

/** Where a profile's login is kept. The default one stands where there was only one before. */
export function profilePath(environment: Environment, profile: string): string {
  const path = credentialsPath(environment);
  return profile === profileDefault ? path : join(profilesFolder(environment), `${profile}.json`);
}

/** The names that something is kept under, the default first. */
export async function listProfiles(environment: Environment): Promise<string[]> {
  const here = await namesIn(dirname(credentialsPath(environment)));
  const named = (await namesIn(profilesFolder(environment)))
    .flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? [])
    .filter((name) => isProfileName(name) && name !== profileDefault);
  return [...(here.includes("credentials.json") ? [profileDefault] : []), ...named.toSorted()];
}

function profilesFolder(environment: Environment): string {
  return join(dirname(credentialsPath(environment)), "profiles");
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw error;
  });
}
