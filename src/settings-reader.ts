import { readFileSync } from "node:fs";
import { type Country, countryCodes, findCountry } from "./kernel/countries.ts";
import { databaseUrlShape, parseDatabaseUrl } from "./kernel/database-url.ts";
import { parseMasterKeys } from "./kernel/master-keys.ts";
import { isMsisdn, toDigits } from "./kernel/msisdn.ts";
import { readSecrets } from "./secret-settings.ts";

export type Settings = Readonly<Record<string, string | undefined>>;

const roles = ["api", "worker", "webhooks"] as const;
export type Role = (typeof roles)[number];

const hopsMax = 10;
export const processesMax = 64;
const portMax = 65_535;

/**
 * The environment, over it what stands in the file that SETTINGS_FILE names (NAME=value lines, as systemd reads them), and the secrets that have files
 * of their own. A process cannot be given another environment while it runs, but a file can be read again.
 */
export function readSettings(environment: Settings, problems: string[] = []): Settings {
  return readSecrets(withFile(environment, problems), problems);
}

function withFile(environment: Settings, problems: string[]): Settings {
  const inFile = readSettingsFile(environment, problems);
  // Without a file it is left as it is: who asks which settings there are watches what is read of it.
  return Object.keys(inFile).length === 0 ? environment : { ...environment, ...inFile };
}

/** What stands in the file of settings alone; nothing where there is none. */
export function readSettingsFile(environment: Settings, problems: string[] = []): Settings {
  const path = environment["SETTINGS_FILE"]?.trim() ?? "";
  if (path === "") return {};
  try {
    return parseLines(readFileSync(path, "utf8"));
  } catch (error) {
    problems.push(`SETTINGS_FILE cannot be read: ${(error as Error).message}.`);
    return {};
  }
}

function parseLines(text: string): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const line of text.split("\n").map((one) => one.trim())) {
    const at = line.indexOf("=");
    if (at < 1 || line.startsWith("#") || line.startsWith(";")) continue;
    const value = line.slice(at + 1).trim();
    const isQuoted =
      value.length > 1 &&
      (value.startsWith('"') || value.startsWith("'")) &&
      value.endsWith(value[0] ?? "");
    settings[line.slice(0, at).trim()] = isQuoted ? value.slice(1, -1) : value;
  }
  return settings;
}

