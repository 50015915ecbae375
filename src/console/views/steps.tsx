import { formatMoment } from "../../pages/format.ts";
import type { ScreenContext } from "../context.ts";
import { Status, type Tone } from "./status.tsx";

/** One thing that happened. */
export interface Step {
  /** Null: it is not over. */
  readonly at: Date | null;
  readonly tone: Tone;
  readonly what: string;
  readonly note?: string | undefined;
}

/** What happened to something, in the order of time. */
export function Steps({
  context: { words, company },
  steps,
}: {
  readonly context: Pick<ScreenContext, "words" | "company">;
  readonly steps: readonly Step[];
}) {
  return (
    <ol class="steps">
      {steps.map((step, place) => (
        <li key={place}>
          <Status tone={step.tone} word={step.what} />
          <p class="soft">
            {[step.at && formatMoment(words, company.timeZone, step.at), step.note]
              .filter(Boolean)
              .join(" · ")}
          </p>
        </li>
      ))}
    </ol>
  );
}
