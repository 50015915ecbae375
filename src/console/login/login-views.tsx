import type { PasskeySite } from "../../staff/passkey-site.ts";
import type { Bare } from "../context.ts";
import { CodeField } from "../views/code-field.tsx";
import { Field, Problems } from "../views/field.tsx";
import { Notice } from "../views/notice.tsx";
import { PasskeyButton, PasskeyScript, shownWithPasskeys } from "../views/passkey.tsx";
import type { LoginWords } from "../words/login.ts";
import { passkeyWords } from "../words/passkeys.ts";

interface ViewProps {
  readonly bare: Bare;
  readonly words: LoginWords;
  readonly problem: string | undefined;
  /** Where passkeys can be used; undefined: they cannot. */
  readonly site: PasskeySite | undefined;
}

export function LoginView({
  bare,
  words,
  problem,
  site,
  email,
  next,
  said,
}: ViewProps & {
  readonly email: string;
  readonly next: string | undefined;
  readonly said: string | undefined;
}) {
  return (
    <>
      <h1>{words.title}</h1>
      {said !== undefined && <Notice kind="good" text={said} />}
      {problem !== undefined && (
        <Problems title={bare.words.problem} problems={[{ field: "email", text: problem }]} />
      )}
      <form method="post" action={bare.href("/console/login", { lang: bare.language })}>
        {next !== undefined && <input type="hidden" name="next" value={next} />}
        <Field id="email" label={words.email}>
          {(described) => (
            <input
              {...described}
              type="email"
              autocomplete="username"
              maxlength={254}
              required
              value={email}
            />
          )}
        </Field>
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
        <button>{words.submit}</button>
      </form>
      {site !== undefined && <PasskeyDoor bare={bare} site={site} next={next} />}
      <p class="soft">{words.noAccount}</p>
    </>
  );
}

/** In with a passkey alone. Without script there is nothing of it. */
function PasskeyDoor({
  bare,
  site,
  next,
}: Pick<ViewProps, "bare"> & {
  readonly site: PasskeySite;
  readonly next: string | undefined;
}) {
  const words = passkeyWords[bare.language];
  return (
    <>
      <form
        method="post"
        action={bare.href("/console/login/passkey", { lang: bare.language })}
        {...shownWithPasskeys(site)}
      >
        {next !== undefined && <input type="hidden" name="next" value={next} />}
        <PasskeyButton
          words={words}
          site={site}
          label={words.useFor.signIn}
          ask={bare.href("/console/login/passkey/challenge")}
        />
      </form>
      <PasskeyScript nonce={bare.nonce} />
    </>
  );
}

export function CodeView({
  bare,
  words,
  problem,
  site,
  formToken,
  next,
}: ViewProps & { readonly formToken: string; readonly next: string | undefined }) {
  return (
    <>
      <h1>{words.codeTitle}</h1>
      {problem !== undefined && (
        <Problems title={bare.words.problem} problems={[{ field: "code", text: problem }]} />
      )}
      <p>{words.codeWhat}</p>
      <form method="post" action={bare.href("/console/login/code", { lang: bare.language })}>
        <input type="hidden" name="token" value={formToken} />
        {next !== undefined && <input type="hidden" name="next" value={next} />}
        <CodeField id="code" label={words.code} />
        <button>{words.codeSubmit}</button>
        {site !== undefined && (
          <PasskeyButton
            words={passkeyWords[bare.language]}
            site={site}
            label={passkeyWords[bare.language].use}
            ask={bare.href("/console/login/code/challenge")}
          />
        )}
      </form>
      {site !== undefined && <PasskeyScript nonce={bare.nonce} />}
      <p class="soft">{words.lost}</p>
      <p>
        <a href={bare.href("/console/login")}>{words.startAgain}</a>
      </p>
    </>
  );
}

/** A password that is chosen, twice. */
export function NewPasswordFields({
  words,
  problem,
}: {
  readonly words: LoginWords;
  readonly problem: string | undefined;
}) {
  return (
    <>
      <Field id="password" label={words.choose} hint={words.chooseHint} problem={problem}>
        {(described) => (
          <input
            {...described}
            type="password"
            autocomplete="new-password"
            maxlength={400}
            required
          />
        )}
      </Field>
      <Field id="repeat" label={words.repeat}>
        {(described) => (
          <input
            {...described}
            type="password"
            autocomplete="new-password"
            maxlength={400}
            required
          />
        )}
      </Field>
    </>
  );
}
