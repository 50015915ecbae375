import type { Cauri } from "@cauri/sdk";
import { InvalidConfiguration } from "../../kernel/errors.ts";
import { toVisible } from "../../kernel/visible.ts";
import { callService } from "../call-service.ts";
import type { Outcome } from "../context.ts";
import { forgetCredentials, keepCredentials, readCredentials } from "../credentials.ts";
import { askedProfile, profileDefault, profilePath } from "../profiles.ts";
import { askSecret, readStandardInput } from "../prompt.ts";
import {
  type ClientOptions,
  checkSecretKey,
  checkToken,
  checkUrl,
  readOwnSettings,
  urlDefault,
} from "../read-client.ts";
import { say } from "../say.ts";

export interface LoginOptions extends ClientOptions {
  readonly tokenStdin?: boolean;
}

interface Keys {
  readonly token: string;
  readonly secretKey: string | undefined;
}

const inputMax = 16 * 1_024;
const otherwise =
  "Without a terminal, give the token on standard input: cauri login --token-stdin < file";

/** Keeps a token, once the service has said whose it is. */
export async function loginCommand(options: LoginOptions): Promise<Outcome> {
  const profile = askedProfile(process.env, options.profile) ?? profileDefault;
  const path = profilePath(process.env, profile);
  const own = readOwnSettings(process.env);
  // What stood there is replaced, so one that cannot be used only has no address to offer.
  const before = await readCredentials(path).catch(() => undefined);
  const url = checkUrl(options.url ?? own.url ?? before?.url ?? urlDefault);
  if (isOpenToOthers(url)) say(`${url} is not encrypted: whoever is on the way reads the token.`);
  const { token, secretKey } = options.tokenStdin === true ? await readKeys() : await askKeys(url);
  // Whose it is, the service is about to say.
  const caller = { url, token, profile, companyId: undefined };
  const { id, name, environment } = await callService(caller, {}, describeAccount);
  await keepCredentials(path, {
    version: 1,
    url,
    token,
    secretKey: secretKey ?? null,
    companyId: id,
    company: name,
    environment,
  });
  return {
    value: {
      profile,
      url,
      companyId: id,
      company: name,
      environment,
      hasSecretKey: secretKey !== undefined,
      file: path,
    },
    text: [
      `Logged in at ${url} as ${name} (${id}), ${environment}. Kept in ${path}, readable by you alone.`,
      ...(profile === profileDefault
        ? []
        : [`Commands use it with --profile ${profile}, or with CAURI_PROFILE=${profile}.`]),
      ...(secretKey === undefined
        ? ["Without the secret key; `webhooks listen --forward-to` needs it (or CAURI_SECRET_KEY)."]
        : []),
      ...(own.token === undefined
        ? []
        : ["CAURI_TOKEN is set, and goes before what is kept here: unset it to use this login."]),
    ].join("\n"),
  };
}

/** As it is shown and kept. */
async function describeAccount(cauri: Cauri) {
  const { id, name, service } = await cauri.company();
  const environment = service?.environment ?? "unknown";
  return { id: toVisible(id), name: toVisible(name), environment: toVisible(environment) };
}

/** Whoever listens on the way would hear a token. */
export function isOpenToOthers(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  const isHere = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  return protocol === "http:" && !isHere;
}

async function askKeys(url: string): Promise<Keys> {
  say(`Logging in at ${url}. What you type is not shown.`);
  const token = checkToken((await askSecret("Access token (at_…): ", otherwise)).trim());
  const secretKey = (
    await askSecret("Secret key (sk_…) that signs notifications, or Enter without: ", otherwise)
  ).trim();
  return { token, secretKey: secretKey === "" ? undefined : checkSecretKey(secretKey) };
}

/** A token and perhaps a secret key, each on its line; or the JSON of `company create --json` and of .cauri/demo.json. */
async function readKeys(): Promise<Keys> {
  if (process.stdin.isTTY) say("Token, then Ctrl-D:");
  const text = (await readStandardInput(inputMax))?.toString("utf8").trim() ?? "";
  const [token = "", secretKey = ""] = text.startsWith("{") ? fromJson(text) : text.split(/\s+/);
  return {
    token: checkToken(token),
    secretKey: secretKey === "" ? undefined : checkSecretKey(secretKey),
  };
}

function fromJson(text: string): string[] {
  try {
    const { accessToken = "", secretKey = "" } = JSON.parse(text) as Record<string, unknown>;
    return [String(accessToken), String(secretKey)];
  } catch {
    throw new InvalidConfiguration(["Standard input begins like JSON, and is none."]);
  }
}

export async function logoutCommand(options: Pick<ClientOptions, "profile">): Promise<Outcome> {
  const path = profilePath(
    process.env,
    askedProfile(process.env, options.profile) ?? profileDefault,
  );
  const wasThere = await forgetCredentials(path);
  return {
    value: { loggedOut: wasThere, file: path },
    text: wasThere
      ? `${path} is removed. The token itself stays good; the operator revokes it with \`cauri key revoke\`.`
      : "Nobody was logged in.",
  };
}
