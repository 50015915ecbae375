import { normalized } from "../../kernel/normalized.ts";
import { Field } from "../views/field.tsx";
import type { OperationsWords } from "../words/operations.ts";

const reasonMin = 5;
const reasonMax = 200;

/** Why something is done, as it is written down; undefined when nothing is said. */
export function readReason(form: URLSearchParams): string | undefined {
  const text = plainText(form.get("reason") ?? "");
  return text.length >= reasonMin && text.length <= reasonMax ? text : undefined;
}

/** A line of text: without signs that nobody sees, and with single spaces. */
export function plainText(text: string): string {
  return normalized(text, "NFC")
    .replaceAll(/[\p{C}\p{Z}\s]+/gu, " ")
    .trim();
}

export function ReasonField({
  words,
  id = "reason",
  problem,
}: {
  readonly words: OperationsWords;
  /** A page with two forms has two of them. */
  readonly id?: string;
  readonly problem?: string | undefined;
}) {
  return (
    <Field id={id} name="reason" label={words.reason} hint={words.reasonHint} problem={problem}>
      {(described) => (
        <input
          {...described}
          type="text"
          minlength={reasonMin}
          maxlength={reasonMax}
          autocomplete="off"
          required
        />
      )}
    </Field>
  );
}
