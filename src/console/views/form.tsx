import type { ComponentChildren } from "preact";
import type { ScreenContext } from "../context.ts";

/** A form of a session: it carries the session's token, and has one button at its end. */
export function Form({
  context: { href, formToken },
  path,
  submit,
  kind = "main",
  fields = {},
  children,
}: {
  readonly context: Pick<ScreenContext, "href" | "formToken">;
  readonly path: string;
  /** What the button says; undefined: the form has buttons of its own. */
  readonly submit?: string | undefined;
  /** danger: what cannot be undone. quiet: looks like a link. */
  readonly kind?: "main" | "second" | "quiet" | "danger";
  /** Sent along unseen. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly children?: ComponentChildren;
}) {
  return (
    <form method="post" action={href(path)}>
      <input type="hidden" name="token" value={formToken} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      {submit !== undefined && <button class={kind}>{submit}</button>}
    </form>
  );
}
