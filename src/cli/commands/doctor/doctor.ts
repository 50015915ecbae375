import { InvalidConfiguration } from "../../../kernel/errors.ts";
import { OperatorError } from "../../../kernel/operator-error.ts";
import { type Check, ok, outcomeOf, problem, skipped, warning } from "../../check.ts";
import type { Outcome } from "../../context.ts";
import { profilePath } from "../../profiles.ts";
import {
  type Client,
  type ClientOptions,
  checkUrl,
  readClient,
  readOwnSettings,
  urlDefault,
} from "../../read-client.ts";

import { checkNetwork } from "./check-network.ts";
import { checkService } from "./check-service.ts";
import { checkWebhooks } from "./check-webhooks.ts";

export type DoctorOptions = ClientOptions;

/** Looks at everything between this machine and a notification that arrives, and says what to do. */
export async function doctorCommand(options: DoctorOptions): Promise<Outcome> {
  return outcomeOf(await examine(options));
}

async function examine(options: DoctorOptions): Promise<Check[]> {
  const { client, check } = await findClient(options);
  if (client === undefined) return [check, ...(await checkNetwork(addressOf(options)))];
  const network = await checkNetwork(client.url);
  const before = [check, secretKeyCheck(client), ...network];
  if (network.some(({ state }) => state === "problem"))
    return [...before, skipped("token", "the service is not reached")];
  const service = await checkService(client);
  const isKnown = service.some(({ name, state }) => name === "token" && state === "ok");
  return [...before, ...service, ...(isKnown ? await checkWebhooks(client) : [])];
}

/** Every other command refuses what is wrong here; this one says so and goes on. */
async function findClient(
  options: DoctorOptions,
): Promise<{ readonly client: Client | undefined; readonly check: Check }> {
  try {
    const client = await readClient(process.env, options);
    const where =
      client.profile === undefined
        ? "from CAURI_TOKEN"
        : `kept in ${profilePath(process.env, client.profile)}, readable by you alone`;
    return { client, check: ok("credentials", where) };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const check = problem("credentials", error.message, "Mend this first; the rest needs a token.");
    return { client: undefined, check };
  }
}

function addressOf({ url }: DoctorOptions): string {
  try {
    return checkUrl(url ?? readOwnSettings(process.env).url ?? urlDefault);
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    return urlDefault;
  }
}

function secretKeyCheck({ secretKey }: Client): Check {
  return secretKey === undefined
    ? warning(
        "secret key",
        "not given",
        "Give it to `cauri login`, or set CAURI_SECRET_KEY: `webhooks listen --forward-to` and `verify-signature` use it.",
      )
    : ok("secret key", "given");
}
