import type { FastifyReply, FastifyRequest } from "fastify";
import { RouteNotFound } from "../http/errors.ts";
import { toPublicId } from "../kernel/ids.ts";
import { hemIn } from "../pages/send-page.ts";
import { type Asked, askForPasskey } from "../staff/challenges.ts";
import { endOwnSession } from "../staff/members.ts";
import { readAssertion } from "../staff/passkey.ts";
import { type PasskeySite, passkeySiteOf } from "../staff/passkey-site.ts";
import { checkAssertion, listPasskeys } from "../staff/passkeys.ts";
import { personIdPrefix } from "../staff/person.ts";
import type { Proof } from "../staff/proofs.ts";
import { recordRefusal } from "../staff/refusals.ts";
import type { FoundSession } from "../staff/sessions.ts";
import { codesInSession, countCodeTry, countOwnChallenge } from "../staff/tries.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { TooManyChallenges, TooManyCodes } from "./errors.ts";
import type { ConsoleParts } from "./parts.ts";

const codeMax = 40;

/** What a form brings to prove who sends it: a signature that its script has put there, or else the code that was typed. */
export async function readProof(
  { database, settings }: ConsoleParts,
  form: URLSearchParams,
): Promise<Proof> {
  if (!form.has("signature"))
    return { kind: "code", code: (form.get("code") ?? "").slice(0, codeMax) };
  const site = passkeySiteOf(settings.publicUrl);
  const assertion = readAssertion((name) => form.get(name) ?? "");
  const isWhole = site !== undefined && assertion !== undefined;
  const checked = isWhole ? await checkAssertion(database, site, assertion) : undefined;
  return { kind: "passkey", checked };
}

/**
 * Counts a code, or what stands in for one, that somebody gives who is signed in. By session: whoever knows the password alone
 * does not use these up. A session in which too many were wrong ends: throws TooManyCodes.
 */
export async function countSessionCode(
  { database }: Pick<ConsoleParts, "database">,
  { session, by }: { readonly session: FoundSession; readonly by: ConsolePerson },
): Promise<void> {
  const wait = await countCodeTry(database, codesInSession(session.id));
  if (wait === undefined) return;
  await endOwnSession(database, session.person, session.id, by, "codes");
  throw new TooManyCodes();
}

/** Writes down that a code, or what stands in for one, was refused in an open session: in the log and in the person's trail. */
export async function noteRefusedCode(
  { database }: Pick<ConsoleParts, "database">,
  request: FastifyRequest,
  { person }: FoundSession,
  by: ConsolePerson,
  factor: "code" | "passkey",
): Promise<void> {
  const personId = toPublicId(personIdPrefix, person.id);
  const { address, via } = by;
  request.log.info({ codeRefused: via, factor, personId, address }, "a code was refused");
  await recordRefusal(database, person, by, "person.code_refused", factor);
}

/** For the script of a form: what one of the person's passkeys is to sign. Nothing is done by it. */
export async function sendChallenge(
  { database, settings }: ConsoleParts,
  reply: FastifyReply,
  asked: Asked & { readonly personId: string },
  /** By whom such questions are counted: of a session, or at the door. */
  codes: string,
): Promise<FastifyReply> {
  const waitSeconds = await countOwnChallenge(database, codes);
  if (waitSeconds !== undefined) throw new TooManyChallenges(waitSeconds);
  const site = passkeySiteOf(settings.publicUrl);
  const passkeys = await listPasskeys(database, asked.personId);
  if (site === undefined || passkeys.length === 0) throw new RouteNotFound();
  return hemIn(reply).send(await askForPasskey(database, site, asked, passkeys));
}

/** Where a person's passkeys can be used; undefined: nowhere, or there are none. */
export async function siteOfPasskeys(
  { database, settings }: ConsoleParts,
  personId: string,
): Promise<PasskeySite | undefined> {
  const site = passkeySiteOf(settings.publicUrl);
  return site !== undefined && (await listPasskeys(database, personId)).length > 0
    ? site
    : undefined;
}
