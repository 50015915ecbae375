import type { FrameWords } from "../words/frame.ts";

/** The way to the pages beside this one. */
export function Pager({
  words,
  newer,
  older,
}: {
  readonly words: FrameWords;
  /** Addresses; undefined at an end of the list. */
  readonly newer: string | undefined;
  readonly older: string | undefined;
}) {
  if (newer === undefined && older === undefined) return null;
  return (
    <nav class="pager" aria-label={words.pages}>
      {newer !== undefined && (
        <a class="button second" rel="prev" href={newer}>
          {words.newer}
        </a>
      )}
      {older !== undefined && (
        <a class="button second" rel="next" href={older}>
          {words.older}
        </a>
      )}
    </nav>
  );
}
