import type { FrameWords } from "../words/frame.ts";

/** The filters that hold, each with the way to do without it. */
export function Chips({
  words,
  chips,
}: {
  readonly words: FrameWords;
  readonly chips: readonly { readonly label: string; readonly without: string }[];
}) {
  if (chips.length === 0) return null;
  return (
    <ul class="chips">
      {chips.map(({ label, without }) => (
        <li key={label}>
          <a href={without} aria-label={words.removeFilter(label)}>
            {label} <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
