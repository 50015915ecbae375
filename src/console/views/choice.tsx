import { Field } from "./field.tsx";

/** What can be chosen: values, each with what it is called. */
export type Choices = readonly (readonly [value: string, name: string])[];

/** One of several; or any of them, where that has a name. */
export function Choice({
  id,
  label,
  problem,
  any,
  choices,
  chosen,
}: {
  readonly id: string;
  readonly label: string;
  readonly problem?: string | undefined;
  readonly any?: string;
  readonly choices: Choices;
  readonly chosen: string | undefined;
}) {
  return (
    <Field id={id} label={label} problem={problem}>
      {(described) => (
        <select {...described}>
          {any !== undefined && <option value="">{any}</option>}
          {choices.map(([value, name]) => (
            <option key={value} value={value} selected={value === chosen}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
