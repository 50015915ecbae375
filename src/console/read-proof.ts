import type { FastifyReply } from "fastify";
import { RouteNotFound } from "../http/errors.ts";
import { hemIn } from "../pages/send-page.ts";
import { type Asked, askForPasskey } from "../staff/challenges.ts";
import { readAssertion } from "../staff/passkey.ts";
import { type PasskeySite, passkeySiteOf } from "../staff/passkey-site.ts";
import { checkAssertion, listPasskeys } from "../staff/passkeys.ts";
import type { Proof } from "../staff/proofs.ts";
import { countOwnChallenge } from "../staff/tries.ts";
import { TooManyChallenges } from "./errors.ts";
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

/** For the script of a form: what one of the person's passkeys is to sign. Nothing is done by it. */
export async function sendChallenge(
  { database, settings }: ConsoleParts,
  reply: FastifyReply,
  asked: Asked & { readonly personId: string },
): Promise<FastifyReply> {
  const waitSeconds = await countOwnChallenge(database, asked.personId);
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
