import { isIP } from "node:net";
import { isLoopbackAddress, isPublicAddress } from "./addresses.ts";

/** Where requests may go. Staging may also use http, any port, and receivers on this machine. */
export interface EgressPolicy {
  readonly environment: "staging" | "production";
  /** Undefined: 443 and 8443 in production, any port in staging. */
  readonly ports?: ReadonlySet<number>;
}

const urlLengthMax = 2_048;
const productionPorts: ReadonlySet<number> = new Set([443, 8443]);

/** Why a URL may not be sent to, as one sentence for the caller; undefined when it may. Asks no DNS. */
export function findUrlProblem(url: string, policy: EgressPolicy): string | undefined {
  const judged = judgeUrl(url, policy);
  return typeof judged === "string" ? judged : undefined;
}

/**
 * The parsed URL, or why it may not be sent to.
 *
 * Everything is judged after parsing, on the very values that are dialled: by then every spelling of an
 * IPv4 address (2130706433, 0x7f.1, 0177.0.0.1, ①②⑦.⓪.⓪.①, 127。0。0。1) has become the dotted one.
 */
export function judgeUrl(text: string, policy: EgressPolicy): URL | string {
  if (text.length > urlLengthMax) return `The URL must be at most ${urlLengthMax} characters.`;
  // The parser would silently remove some of these, and then the URL in our logs is not the one we use.
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for.
  if (/[\u0000-\u0020\u007f]/.test(text)) {
    return "The URL must not contain spaces or control characters.";
  }
  const url = parse(text);
  if (url === undefined) return "The URL is not valid.";

  const isProduction = policy.environment === "production";
  if (isProduction && url.protocol !== "https:") return "The URL must begin with https://.";
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return "The URL must begin with https:// or http://.";
  }
  if (url.username !== "" || url.password !== "") {
    return "The URL must not contain a user name or a password.";
  }
  const ports = policy.ports ?? (isProduction ? productionPorts : undefined);
  if (ports !== undefined && !ports.has(portOf(url))) {
    return `The URL must use port ${[...ports].join(" or ")}.`;
  }
  return findHostProblem(url.hostname, policy) ?? url;
}

/** Whether a connection to this address is allowed: asked of literals, of DNS answers, and of the peer. */
export function mayConnect(address: string, { environment }: EgressPolicy): boolean {
  return isPublicAddress(address) || (environment === "staging" && isLoopbackAddress(address));
}

function findHostProblem(hostname: string, policy: EgressPolicy): string | undefined {
  const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  if (isIP(host) !== 0) {
    return mayConnect(host, policy) ? undefined : "The URL must lead to a public address.";
  }
  // One dot at the end is the root of DNS and changes nothing; anything else empty is a trick.
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  if (!/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(name)) return "The host name is not valid.";
  if (
    policy.environment === "production" &&
    (!name.includes(".") || /\.(?:localhost|local|internal)$/.test(name))
  ) {
    return "The host name must be one of the public internet.";
  }
  return undefined;
}

function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
