import type { Link } from "../../access/links.ts";
import type { Bare } from "../context.ts";
import { Field, Problems } from "../views/field.tsx";
import type { LoginWords } from "../words/login.ts";
import { NewPasswordFields } from "./login-views.tsx";

/** The page behind a link. Whether its address has an account, it does not know: it offers both ways in. */
export function JoinView({
  bare,
  words,
  title,
  link,
  until,
  path,
  problem,
  formToken,
}: {
  readonly bare: Bare;
  readonly words: LoginWords;
  readonly title: string;
  readonly link: Link;
  readonly until: string;
  readonly path: string;
  readonly problem: { readonly field: string; readonly text: string } | undefined;
  /** Of whoever is signed in with the link's own address; undefined: nobody is. */
  readonly formToken: string | undefined;
}) {
  const post = { method: "post", action: bare.href(path, { lang: bare.language }) } as const;
  return (
    <>
      <h1>{title}</h1>
      {problem !== undefined && <Problems title={bare.words.problem} problems={[problem]} />}
      <p>
        <strong>{link.email}</strong>
      </p>
      {link.role !== null && <p>{words.joinAs(bare.words.roles[link.role])}</p>}
      <p class="soft">{words.linkUntil(until)}</p>
      {formToken !== undefined ? (
        <form {...post}>
          <input type="hidden" name="as" value="session" />
          <input type="hidden" name="token" value={formToken} />
          <p>{words.joinSignedIn}</p>
          <button>{words.joinAccept}</button>
        </form>
      ) : (
        <>
          {link.purpose !== "reset" && (
            <section class="card" aria-labelledby="account">
              <h2 id="account">{words.joinHave}</h2>
              <form {...post}>
                <input type="hidden" name="as" value="account" />
                <OwnAddress email={link.email} />
                <Field id="current" label={words.password}>
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
                <button>{words.joinAccept}</button>
              </form>
              <p>
                <a href={bare.href("/console/login", { next: path })}>{words.joinOtherWay}</a>
              </p>
            </section>
          )}
          <section class="card" aria-labelledby="new">
            <h2 id="new">{link.purpose === "reset" ? words.resetTitle : words.joinNew}</h2>
            <form {...post}>
              <input type="hidden" name="as" value="new" />
              <OwnAddress email={link.email} />
              <NewPasswordFields words={words} problem={undefined} />
              <button>{words.joinSubmit}</button>
            </form>
          </section>
        </>
      )}
    </>
  );
}

/** So that the browser keeps the password with the address it belongs to. */
function OwnAddress({ email }: { readonly email: string }) {
  return (
    <input
      class="unseen"
      type="email"
      autocomplete="username"
      value={email}
      readonly
      tabindex={-1}
      aria-hidden="true"
    />
  );
}
