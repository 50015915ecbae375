import { Field } from "./field.tsx";

/** The code of the app at this moment, or a recovery code. */
export function CodeField({
  id,
  name = id,
  label,
  hint,
  problem,
}: {
  readonly id: string;
  readonly name?: string;
  readonly label: string;
  readonly hint?: string;
  readonly problem?: string | undefined;
}) {
  return (
    <Field
      id={id}
      name={name}
      label={label}
      problem={problem}
      {...(hint === undefined ? {} : { hint })}
    >
      {(described) => (
        <input
          {...described}
          class="one-time"
          type="text"
          autocomplete="one-time-code"
          autocapitalize="characters"
          spellcheck={false}
          maxlength={40}
          required
        />
      )}
    </Field>
  );
}
