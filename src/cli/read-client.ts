import { accessTokenShape } from "../companies/access-token.ts";
import { InvalidConfiguration } from "../kernel/errors.ts";
import { OperatorError } from "../kernel/operator-error.ts";
import { withoutSlashes } from "../kernel/without-slashes.ts";
import { type Credentials, type Environment, readCredentials } from "./credentials.ts";
import { describeWrongToken } from "./describe-token.ts";
import { LoggedInElsewhere, NotLoggedIn, TwoLogins } from "./errors.ts";
import { askedProfile, profileDefault, profilePath } from "./profiles.ts";

export interface Client {
  readonly url: string;
  readonly token: string;
  /** What its notifications are signed with, where it is known. */
  readonly secretKey: string | undefined;
  /** The login that the token was kept under; undefined where it comes from CAURI_TOKEN. */
  readonly profile: string | undefined;
  /** Whose the token was when it was kept, where that is known: the service refuses it for any other. */
  readonly companyId: string | undefined;
}

export const urlDefault = "http://127.0.0.1:8080";
/** For one attempt of one request; see callService. */
const timeoutDefaultMs = 15_000;

export interface ClientOptions {
  /** Of the command; before CAURI_URL. */
  readonly url?: string | undefined;
  /** Of the command; before CAURI_PROFILE. */
  readonly profile?: string | undefined;
}

/**
 * Where a business's commands send their requests, and as whom: its own settings, not those of the service. A token is no
 * argument of a command, because everybody on a machine can read those. Where CAURI_TOKEN is set, the file of `cauri login`
 * is not even read. Throws NotLoggedIn, LoggedInElsewhere, TwoLogins, InvalidConfiguration.
 */
export async function readClient(
  environment: Environment,
  options: ClientOptions = {},
): Promise<Client> {
  const own = readOwnSettings(environment);
  const secretKey = own.secretKey === undefined ? undefined : checkSecretKey(own.secretKey);
  const given = options.url ?? own.url;
  const asked = askedProfile(environment, options.profile);
  if (own.token !== undefined) {
    // Which of the two is meant cannot be told, and money would leave the account of the other.
    if (asked !== undefined) throw new TwoLogins(asked);
    const url = checkUrl(given ?? urlDefault);
    return {
      url,
      token: checkToken(own.token),
      secretKey,
      profile: undefined,
      companyId: undefined,
    };
  }
  const profile = asked ?? profileDefault;
  const kept = await readCredentials(profilePath(environment, profile));
  if (kept === undefined) throw new NotLoggedIn(asked);
  return { ...fromFile(kept, given, secretKey), profile };
}

/** The same for a command that only tells which one comes next: undefined where there is no login that can be used. */
export async function findClient(
  environment: Environment,
  options: ClientOptions = {},
): Promise<Client | undefined> {
  try {
    return await readClient(environment, options);
  } catch (error) {
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
}

function fromFile(
  kept: Credentials,
  given: string | undefined,
  secretKey: string | undefined,
): Omit<Client, "profile"> {
  const url = checkUrl(kept.url);
  if (given !== undefined && checkUrl(given) !== url)
    throw new LoggedInElsewhere(url, checkUrl(given));
  return {
    url,
    token: checkToken(kept.token),
    secretKey: secretKey ?? kept.secretKey ?? undefined,
    companyId: isCompanyId(kept.companyId) ? kept.companyId : undefined,
  };
}

/** What is kept was told by a service, or was kept before companies were. */
function isCompanyId(kept: unknown): kept is string {
  return typeof kept === "string" && /^com_\w{1,64}$/.test(kept);
}

/** What the environment says for itself; what is empty is not said. */
export function readOwnSettings(environment: Environment): {
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly secretKey: string | undefined;
} {
  const read = (name: string) => {
    const text = environment[name]?.trim() ?? "";
    return text === "" ? undefined : text;
  };
  return {
    url: read("CAURI_URL"),
    token: read("CAURI_TOKEN"),
    secretKey: read("CAURI_SECRET_KEY"),
  };
}

/** Without a slash at its end. */
export function checkUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.username !== "")
    throw new InvalidConfiguration([
      "CAURI_URL (or --url) must be a URL beginning with http:// or https://, without a user name.",
    ]);
  return withoutSlashes(url.trim());
}

export function checkToken(token: string): string {
  if (accessTokenShape.test(token)) return token;
  throw new InvalidConfiguration([
    `${describeWrongToken(token)} Give the access token (at_…) of the company, in CAURI_TOKEN or to \`cauri login\`.`,
  ]);
}

export function checkSecretKey(secretKey: string): string {
  if (/^sk_[\w-]{20,100}$/.test(secretKey)) return secretKey;
  throw new InvalidConfiguration([
    "Give the company's secret key (sk_…) in CAURI_SECRET_KEY, or to `cauri login`: notifications are signed with it.",
  ]);
}

/** What a company's notifications are signed with; no argument either. */
export function needSecretKey({ secretKey }: Pick<Client, "secretKey">): string {
  return checkSecretKey(secretKey ?? "");
}

/** CAURI_TIMEOUT_MS, for networks that are slower than most. */
export function readTimeoutMs({ CAURI_TIMEOUT_MS: text = "" }: Environment): number {
  if (text === "") return timeoutDefaultMs;
  if (/^\d{1,6}$/.test(text) && Number(text) >= 100) return Number(text);
  throw new InvalidConfiguration(["CAURI_TIMEOUT_MS must be a whole number from 100 to 999999."]);
}
