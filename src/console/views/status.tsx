/** good: done. wait: under way. bad: failed. idle: ended without either. */
export type Tone = "good" | "wait" | "bad" | "idle";

const paths: Readonly<Record<Tone, string>> = {
  good: "m3.5 8.5 3 3 6-7",
  wait: "M8 4v4.2l2.8 1.8",
  bad: "m4.5 4.5 7 7m0-7-7 7",
  idle: "M4.5 8h7",
};

/** A sign, a word and a colour: none of them alone. */
export function Status({ tone, word }: { readonly tone: Tone; readonly word: string }) {
  return (
    <span class={`status ${tone}`}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        {tone === "wait" && <circle cx="8" cy="8" r="6.5" />}
        <path d={paths[tone]} />
      </svg>
      {word}
    </span>
  );
}
