import { callService } from "../../call-service.ts";
import type { Outcome } from "../../context.ts";
import { CallFailed } from "../../errors.ts";
import { type ClientOptions, readClient } from "../../read-client.ts";
import type { Json } from "../../run.ts";
import { sayCorrelationId, toAnswerOutcome } from "./describe-answer.ts";
import { readTarget } from "./read-path.ts";

export interface GetOptions extends ClientOptions, Json {
  readonly query?: readonly string[];
}

/** What a terminal does not show, and what would be spoiled on the way through one. */
const files = /\.(?:pdf|xlsx)$/;

/** Reads anything of the API, also what there is no command for. */
export async function getCommand(text: string, options: GetOptions): Promise<Outcome> {
  const { path, query } = readTarget(text, options.query);
  if (files.test(path))
    throw new CallFailed(
      "That is a file, and this command shows text. Fetch it with curl -o FILE and the header Authorization: Bearer at_…. Nothing was asked.",
      { code: "not_text" },
    );
  const client = await readClient(process.env, options);
  try {
    const answer = await callService(client, {}, (cauri) => cauri.request("GET", path, { query }));
    return toAnswerOutcome(answer);
  } catch (error) {
    sayCorrelationId(error, options);
    throw error;
  }
}
