import { readFileSync } from "node:fs";
import { join } from "node:path";

type Settings = Readonly<Record<string, string | undefined>>;

/** Settings whose values open something, or may: an address can have a password or a token in it. */
export const secretNames = [
  "DATABASE_URL",
  "MASTER_KEY",
  "SMS_GATEWAY_URL",
  "SMS_GATEWAY_TOKEN",
  "METRICS_TOKEN",
  "OTEL_EXPORTER_OTLP_HEADERS",
] as const;

/** Where systemd puts what a unit loads by LoadCredential. */
const credentialsVariable = "CREDENTIALS_DIRECTORY";

/**
 * The settings, and among them each secret that stands in a file: in the one that NAME_FILE names, or in the credential of systemd that is called
 * NAME. A file can be kept from other processes and from other accounts; the environment is handed on to whatever is started.
 */
export function readSecrets(settings: Settings, problems: string[]): Settings {
  const folder = textOf(settings[credentialsVariable]);
  const found: Record<string, string | undefined> = {};
  for (const name of secretNames) {
    const path = textOf(settings[`${name}_FILE`]);
    const isGiven = textOf(settings[name]) !== undefined;
    if (path !== undefined && isGiven)
      problems.push(`${name} and ${name}_FILE are both set: leave one of them out.`);
    else if (path !== undefined) found[name] = readSecret(`${name}_FILE`, path, problems);
    else if (!isGiven && folder !== undefined) found[name] = readCredential(folder, name, problems);
  }
  const names = Object.keys(found);
  if (names.length === 0 && folder === undefined) return settings;
  // What has been read is not read again, by whoever reads the result as settings.
  const done = [credentialsVariable, ...names.map((name) => `${name}_FILE`)];
  const left = Object.entries(settings).filter(([name]) => !done.includes(name));
  return { ...Object.fromEntries(left), ...found };
}

/** The files that hold a secret by the word of a setting. */
export function secretPaths(settings: Settings): string[] {
  return secretNames.flatMap((name) => textOf(settings[`${name}_FILE`]) ?? []);
}

function readSecret(name: string, path: string, problems: string[]): string | undefined {
  try {
    const value = textOf(readFileSync(path, "utf8"));
    if (value === undefined) problems.push(`${name} names an empty file.`);
    return value;
  } catch (error) {
    problems.push(`${name} cannot be read: ${(error as Error).message}.`);
    return undefined;
  }
}

/** One that is not there, or empty, counts as not set. */
function readCredential(folder: string, name: string, problems: string[]): string | undefined {
  try {
    return textOf(readFileSync(join(folder, name), "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      problems.push(`The credential ${name} cannot be read: ${(error as Error).message}.`);
    return undefined;
  }
}

function textOf(value: string | undefined): string | undefined {
  return value?.trim() || undefined;
}
