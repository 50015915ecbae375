import type { ComponentChildren } from "preact";
import type { ScreenContext, StepUp } from "../context.ts";
import { stepUpWords } from "../words/step-up.ts";
import { CodeField } from "./code-field.tsx";

/**
 * A form of a session: it carries the session's token, and has one button at its end. Where its address takes a fresh proof and the
 * session has none, it asks for a code.
 */
export function Form({
  context: { href, formToken, stepUp },
  path,
  submit,
  kind = "main",
  fields = {},
  children,
}: {
  readonly context: Pick<ScreenContext, "href" | "formToken"> & {
    readonly stepUp?: StepUp | undefined;
  };
  readonly path: string;
  /** What the button says; undefined: the form has buttons of its own. */
  readonly submit?: string | undefined;
  /** danger: what cannot be undone. quiet: looks like a link. */
  readonly kind?: "main" | "second" | "quiet" | "danger";
  /** Sent along unseen. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly children?: ComponentChildren;
}) {
  const asked = stepUp?.asks(path);
  const words =
    stepUp === undefined || asked === undefined ? undefined : stepUpWords[stepUp.language];
  return (
    <form method="post" action={href(path)}>
      <input type="hidden" name="token" value={formToken} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      {words !== undefined && (
        <CodeField id={codeIdOf(path)} name="code" label={words.code} hint={words.hint} />
      )}
      {submit !== undefined && <button class={kind}>{submit}</button>}
      {asked === "any" && stepUp?.hasPasskey === true && (
        <button class="second" formnovalidate>
          {words?.usePasskey}
        </button>
      )}
    </form>
  );
}

/** A page may have several forms, each with a field of its own. */
function codeIdOf(path: string): string {
  return `code-${path.split("/").at(-1) ?? ""}`;
}
