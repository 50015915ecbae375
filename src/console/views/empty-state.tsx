import type { ComponentChildren } from "preact";

/** In place of a list with nothing in it: what will be there, and how to get it there. */
export function EmptyState({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text: string;
  /** What to do next, as a link or a button. */
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </div>
  );
}
