import type { FastifyRequest } from "fastify";
import { toPublicId } from "../../kernel/ids.ts";
import { actorOf, type LoginAnswer } from "../../staff/login.ts";
import { personIdPrefix } from "../../staff/person.ts";
import { type Factor, recordRefusal } from "../../staff/refusals.ts";
import type { ConsoleParts } from "../parts.ts";
import { browserOf } from "./browser-of.ts";

/**
 * Writes down how a try to sign in ended: in the log, with the address it came from, and the refusals of people that exist in their
 * trail. (Who signed in is in the trail already.) What was typed is in neither. Call it after the answer is sent: whether somebody
 * exists must not show in how long it takes.
 */
export async function noteSignIn(
  parts: ConsoleParts,
  request: FastifyRequest,
  factor: Factor,
  answer: LoginAnswer,
): Promise<void> {
  const { kind, person } = answer;
  const outcome = answer.kind === "session" && !answer.isOpen ? "half" : kind;
  const personId = person && toPublicId(personIdPrefix, person.id);
  request.log.info({ signIn: outcome, factor, personId, address: request.address }, "sign-in");
  if (person === undefined || (kind !== "refused" && kind !== "copied")) return;
  const by = actorOf(person, browserOf(parts, request));
  try {
    await recordRefusal(parts.database, person, by, "person.sign_in_refused", factor);
  } catch (error) {
    request.log.error({ err: error }, "a refused sign-in is not in the trail");
  }
}
