import type { Schema } from "./openapi-document.ts";
import type { Field, Operation, Reference } from "./read-reference.ts";
import type { Words } from "./words/fr.ts";

/** One value that a reader can fill in before trying an operation. */
interface Input {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "body";
  readonly type: "text" | "number" | "choice" | "json";
  readonly required: boolean;
  readonly choices?: readonly string[];
  readonly example?: string;
}

/** What the page's script builds its forms from, as JSON that is safe inside HTML. */
export function describeTrials(reference: Reference, words: Words, basePath: string): string {
  const operations = reference.groups
    .flatMap((group) => group.operations)
    .filter(({ needsToken }) => needsToken)
    .map((operation) => [
      operation.id,
      { method: operation.method, path: operation.path, inputs: inputsOf(operation) },
    ]);
  const trials = { base: basePath, words: words.tryIt, operations: Object.fromEntries(operations) };
  return JSON.stringify(trials).replaceAll("<", "\\u003c");
}

function inputsOf({ parameters, body }: Operation): Input[] {
  const examples = (body?.example ?? {}) as Readonly<Record<string, unknown>>;
  return [
    ...parameters
      .filter(({ name }) => name !== "x-company-id")
      .map((one) => toInput(one, one.in, one.isRequired ? one.example : undefined)),
    ...(body?.fields ?? []).map((field) => toInput(field, "body", examples[field.name])),
  ];
}

function toInput(field: Field, place: Input["in"], example: unknown): Input {
  const type = typeOf(field.schema);
  const choices = choicesOf(field.schema);
  return {
    name: field.name,
    in: place,
    type,
    required: field.isRequired,
    ...(choices.length === 0 ? {} : { choices }),
    ...(example === undefined
      ? {}
      : { example: typeof example === "string" ? example : JSON.stringify(example, null, 2) }),
  };
}

function typeOf(schema: Schema): Input["type"] {
  const types = [schema.type].flat();
  if (choicesOf(schema).length > 0) return "choice";
  if (types.includes("integer") || types.includes("number")) return "number";
  return types.includes("object") || types.includes("array") ? "json" : "text";
}

function choicesOf(schema: Schema): string[] {
  if (schema.type === "boolean") return ["true", "false"];
  return (schema.enum ?? []).filter((value) => value !== null).map(String);
}
