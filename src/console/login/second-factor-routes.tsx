import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../http/server.ts";
import { formatWait } from "../../pages/format.ts";
import { QrCode } from "../../pages/qr-code.tsx";
import { actorOf } from "../../staff/login.ts";
import { checkOwnPassword, lockPerson } from "../../staff/people.ts";
import { pendingSecret, setSecondFactor, useSecondFactor } from "../../staff/second-factor.ts";
import {
  endOthers,
  type FoundSession,
  findSession,
  formTokenOf,
  proveSession,
} from "../../staff/sessions.ts";
import { toBase32, totpAddress } from "../../staff/totp.ts";
import { codesInSession, countSessionPasswordTry, forgetCodeTries } from "../../staff/tries.ts";
import { type AnySession, findAnySession } from "../any-session.ts";
import { bareOf, sendBare } from "../bare.tsx";
import type { Bare } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { countSessionCode, noteRefusedCode } from "../read-proof.ts";
import { CodeField } from "../views/code-field.tsx";
import { Field, Problems } from "../views/field.tsx";
import type { FrameWords } from "../words/frame.ts";
import { type LoginWords, loginWords } from "../words/login.ts";
import { browserOf, formOf } from "./browser-of.ts";

const hidden = { schema: { hide: true }, bodyLimit: 4_096, config: { proof: "own" } } as const;
const path = "/console/second-factor";

/** Where somebody who is signed in sets up a second factor, or another one. */
export function secondFactorRoutes(app: App, parts: ConsoleParts): void {
  const { database, box, clock, settings } = parts;

  app.get(path, hidden, async (request, reply) => {
    const signedIn = await findAnySession(parts, request, reply);
    return signedIn === undefined ? reply : show(request, reply, signedIn);
  });

  app.post(path, hidden, async (request, reply) => {
    const signedIn = await findAnySession(parts, request, reply);
    if (signedIn === undefined) return reply;
    const { token, session } = signedIn;
    const { person } = session;
    const { words: frame, language } = bareOf(parts, request);
    const words = loginWords[language];
    const form = formOf(request);
    const by = actorOf(person, browserOf(parts, request));
    const refusal = await checkPasswordFirst(parts, signedIn, form);
    if (refusal !== undefined) return show(request, reply, signedIn, refusal(words, frame), 422);
    await countSessionCode(parts, { session, by });
    const now = clock();
    const codes = await database.transaction(async (tx) => {
      // Under the person's lock: a reset that comes first has ended the session, and one that comes after takes the factor away.
      await lockPerson(tx, person.id);
      if ((await findSession(tx, token)) === undefined) return undefined;
      const current = (form.get("current") ?? "").slice(0, 40);
      if (person.hasSecondFactor && !(await useSecondFactor(tx, box, now, person, current, by)))
        return undefined;
      const secret = pendingSecret(box, token, person);
      const typed = (form.get("code") ?? "").slice(0, 40);
      const given = await setSecondFactor(tx, box, now, person, secret, typed, by);
      if (given === undefined) return undefined;
      await endOthers(tx, person.id, token);
      await proveSession(tx, token);
      return given;
    });
    if (codes === undefined) {
      await noteRefusedCode(parts, request, session, by, "code");
      return show(request, reply, signedIn, words.factorRefused, 422);
    }
    await forgetCodeTries(database, codesInSession(session.id));
    return showCodes(request, reply, codes);
  });

  function show(
    request: FastifyRequest,
    reply: FastifyReply,
    { token, session }: AnySession,
    problem?: string,
    status = 200,
  ): Promise<FastifyReply> {
    const bare = bareOf(parts, request);
    const words = loginWords[bare.language];
    const { person } = session;
    const secret = pendingSecret(box, token, person);
    return sendBare(parts, request, reply, bare, {
      title: person.hasSecondFactor ? words.factorChangeTitle : words.factorTitle,
      content: (
        <SecondFactorView
          bare={bare}
          words={words}
          problem={problem}
          secret={secret}
          address={totpAddress(secret, person.email, settings.operator.name)}
          formToken={formTokenOf(token, session.companyId)}
          isChange={person.hasSecondFactor}
          takesPassword={takesPassword(session)}
        />
      ),
      status,
      isProblem: problem !== undefined,
      path,
    });
  }

  function showCodes(
    request: FastifyRequest,
    reply: FastifyReply,
    codes: readonly string[],
  ): Promise<FastifyReply> {
    const bare = bareOf(parts, request);
    const words = loginWords[bare.language];
    const content = (
      <>
        <h1>{words.codesTitle}</h1>
        <p>{words.codesWhat}</p>
        <ul class="codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <p>
          <a class="button" href={bare.href("/console")}>
            {words.codesNext}
          </a>
        </p>
      </>
    );
    return sendBare(parts, request, reply, bare, { title: words.codesTitle, content });
  }
}

/** The first factor of somebody who has not just signed in: whoever finds a session open must not add their own. */
function takesPassword({ person, isFresh }: FoundSession): boolean {
  return !person.hasSecondFactor && !isFresh;
}

/** Undefined: the password is right, or was given a moment ago. */
async function checkPasswordFirst(
  { database }: ConsoleParts,
  { session }: AnySession,
  form: URLSearchParams,
): Promise<((words: LoginWords, frame: FrameWords) => string) | undefined> {
  if (!takesPassword(session)) return undefined;
  const wait = await countSessionPasswordTry(database, session.id);
  if (wait !== undefined) return (words, frame) => words.wait(formatWait(frame, wait));
  const kept = await checkOwnPassword(database, session.person.id, form.get("password") ?? "");
  return kept === undefined ? (words) => words.problems.wrong : undefined;
}

function SecondFactorView({
  bare,
  words,
  problem,
  secret,
  address,
  formToken,
  isChange,
  takesPassword: asksPassword,
}: {
  readonly bare: Bare;
  readonly words: LoginWords;
  readonly problem: string | undefined;
  readonly secret: Buffer;
  readonly address: string;
  readonly formToken: string;
  readonly isChange: boolean;
  readonly takesPassword: boolean;
}) {
  const groups = toBase32(secret).replaceAll(/(.{4})(?=.)/g, "$1 ");
  return (
    <>
      <h1>{isChange ? words.factorChangeTitle : words.factorTitle}</h1>
      {problem !== undefined && (
        <Problems title={bare.words.problem} problems={[{ field: "code", text: problem }]} />
      )}
      {!isChange && <p>{words.factorWhy}</p>}
      <h2>{words.factorScan}</h2>
      <div class="qr">
        <QrCode text={address} label={words.factorQr} />
      </div>
      <h2>{words.factorText}</h2>
      <p class="secret">{groups}</p>
      <form method="post" action={bare.href(path, { lang: bare.language })}>
        <input type="hidden" name="token" value={formToken} />
        {isChange && <CodeField id="current" label={words.factorCurrent} />}
        {asksPassword && (
          <Field id="password" label={words.password}>
            {(described) => (
              <input
                {...described}
                type="password"
                autocomplete="current-password"
                maxlength={400}
                required
              />
            )}
          </Field>
        )}
        <CodeField id="code" label={words.factorCode} />
        <button>{words.factorSubmit}</button>
      </form>
    </>
  );
}