/** One way to read each kind of setting. What is wrong with a value is added to the problems, as a sentence. */
export function settingsReader(environment: Settings, problems: string[]) {
  // An empty value counts as not set: that is how a variable is switched off in most process managers.
  const text = (name: string): string | undefined => environment[name]?.trim() || undefined;

  const parsed = <Value>(
    name: string,
    expected: string,
    parse: (value: string) => Value | undefined,
  ) => {
    const value = text(name);
    if (value === undefined) return undefined;
    const result = parse(value);
    if (result === undefined) problems.push(`${name} must be ${expected}.`);
    return result;
  };

  return {
    text,
    integer: (name: string, min: number, max: number, fallback: number): number =>
      parsed(name, `a whole number from ${min} to ${max}`, (value) => {
        const number = Number(value);
        return /^\d+$/.test(value) && number >= min && number <= max ? number : undefined;
      }) ?? fallback,
    ratio: (name: string, fallback: number): number =>
      parsed(name, "a number from 0 to 1, such as 0.1", (value) =>
        /^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/.test(value) ? Number(value) : undefined,
      ) ?? fallback,
    headers: (name: string): Readonly<Record<string, string>> =>
      parsed(
        name,
        "names and values such as authorization=Bearer%20abc,x-team=pay",
        parseHeaders,
      ) ?? {},
    hops: (name: string): number =>
      parsed(
        name,
        `the number of proxies in front of this node, ${hopsMax} at most, or false for none ("true" would believe what a caller writes about itself: for one proxy, give 1)`,
        (value) =>
          value === "false"
            ? 0
            : /^\d{1,2}$/.test(value) && Number(value) <= hopsMax
              ? Number(value)
              : undefined,
      ) ?? 0,
    processes: (name: string): number | "auto" =>
      parsed(name, `auto, or a whole number from 1 to ${processesMax}`, (value) =>
        value === "auto"
          ? value
          : /^[1-9]\d?$/.test(value) && Number(value) <= processesMax
            ? Number(value)
            : undefined,
      ) ?? 1,
    /** So many in a row; the first one is what is set. */
    ports: (name: string, count: number): readonly number[] | undefined =>
      parsed(name, `the first of ${count} ports, from 1 to ${portMax + 1 - count}`, (value) => {
        const first = Number(value);
        return /^[1-9]\d{0,4}$/.test(value) && first + count - 1 <= portMax
          ? Array.from({ length: count }, (_, place) => first + place)
          : undefined;
      }),
    budget: (name: string, fallback: { readonly hour: number; readonly day: number }) =>
      parsed(name, "messages an hour and a day, each at least 1, such as 12/30", (value) => {
        const [, hour, day] = /^([1-9][0-9]{0,8})\/([1-9][0-9]{0,8})$/.exec(value) ?? [];
        return hour === undefined || day === undefined
          ? undefined
          : { hour: Number(hour), day: Number(day) };
      }) ?? fallback,
    oneOf: <Choice extends string>(
      name: string,
      choices: readonly Choice[],
      fallback: Choice,
    ): Choice =>
      parsed(name, `one of ${choices.join(", ")}`, (value) =>
        choices.find((choice) => choice === value),
      ) ?? fallback,
    url: (name: string, schemes: readonly string[]): string | undefined =>
      parsed(
        name,
        `a URL beginning with ${schemes.map((scheme) => `${scheme}//`).join(" or ")}`,
        (value) =>
          URL.canParse(value) && schemes.includes(new URL(value).protocol) ? value : undefined,
      ),
    database: (name: string): string | undefined =>
      parsed(name, databaseUrlShape, (value) => parseDatabaseUrl(value) && value),
    /** One of several shapes, each by its own pattern: together they could not be proven linear in a moment. */
    matching: (name: string, pattern: RegExp | RegExp[], expected: string): string | undefined =>
      parsed(name, expected, (value) =>
        [pattern].flat().some((one) => one.test(value)) ? value : undefined,
      ),
    msisdn: (name: string, fallback: string): string =>
      parsed(name, "a phone number of 8 to 15 digits with its country code", (value) =>
        isMsisdn(value) ? toDigits(value) : undefined,
      ) ?? fallback,
    country: (name: string): Country | undefined =>
      parsed(name, `one of ${countryCodes.join(", ")}`, findCountry),
    keys: (name: string): readonly Buffer[] =>
      parsed(
        name,
        "32 bytes in base64 or hexadecimal (try: openssl rand -base64 32), or several with commas between them",
        parseMasterKeys,
      ) ?? [],
    roles: (name: string): ReadonlySet<Role> =>
      parsed(name, listOf(roles), (value) => chooseFrom(roles, value)) ?? new Set(roles),
    someOf: <Choice extends string>(
      name: string,
      choices: readonly Choice[],
    ): ReadonlySet<Choice> =>
      parsed(name, listOf(choices), (value) => chooseFrom(choices, value)) ?? new Set(),
  };
}

function listOf(choices: readonly string[]): string {
  return `a list of ${choices.join(", ")}`;
}

/** Names with commas between them; undefined when one is not among the choices. */
function chooseFrom<Choice extends string>(
  choices: readonly Choice[],
  value: string,
): ReadonlySet<Choice> | undefined {
  const names = value.split(",").map((name) => name.trim());
  const known = choices.filter((choice) => names.includes(choice));
  return known.length === names.length ? new Set(known) : undefined;
}

/** As OpenTelemetry writes them: pairs with commas between them, values percent-encoded. */
function parseHeaders(text: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const pair of text.split(",")) {
    const [, name, encoded] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=(.*)$/.exec(pair) ?? [];
    if (name === undefined || encoded === undefined) return undefined;
    try {
      const value = decodeURIComponent(encoded.trim());
      if (!/^[\x20-\x7e]*$/.test(value)) return undefined;
      headers[name.toLowerCase()] = value;
    } catch {
      return undefined;
    }
  }
  return headers;
}
