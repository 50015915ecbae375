import { referredName, type Schema } from "../openapi-document.ts";
import type { Field } from "../read-reference.ts";
import type { Words } from "../words/fr.ts";
import { anchors, type Frame, sayOfField } from "./frame.ts";

interface FieldsProps {
  readonly frame: Frame;
  /** What they are fields of. */
  readonly of: string;
  readonly fields: readonly Field[];
  /** Of an answer: there, nobody has to be told what is required. */
  readonly isAnswer?: boolean;
}

/** Names, types, bounds and meanings, with what nested ones consist of. */
export function Fields({ frame, of, fields, isAnswer = false }: FieldsProps) {
  return (
    <ul class="fields">
      {fields.map((field) => (
        <li key={field.name}>
          <p>
            <code>{field.name}</code> <TypeOf words={frame.words} schema={field.schema} />
            <Presence words={frame.words} isRequired={field.isRequired} isAnswer={isAnswer} />
          </p>
          <p>{sayOfField(frame, of, field)}</p>
          <Bounds words={frame.words} field={field} />
          {field.fields.length > 0 && (
            <Fields frame={frame} of={field.name} fields={field.fields} isAnswer={isAnswer} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Presence(props: {
  readonly words: Words;
  readonly isRequired: boolean;
  readonly isAnswer: boolean;
}) {
  const { words, isRequired, isAnswer } = props;
  if (isAnswer) return isRequired ? null : <i>{words.sometimes}</i>;
  return isRequired ? <b>{words.required}</b> : <i>{words.optional}</i>;
}

function TypeOf({ words, schema }: { readonly words: Words; readonly schema: Schema }) {
  const name = referredName(schema) ?? referredName(schema.items ?? {});
  if (name === undefined) return <span>{typeName(words, schema)}</span>;
  const [before = "", after = ""] =
    schema.items === undefined ? [] : words.types.listOf("\u0000").split("\u0000");
  return (
    <span>
      {before}
      <a href={`#${anchors.object(name)}`}>{name}</a>
      {after}
    </span>
  );
}

function typeName(words: Words, schema: Schema): string {
  if (schema.items !== undefined) return words.types.listOf(typeName(words, schema.items));
  const isMoment = schema.format === "date-time";
  const { listOf: _, ...plain } = words.types;
  const names: Readonly<Record<string, string>> = {
    ...plain,
    ...(isMoment ? { string: plain.date } : {}),
  };
  return [schema.type ?? "any"]
    .flat()
    .map((type) => names[type] ?? type)
    .join(words.types.or);
}

/** Every text that is stored has this shape; it says nothing to a reader. */
const anyText = /^\^\[\^\\u0000/;

function Bounds({ words, field }: { readonly words: Words; readonly field: Field }) {
  const { schema, description = "" } = field;
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  const values = (schema.enum ?? schema.items?.enum ?? []).filter(
    (value) => typeof value === "string",
  );
  const number = (value: number) => value.toLocaleString(words.lang).replaceAll("\u202f", "\u00a0");
  const range = (min: number | undefined, max: number | undefined): string | undefined => {
    if (min !== undefined && max !== undefined) return words.from(number(min), number(max));
    if (max !== undefined) return words.most(number(max));
    return min === undefined ? undefined : words.least(number(min));
  };
  const bounds = [
    range(minimum, maximum),
    // Not twice, where the description says so itself.
    description.includes("characters")
      ? undefined
      : whenSaid(words.characters, range(minLength, maxLength)),
    whenSaid(words.items, range(minItems, maxItems)),
  ].filter((text) => text !== undefined);
  const shape = pattern === undefined || anyText.test(pattern) ? undefined : pattern;
  if (values.length === 0 && bounds.length === 0 && shape === undefined) return null;
  return (
    <p class="soft">
      {values.length > 0 && words.oneOf}
      {values.map((value) => (
        <>
          {" "}
          <code>{value}</code>
        </>
      ))}
      {bounds.join(", ")}
      {shape !== undefined && (
        <>
          {" "}
          {words.shape} <code>{shape}</code>
        </>
      )}
    </p>
  );
}

function whenSaid(say: (range: string) => string, range: string | undefined): string | undefined {
  return range === undefined ? undefined : say(range);
}
