/** A sentence that has to be seen: what was done, what to mind, or what went wrong. */
export function Notice({
  kind,
  text,
}: {
  readonly kind: "good" | "warn" | "bad";
  readonly text: string;
}) {
  return (
    <p class={`notice ${kind}`} role={kind === "bad" ? "alert" : "status"}>
      {text}
    </p>
  );
}
