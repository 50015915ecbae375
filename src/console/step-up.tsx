import type { FastifyReply } from "fastify";
import type { App } from "../http/server.ts";
import { askedInSession } from "../staff/challenges.ts";
import { passkeySiteOf } from "../staff/passkey-site.ts";
import { useProof } from "../staff/proofs.ts";
import { type FoundSession, proveSession } from "../staff/sessions.ts";
import { codesInSession, forgetCodeTries } from "../staff/tries.ts";
import { findReadySession } from "./any-session.ts";
import type { VisitContext } from "./context.ts";
import type { ConsoleParts } from "./parts.ts";
import type { ProofNeeded } from "./proofs.ts";
import { countSessionCode, noteRefusedCode, readProof, sendChallenge } from "./read-proof.ts";
import { CodeField } from "./views/code-field.tsx";
import { Problems } from "./views/field.tsx";
import { Form } from "./views/form.tsx";
import { PasskeyButton, PasskeyScript } from "./views/passkey.tsx";
import { passkeyWords } from "./words/passkeys.ts";
import { stepUpWords } from "./words/step-up.ts";

const challengePath = "/console/step-up/challenge";
/** What a form brings along of the session and the proof: everything else is what somebody filled in. */
const proofFields: ReadonlySet<string> = new Set([
  "token",
  "code",
  "credentialId",
  "clientData",
  "authenticatorData",
  "signature",
  "userHandle",
]);

/** Whether a form that takes this proof needs another one in this session. */
export function asksForProof(needed: ProofNeeded, session: FoundSession): boolean {
  if (session.isFresh || needed === "none" || needed === "own") return false;
  return needed === "fresh" || session.person.hasSecondFactor;
}

/** Why a form was not let through. Nothing was changed. */
export interface ProofRefusal {
  /** 403: there was none. 422: it was not good. */
  readonly status: 403 | 422;
  readonly text: string;
}

/** Takes the proof that a form brings along. Undefined: it is good, and the form may do what it is for. */
export async function takeProof(
  parts: ConsoleParts,
  context: VisitContext & { readonly form: URLSearchParams },
): Promise<ProofRefusal | undefined> {
  const { database, box, clock } = parts;
  const { person, session, sessionToken, form, by, language } = context;
  const isGiven = form.has("signature") || (form.get("code") ?? "").trim() !== "";
  if (!isGiven) return { status: 403, text: stepUpWords[language].missing };
  await countSessionCode(parts, context);
  const proof = await readProof(parts, form);
  const answer = await database.transaction(async (tx) => {
    const asked = askedInSession("step_up", person.id, sessionToken);
    const proved = await useProof(tx, box, clock(), person, proof, asked, by);
    if (proved === "good") await proveSession(tx, sessionToken);
    return proved;
  });
  if (answer === "good") {
    await forgetCodeTries(database, codesInSession(session.id));
    return undefined;
  }
  await noteRefusedCode(parts, context.request, session, by, proof.kind);
  const { copied, refused } = passkeyWords[language];
  const said = proof.kind === "code" ? stepUpWords[language].codeRefused : refused;
  return { status: 422, text: answer === "copied" ? copied : said };
}

/** What the script of the page asks for, so that a passkey signs in place of the code. */
export function stepUpRoutes(app: App, parts: ConsoleParts): void {
  const options = { schema: { hide: true }, bodyLimit: 16_384, config: { proof: "none" } } as const;
  app.post(challengePath, options, async (request, reply) => {
    const signedIn = await findReadySession(parts, request, reply);
    if (signedIn === undefined) return reply;
    const { token, session } = signedIn;
    const asked = askedInSession("step_up", session.person.id, token);
    return sendChallenge(parts, reply, asked, codesInSession(session.id));
  });
}

/** The form once more, with what was filled in and a field for a code. */
export function askAgain(
  { settings }: ConsoleParts,
  context: VisitContext & { readonly form: URLSearchParams },
  { status, text }: ProofRefusal,
): Promise<FastifyReply> {
  const { request, session, form, language, words: frame, href, nonce } = context;
  const words = stepUpWords[language];
  const problem = status === 422 ? text : undefined;
  const site = session.hasPasskey ? passkeySiteOf(settings.publicUrl) : undefined;
  const kept = Array.from(form).filter(([name]) => !proofFields.has(name));
  const [path = ""] = request.url.split("?", 1);
  const content = (
    <>
      <h1>{words.title}</h1>
      {problem !== undefined && (
        <Problems title={frame.problem} problems={[{ field: "code", text: problem }]} />
      )}
      <p>{words.what}</p>
      <section class="card">
        {/* The field below is this page's own. */}
        <Form context={{ ...context, stepUp: undefined }} path={path} submit={undefined}>
          {kept.map(([name, value], index) => (
            <input key={index} type="hidden" name={name} value={value} />
          ))}
          <CodeField id="code" label={words.code} hint={words.hint} problem={problem} />
          <button class="main">{words.submit}</button>
          {site !== undefined && (
            <PasskeyButton
              words={passkeyWords[language]}
              site={site}
              label={words.signPasskey}
              ask={href(challengePath)}
            />
          )}
        </Form>
        <p>
          <a href={href("/console")}>{words.cancel}</a>
        </p>
      </section>
      {site !== undefined && <PasskeyScript nonce={nonce} />}
    </>
  );
  return context.send({
    title: words.title,
    content,
    status,
    isProblem: true,
    mayAsk: site !== undefined,
  });
}
