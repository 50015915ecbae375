import { type Country, countryCodes, findCountry } from "./kernel/countries.ts";
import { databaseUrlShape, parseDatabaseUrl } from "./kernel/database-url.ts";
import { parseMasterKeys } from "./kernel/master-keys.ts";
import { isMsisdn, toDigits } from "./kernel/msisdn.ts";

export type Settings = Readonly<Record<string, string | undefined>>;

const roles = ["api", "worker", "webhooks"] as const;
export type Role = (typeof roles)[number];

const hopsMax = 10;
export const processesMax = 64;
const portMax = 65_535;

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
    matching: (name: string, pattern: RegExp, expected: string): string | undefined =>
      parsed(name, expected, (value) => (pattern.test(value) ? value : undefined)),
    msisdn: (name: string, fallback: string): string =>
      parsed(name, "a phone number of 8 to 15 digits", (value) =>
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
      parsed(name, `a list of ${roles.join(", ")}`, (value) => {
        const names = value.split(",").map((role) => role.trim());
        const known = roles.filter((role) => names.includes(role));
        return known.length === names.length ? new Set<Role>(known) : undefined;
      }) ?? new Set<Role>(roles),
  };
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
