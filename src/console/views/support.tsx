import type { Operator } from "../../config.ts";
import type { FrameWords } from "../words/frame.ts";

/** Where to ask for help, always in the same place. */
export function Support({
  words,
  operator: { support },
}: {
  readonly words: FrameWords;
  readonly operator: Operator;
}) {
  if (support === undefined) return null;
  const address = support.includes("@")
    ? `mailto:${support}`
    : `tel:${support.replaceAll(" ", "")}`;
  return (
    <p>
      {words.help} <a href={address}>{support}</a>
    </p>
  );
}
