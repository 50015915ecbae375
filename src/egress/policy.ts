import { isIP } from "node:net";
import type { Sentence } from "../kernel/language.ts";
import { isLoopbackAddress, isPublicAddress } from "./addresses.ts";

/** Where requests may go. Staging may also use http, any port, and receivers on this machine. */
export interface EgressPolicy {
  readonly environment: "staging" | "production";
  /** Undefined: 443 and 8443 in production, any port in staging. */
  readonly ports?: ReadonlySet<number>;
}

const urlLengthMax = 2_048;
const productionPorts: ReadonlySet<number> = new Set([443, 8443]);

/** What is said of a URL that may not be sent to. The name it goes by is put in front. */
const problems = {
  length: {
    en: `must be at most ${urlLengthMax} characters.`,
    fr: `doit compter au plus ${urlLengthMax} caractères.`,
  },
  spaces: {
    en: "must not contain spaces or control characters.",
    fr: "ne doit contenir ni espace ni caractère de contrôle.",
  },
  noUrl: {
    en: "is not a URL; it must be a whole one, such as https://shop.example/hooks.",
    fr: "n’est pas une URL. Écrivez-la en entier, par exemple https://shop.example/hooks.",
  },
  https: { en: "must begin with https://.", fr: "doit commencer par https://." },
  scheme: {
    en: "must begin with https:// or http://.",
    fr: "doit commencer par https:// ou http://.",
  },
  password: {
    en: "must not contain a user name or a password.",
    fr: "ne doit contenir ni nom d’utilisateur ni mot de passe.",
  },
  address: {
    en: "must lead to a public address.",
    fr: "doit mener à une adresse publique.",
  },
  addressInStaging: {
    en: "must lead to a public address, or to this machine itself (loopback, such as 127.0.0.1), which staging allows.",
    fr: "doit mener à une adresse publique, ou à cette machine elle-même (boucle locale, par exemple 127.0.0.1), admise en staging.",
  },
  host: {
    en: "must have a valid host name.",
    fr: "doit avoir un nom d’hôte valable.",
  },
  privateHost: {
    en: "must have a host name of the public internet.",
    fr: "doit avoir un nom d’hôte de l’internet public.",
  },
} as const satisfies Record<string, Sentence>;

/** Why a URL may not be sent to, for the caller; undefined when it may. Asks no DNS. */
export function findUrlProblem(url: string, policy: EgressPolicy): Sentence | undefined {
  const judged = judgeUrl(url, policy);
  return judged instanceof URL ? undefined : judged;
}

/**
 * The parsed URL, or why it may not be sent to.
 *
 * Everything is judged after parsing, on the very values that are dialled: by then every spelling of an
 * IPv4 address (2130706433, 0x7f.1, 0177.0.0.1, ①②⑦.⓪.⓪.①, 127。0。0。1) has become the dotted one.
 */
export function judgeUrl(text: string, policy: EgressPolicy): URL | Sentence {
  if (text.length > urlLengthMax) return problems.length;
  // The parser would silently remove some of these, and then the URL in our logs is not the one we use.
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for.
  if (/[\u0000-\u0020\u007f]/.test(text)) return problems.spaces;
  const url = parse(text);
  if (url === undefined) return problems.noUrl;

  const isProduction = policy.environment === "production";
  if (isProduction && url.protocol !== "https:") return problems.https;
  if (url.protocol !== "https:" && url.protocol !== "http:") return problems.scheme;
  if (url.username !== "" || url.password !== "") return problems.password;
  const ports = policy.ports ?? (isProduction ? productionPorts : undefined);
  if (ports !== undefined && !ports.has(portOf(url))) {
    return {
      en: `must use port ${[...ports].join(" or ")}.`,
      fr: `doit utiliser le port ${[...ports].join(" ou ")}.`,
    };
  }
  return findHostProblem(url.hostname, policy) ?? url;
}

/** Whether a connection to this address is allowed: asked of literals, of DNS answers, and of the peer. */
export function mayConnect(address: string, { environment }: EgressPolicy): boolean {
  return isPublicAddress(address) || (environment === "staging" && isLoopbackAddress(address));
}

function findHostProblem(hostname: string, policy: EgressPolicy): Sentence | undefined {
  const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  if (isIP(host) !== 0) {
    if (mayConnect(host, policy)) return undefined;
    return policy.environment === "staging" ? problems.addressInStaging : problems.address;
  }
  // One dot at the end is the root of DNS and changes nothing; anything else empty is a trick.
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  if (!/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(name)) return problems.host;
  if (
    policy.environment === "production" &&
    (!name.includes(".") || /\.(?:localhost|local|internal)$/.test(name))
  ) {
    return problems.privateHost;
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
