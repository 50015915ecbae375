/** One of the servers that the address of a database names. */
export interface DatabaseHost {
  /** Host and port, without anything secret. */
  readonly name: string;
  /** The same address with this server alone. */
  readonly url: string;
}

export interface DatabaseAddress {
  /** In the order in which they are tried. */
  readonly hosts: readonly DatabaseHost[];
  /** What a session has to be, in libpq's words: of a server that is no standby, or one that may write now. */
  readonly sessionMust: "primary" | "read-write";
  /** How long to wait for one of several servers, or as long as the address says. Undefined: the caller's own limit. */
  readonly connectTimeoutMs: number | undefined;
}

const hostsMax = 10;
/** What an address that can be used is, for whoever gave another. */
export const databaseUrlShape = `a URL beginning with postgres:// or postgresql://, with one host or up to ${hostsMax} with commas between them, and target_session_attrs read-write, primary or left out`;
/** As libpq writes it, user and password first. A comma may be part of a password, so the last @ counts. */
const shape = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#@]*)((?:[/?#].*)?)$/s;
/** Of several servers, one that does not answer must not keep the next from being asked. */
const oneOfSeveralTimeoutMs = 1_000;
const sessions = new Set(["any", "primary", "read-write"]);

/**
 * Reads postgres://user:password@one:5432,two:5432/name?target_session_attrs=read-write. Undefined: it cannot be used.
 * Whoever keeps books writes, so a standby is never an answer, and `any` means what is needed.
 */
export function parseDatabaseUrl(text: string): DatabaseAddress | undefined {
  const [, scheme = "", user, authority, rest = ""] = shape.exec(text) ?? [];
  if (authority === undefined) return undefined;
  const names = authority.split(",");
  const hosts = names.map((name) => ({
    name: name === "" ? "localhost" : name,
    url:
      names.length === 1 ? text : `${scheme}${user === undefined ? "" : `${user}@`}${name}${rest}`,
  }));
  if (hosts.length > hostsMax || !hosts.every(({ url }) => URL.canParse(url))) return undefined;
  if (hosts.length > 1 && names.includes("")) return undefined;

  const { searchParams } = new URL(hosts[0]?.url ?? "");
  const session = searchParams.get("target_session_attrs") ?? "any";
  if (!sessions.has(session)) return undefined;
  const seconds = Number(searchParams.get("connect_timeout") ?? 0);
  const isAlone = hosts.length === 1;
  return {
    hosts,
    sessionMust:
      session === "read-write" || (session === "any" && !isAlone) ? "read-write" : "primary",
    connectTimeoutMs: seconds > 0 ? seconds * 1_000 : isAlone ? undefined : oneOfSeveralTimeoutMs,
  };
}

const sslModes = ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"];

/**
 * What is wrong with how an address asks for encryption, as the end of a sentence; undefined: nothing. A word that the driver does not
 * know would count as "on", and two of the ones it knows trust every certificate, which production does not.
 */
export function encryptionProblemOf(url: string, isProduction: boolean): string | undefined {
  const { searchParams } = new URL(parseDatabaseUrl(url)?.hosts[0]?.url ?? url);
  // Of a parameter that comes twice the driver takes the last.
  const modes = searchParams.getAll("sslmode");
  if (!modes.every((mode) => sslModes.includes(mode)))
    return "must have one of disable, require or verify-full for sslmode";
  if (!isProduction) return undefined;
  if (modes.includes("no-verify"))
    return "has sslmode=no-verify, which trusts every certificate: not in production (use verify-full)";
  return searchParams.has("uselibpqcompat")
    ? "has uselibpqcompat, with which certificates may go unchecked: not in production (use sslmode=verify-full)"
    : undefined;
}
