import { InvalidConfiguration } from "../kernel/errors.ts";

export interface Client {
  readonly url: string;
  readonly token: string;
}

const urlDefault = "http://127.0.0.1:8080";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Where a business's commands send their requests, and as whom: its own settings, not those of the service. A token is no
 * argument of a command, because everybody on a machine can read those.
 */
export function readClient(environment: Environment): Client {
  const { CAURI_URL: url = urlDefault, CAURI_TOKEN: token = "" } = environment;
  const problems = [
    ...(URL.canParse(url) && /^https?:/.test(url)
      ? []
      : ["CAURI_URL (or --url) must be a URL beginning with http:// or https://."]),
    ...(/^at_[\w-]{20,100}$/.test(token.trim())
      ? []
      : ["CAURI_TOKEN must be the access token (at_…) of the company."]),
  ];
  if (problems.length > 0) throw new InvalidConfiguration(problems);
  return { url: url.replace(/\/+$/, ""), token: token.trim() };
}

/** What a company's notifications are signed with; no argument either. */
export function readSecretKey({ CAURI_SECRET_KEY: secretKey = "" }: Environment): string {
  if (/^sk_[\w-]{20,100}$/.test(secretKey.trim())) return secretKey.trim();
  throw new InvalidConfiguration([
    "CAURI_SECRET_KEY must be the company's secret key (sk_…): what is forwarded is signed with it.",
  ]);
}
