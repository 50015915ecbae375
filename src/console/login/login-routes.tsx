import type { App } from "../../http/server.ts";
import { isForeign } from "../../pages/foreign-requests.ts";
import { formatWait } from "../../pages/format.ts";
import { redirect } from "../../pages/send-page.ts";
import { confirmSignIn, signIn } from "../../staff/login.ts";
import { readEmail } from "../../staff/person.ts";
import { isFormToken } from "../../staff/sessions.ts";
import { bareOf, sendProblem } from "../bare.tsx";
import { keepDevice, keepSessionToken } from "../cookies.ts";
import type { ConsoleParts } from "../parts.ts";
import { readProof } from "../read-proof.ts";
import { loginWords } from "../words/login.ts";
import { passkeyWords } from "../words/passkeys.ts";
import { browserOf, formOf, hungUpOf } from "./browser-of.ts";
import { noteSignIn } from "./note-sign-in.ts";
import { findHalf, nextOf, showCode, showLogin } from "./show-login.tsx";

const hidden = { schema: { hide: true }, bodyLimit: 4_096, config: { proof: "own" } } as const;
/** A code, or what a passkey has signed. */
const proofBytesMax = 16_384;

/** Signing in: the password, then the second factor of whoever has one. */
export function loginRoutes(app: App, parts: ConsoleParts): void {
  const { database, settings, clock, box } = parts;

  app.get("/console/login", hidden, async (request, reply) => {
    const query = request.query as Readonly<Record<string, unknown>>;
    const { language } = bareOf(parts, request);
    const words = loginWords[language];
    const said =
      query["left"] === "1" ? words.left : query["accepted"] === "1" ? words.accepted : undefined;
    return showLogin(parts, request, reply, { next: nextOf(query["next"]), said });
  });

  app.post("/console/login", hidden, async (request, reply) => {
    if (isForeign(request, settings.publicUrl))
      return sendProblem(parts, request, reply, "foreign", 403);
    const form = formOf(request);
    const next = nextOf(form.get("next"));
    const typed = (form.get("email") ?? "").slice(0, 254);
    const secret = keepDevice(settings, request, reply);
    const browser = { ...browserOf(parts, request, secret), hungUp: hungUpOf(reply) };
    // What cannot be an address is looked for all the same: the answer takes as long.
    const email = readEmail(typed) ?? "nobody";
    const password = form.get("password") ?? "";
    const answer = await signIn(database, clock(), { email, password }, browser);
    if (answer.kind === "session") {
      await noteSignIn(parts, request, "password", answer);
      keepSessionToken(settings, reply, answer.token);
      const { href } = bareOf(parts, request);
      if (answer.isOpen) return redirect(reply, href(next ?? "/console"));
      return redirect(reply, href("/console/login/code", next === undefined ? {} : { next }));
    }
    const words = loginWords[bareOf(parts, request).language];
    if (answer.kind === "wait") {
      const problem = words.wait(formatWait(bareOf(parts, request).words, answer.seconds));
      reply.header("retry-after", answer.seconds);
      await showLogin(parts, request, reply, { next, email: typed, problem, status: 429 });
    } else {
      const problem = words.refused;
      await showLogin(parts, request, reply, { next, email: typed, problem, status: 422 });
    }
    await noteSignIn(parts, request, "password", answer);
    return reply;
  });

  app.get("/console/login/code", hidden, async (request, reply) => {
    const half = await findHalf(parts, request);
    if (half === undefined) return redirect(reply, bareOf(parts, request).href("/console/login"));
    if (half.session.isOpen) return redirect(reply, bareOf(parts, request).href("/console"));
    const query = request.query as Readonly<Record<string, unknown>>;
    return showCode(parts, request, reply, half, nextOf(query["next"]));
  });

  app.post(
    "/console/login/code",
    { ...hidden, bodyLimit: proofBytesMax },
    async (request, reply) => {
      if (isForeign(request, settings.publicUrl))
        return sendProblem(parts, request, reply, "foreign", 403);
      const half = await findHalf(parts, request);
      const { href, words: frame, language } = bareOf(parts, request);
      if (half === undefined) return redirect(reply, href("/console/login"));
      if (half.session.isOpen) return redirect(reply, href("/console"));
      const form = formOf(request);
      if (!isFormToken(half.token, form.get("token") ?? ""))
        return sendProblem(parts, request, reply, "stale", 403);
      const next = nextOf(form.get("next"));
      const browser = browserOf(parts, request, keepDevice(settings, request, reply));
      const proof = () => readProof(parts, form);
      const answer = await confirmSignIn(database, box, clock(), half, proof, browser);
      const factor = form.has("signature") ? "passkey" : "code";
      await noteSignIn(parts, request, factor, answer);
      if (answer.kind === "session") {
        keepSessionToken(settings, reply, answer.token);
        return redirect(reply, href(next ?? "/console"));
      }
      const words = loginWords[language];
      if (answer.kind !== "wait") {
        const { refused, copied } = passkeyWords[language];
        const said = form.has("signature") ? refused : words.codeRefused;
        const problem = answer.kind === "copied" ? copied : said;
        return showCode(parts, request, reply, half, next, problem, 422);
      }
      reply.header("retry-after", answer.seconds);
      const problem = words.wait(formatWait(frame, answer.seconds));
      return showCode(parts, request, reply, half, next, problem, 429);
    },
  );
}
