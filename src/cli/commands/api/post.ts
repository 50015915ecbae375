import { randomUUID } from "node:crypto";
import type { Cauri } from "@cauri/sdk";
import { callService } from "../../call-service.ts";
import { commandFor, optionWords } from "../../command-for.ts";
import { confirm } from "../../confirm.ts";
import type { Outcome } from "../../context.ts";
import { type ClientOptions, readClient } from "../../read-client.ts";
import type { Json, Yes } from "../../run.ts";
import { say } from "../../say.ts";
import { sayCorrelationId, toAnswerOutcome } from "./describe-answer.ts";
import { type Body, readRequestBody } from "./read-body.ts";
import { readTarget } from "./read-path.ts";

export interface PostOptions extends ClientOptions, Json, Yes {
  readonly data?: string;
  readonly idempotencyKey?: string;
}

/** Sends anything to the API under a key, so that running it again with the key does not do it twice. */
export async function postCommand(text: string, options: PostOptions): Promise<Outcome> {
  const { path, query } = readTarget(text);
  const client = await readClient(process.env, options);
  const body = options.data === undefined ? undefined : await readRequestBody(options.data);
  const idempotencyKey = options.idempotencyKey ?? `cli-post-${randomUUID()}`;
  const repeated = { "-d": options.data, "--idempotency-key": idempotencyKey };
  const again = commandFor(client, "post", text, ...optionWords(repeated));
  const whenUnknown = `Run it again with the same body and the same key, and it will not happen twice: ${again}`;
  const call = { whenUnknown, ...(body === undefined ? {} : { fetch: asWritten(body) }) };
  try {
    const answer = await callService(client, call, async (cauri) => {
      await askInProduction(cauri, path, body, options);
      // Printed before the request is sent: whoever presses Ctrl-C needs the key to repeat it safely.
      say(`The key of this request: ${idempotencyKey}`);
      const more = body === undefined ? {} : { body: body.value };
      return cauri.request("POST", path, { query, idempotencyKey, ...more });
    });
    return toAnswerOutcome(answer);
  } catch (error) {
    sayCorrelationId(error, options);
    throw error;
  }
}

/** What a number loses when it is read here, the service could no longer refuse: the body is sent as it was written. */
function asWritten({ text }: Body): typeof fetch {
  return (input, init) => fetch(input, init?.body === undefined ? init : { ...init, body: text });
}

/** Any path may move money. Where the service does not say that none is real, it is. */
async function askInProduction(
  cauri: Cauri,
  path: string,
  body: Body | undefined,
  options: Yes,
): Promise<void> {
  if (options.yes === true) return;
  const { name, service } = await cauri.company();
  if (service?.environment === "staging") return;
  say(`POST ${path}\n${body?.text.trim() ?? "(without a body)"}`);
  await confirm(`Send this as ${name} in ${service?.environment ?? "production"}?`, options);
}
