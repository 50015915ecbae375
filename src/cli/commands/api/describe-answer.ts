import type { RawAnswer } from "@cauri/sdk";
import { toVisible } from "../../../kernel/visible.ts";
import type { Outcome } from "../../context.ts";
import { CallFailed } from "../../errors.ts";
import type { Json } from "../../run.ts";
import { say } from "../../say.ts";

const ignoredFieldsHeader = "cauri-ignored-fields";

/** The body is the answer; how it came is said beside it. */
export function toAnswerOutcome({ status, headers, correlationId, body }: RawAnswer): Outcome {
  say(toVisible(`${status}, correlation id ${correlationId}`));
  const ignored = headers.get(ignoredFieldsHeader);
  if (ignored !== null)
    say(
      toVisible(
        `Ignored fields: ${ignored}. Nothing was done with them; look at how they are spelled.`,
      ),
    );
  return {
    value: body ?? null,
    text:
      typeof body === "string"
        ? body.replaceAll("\r\n", "\n").trimEnd()
        : JSON.stringify(body ?? null, null, 2),
  };
}

/** The error message that follows does not hold the correlation id, so it is printed here. With --json it is in the error. */
export function sayCorrelationId(error: unknown, { json }: Json): void {
  if (json === true || !(error instanceof CallFailed)) return;
  const { correlationId } = error.facts;
  if (typeof correlationId === "string") say(toVisible(`Correlation id ${correlationId}`));
}
