import type { Journal } from "../traffic/journal.ts";

/** Of a right token, enough money and known things, these were decided by somebody who did not know. */
export function guesses({ transfers, charges }: Journal): string[] {
  const sent = [...transfers, ...charges, ...charges.flatMap(({ payments }) => payments)];
  return sent.flatMap(({ call, outcomes }) =>
    outcomes.flatMap((outcome) =>
      outcome.kind === "refused" && [401, 402, 403, 404].includes(outcome.status)
        ? [`${call.method} ${call.path} was answered ${outcome.status} ${outcome.code}`]
        : [],
    ),
  );
}
