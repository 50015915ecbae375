import { RouteNotFound } from "../../http/errors.ts";
import type { App } from "../../http/server.ts";
import { isForeign } from "../../pages/foreign-requests.ts";
import { formatWait } from "../../pages/format.ts";
import { hemIn, redirect } from "../../pages/send-page.ts";
import { askedAtTheDoor, askedInSession, askForPasskey } from "../../staff/challenges.ts";
import { signInByPasskey } from "../../staff/login.ts";
import { readAssertion } from "../../staff/passkey.ts";
import { passkeySiteOf } from "../../staff/passkey-site.ts";
import { isFormToken } from "../../staff/sessions.ts";
import { codesAtTheDoor, countStrangersChallenge } from "../../staff/tries.ts";
import { bareOf, sendProblem } from "../bare.tsx";
import { keepDevice, keepSessionToken, readDevice } from "../cookies.ts";
import { TooManyChallenges } from "../errors.ts";
import type { ConsoleParts } from "../parts.ts";
import { sendChallenge } from "../read-proof.ts";
import { loginWords } from "../words/login.ts";
import { passkeyWords } from "../words/passkeys.ts";
import { browserOf, formOf } from "./browser-of.ts";
import { noteSignIn } from "./note-sign-in.ts";
import { findHalf, nextOf, showLogin } from "./show-login.tsx";

const path = "/console/login/passkey";
const asking = { schema: { hide: true }, bodyLimit: 4_096, config: { proof: "none" } } as const;
const answering = { schema: { hide: true }, bodyLimit: 16_384, config: { proof: "own" } } as const;

/** Signing in with a passkey: alone, or after the password in place of the code. */
export function passkeyRoutes(app: App, parts: ConsoleParts): void {
  const { database, settings, clock } = parts;
  const site = passkeySiteOf(settings.publicUrl);

  // Everybody gets one, and no passkey is named: it tells nothing of who there is.
  app.post(`${path}/challenge`, asking, async (request, reply) => {
    if (isForeign(request, settings.publicUrl))
      return sendProblem(parts, request, reply, "foreign", 403);
    if (site === undefined) throw new RouteNotFound();
    const waitSeconds = await countStrangersChallenge(database, request.address);
    if (waitSeconds !== undefined) throw new TooManyChallenges(waitSeconds);
    const asked = askedAtTheDoor(keepDevice(settings, request, reply));
    return hemIn(reply).send(await askForPasskey(database, site, asked));
  });

  app.post(path, answering, async (request, reply) => {
    if (isForeign(request, settings.publicUrl))
      return sendProblem(parts, request, reply, "foreign", 403);
    const form = formOf(request);
    const next = nextOf(form.get("next"));
    const { href, words: frame, language } = bareOf(parts, request);
    const { refused, copied } = passkeyWords[language];
    const assertion = readAssertion((name) => form.get(name) ?? "");
    if (site === undefined || assertion === undefined)
      return showLogin(parts, request, reply, { next, problem: refused, status: 422 });
    const browser = browserOf(parts, request);
    const answer = await signInByPasskey(database, site, clock(), assertion, browser);
    if (answer.kind === "session") {
      await noteSignIn(parts, request, "passkey", answer);
      keepDevice(settings, request, reply);
      keepSessionToken(settings, reply, answer.token);
      return redirect(reply, href(next ?? "/console"));
    }
    if (answer.kind === "wait") {
      reply.header("retry-after", answer.seconds);
      const problem = loginWords[language].wait(formatWait(frame, answer.seconds));
      await showLogin(parts, request, reply, { next, problem, status: 429 });
    } else {
      const problem = answer.kind === "copied" ? copied : refused;
      await showLogin(parts, request, reply, { next, problem, status: 422 });
    }
    await noteSignIn(parts, request, "passkey", answer);
    return reply;
  });

  app.post("/console/login/code/challenge", asking, async (request, reply) => {
    if (isForeign(request, settings.publicUrl))
      return sendProblem(parts, request, reply, "foreign", 403);
    const half = await findHalf(parts, request);
    if (half === undefined || half.session.isOpen)
      return redirect(reply, bareOf(parts, request).href("/console/login"));
    if (!isFormToken(half.token, formOf(request).get("token") ?? ""))
      return sendProblem(parts, request, reply, "stale", 403);
    const { id } = half.session.person;
    const codes = await codesAtTheDoor(database, id, readDevice(settings, request));
    return sendChallenge(parts, reply, askedInSession("second_step", id, half.token), codes);
  });
}
