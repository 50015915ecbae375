import type { Bare } from "../context.ts";
import { Field, Problems } from "../views/field.tsx";
import { Notice } from "../views/notice.tsx";
import type { LoginWords } from "../words/login.ts";

interface ViewProps {
  readonly bare: Bare;
  readonly words: LoginWords;
  readonly problem: string | undefined;
}

export function LoginView({
  bare,
  words,
  problem,
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
      <p class="soft">{words.noAccount}</p>
    </>
  );
}

export function CodeView({
  bare,
  words,
  problem,
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
      </form>
      <p class="soft">{words.lost}</p>
      <p>
        <a href={bare.href("/console/login", { again: "1" })}>{words.startAgain}</a>
      </p>
    </>
  );
}

export function CodeField({ id, label }: { readonly id: string; readonly label: string }) {
  return (
    <Field id={id} label={label}>
      {(described) => (
        <input
          {...described}
          class="one-time"
          type="text"
          autocomplete="one-time-code"
          autocapitalize="characters"
          spellcheck={false}
          maxlength={40}
          required
        />
      )}
    </Field>
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
