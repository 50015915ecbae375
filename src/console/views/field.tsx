import type { ComponentChildren } from "preact";

interface Described {
  readonly id: string;
  readonly name: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: "true";
}

/** A label, a hint and a problem, tied to their field. */
export function Field({
  id,
  name = id,
  label,
  hint,
  problem,
  children,
}: {
  readonly id: string;
  readonly name?: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  readonly children: (described: Described) => ComponentChildren;
}) {
  const describers = [
    ...(problem === undefined ? [] : [`${id}-problem`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="soft" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p class="bad" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {children({
        id,
        name,
        ...(describers.length === 0 ? {} : { "aria-describedby": describers.join(" ") }),
        ...(problem === undefined ? {} : { "aria-invalid": "true" as const }),
      })}
    </div>
  );
}

/** What is wrong with a form, first on the page, each with a link to where it is mended. */
export function Problems({
  title,
  problems,
}: {
  readonly title: string;
  readonly problems: readonly { readonly field?: string | undefined; readonly text: string }[];
}) {
  if (problems.length === 0) return null;
  return (
    <div class="notice bad" role="alert">
      <h2>{title}</h2>
      <ul>
        {problems.map(({ field, text }) => (
          <li key={text}>{field === undefined ? text : <a href={`#${field}`}>{text}</a>}</li>
        ))}
      </ul>
    </div>
  );
}
