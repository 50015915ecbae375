import { Document } from "./document.tsx";
import type { Frame } from "./frame.ts";

/** Something else than a payment: a wrong link, a refusal, a failure. It knows nobody and tells nothing. */
export function ProblemPage({
  frame,
  title,
  what,
  incident,
  back,
}: {
  readonly frame: Frame;
  readonly title: string;
  readonly what: string;
  readonly incident: string;
  /** Where to go on; undefined when there is no such place. */
  readonly back: string | undefined;
}) {
  const { words } = frame;
  return (
    <Document frame={frame} title={title} isProblem>
      <h1>{title}</h1>
      <p>{what}</p>
      {back !== undefined && (
        <a class="button" href={back}>
          {words.problems.back}
        </a>
      )}
      <p class="soft">
        {words.problems.incident} {incident}
      </p>
    </Document>
  );
}
