import type { FastifyReply } from "fastify";
import { DomainError } from "../kernel/domain-error.ts";
import { inLanguage } from "../kernel/language.ts";
import type { ScreenContext } from "./context.ts";

/** What a person can do something about is said on the page where it is done; anything else is a page of its own. */
const saidThere: ReadonlySet<string> = new Set([
  "invalid",
  "conflict",
  "unprocessable",
  "too-large",
  "rate-limited",
  "insufficient-funds",
]);
const forbiddenThere: ReadonlySet<string> = new Set([
  "own_proposal",
  "own_key",
  "of_introducer",
  "own_request",
  "request_of_introducer",
]);

/** Does what a form asks for; what stands in the way is said on the page it came from. */
export async function attempt(
  { language, seeOther }: Pick<ScreenContext, "language" | "seeOther">,
  back: string,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (!saidThere.has(error.kind) && !forbiddenThere.has(error.code)) throw error;
    return seeOther(back, { kind: "bad", text: inLanguage(language, error.said).slice(0, 900) });
  }
}
