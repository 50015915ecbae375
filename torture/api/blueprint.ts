import type { Visitor } from "./console-visitor.ts";
import type { Operation, Schema } from "./document.ts";

/** A request that the document allows, before anybody breaks it. */
export interface Blueprint {
  readonly operation: Operation;
  readonly token: string | undefined;
  /** Who is signed in to the console; undefined: nobody, or no page of it. */
  readonly visitor?: Visitor | undefined;
  /** By parameter. */
  readonly path: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Transfers to it are refused at the end and give their money back; payments by it fail. */
export const failingMsisdn = "2250700000001";
/** Nobody listens there. */
const nowhere = "http://127.0.0.1:9";

/** Where the document's examples would lead to places that exist, or be taken the second time. */
const values: Readonly<Record<string, (unique: string) => unknown>> = {
  amount: () => 5_000,
  msisdn: () => failingMsisdn,
  recipientMsisdn: () => failingMsisdn,
  reference: (unique) => unique,
  externalId: (unique) => unique,
  url: (unique) => `${nowhere}/${unique}`,
  logoUrl: (unique) => `${nowhere}/${unique}.png`,
  onCanceledRedirectionUrl: (unique) => `${nowhere}/cart?${unique}`,
  onCompletedRedirectionUrl: (unique) => `${nowhere}/thanks?${unique}`,
};

/** The document's own example of a body, with values that are good here and now. */
export function exampleBody(operation: Operation, unique: string): unknown {
  return operation.body === undefined ? undefined : fill(operation.bodyExample, unique);
}

function fill(example: unknown, unique: string): unknown {
  if (Array.isArray(example)) return example.map((item, index) => fill(item, `${unique}.${index}`));
  if (typeof example !== "object" || example === null) return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      Object.hasOwn(values, name) ? values[name]?.(unique) : fill(value, unique),
    ]),
  );
}

/** The kind of thing a path parameter names: the part of the address before it. */
export function kindOfParameter({ path }: Operation, name: string): string {
  const parts = path.split("/");
  return parts[parts.indexOf(`{${name}}`) - 1] ?? "";
}

/** Without a leading `encode`, values stand in the address as they are. */
export function toAddress(
  { operation, path }: Pick<Blueprint, "operation" | "path">,
  encode: (value: string) => string = encodeURIComponent,
): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(path[name] ?? ""));
}

export type Place = readonly (string | number)[];

export interface Field {
  readonly place: Place;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** Every field of a body, also those of the first row of a list. */
export function fieldsOf(schema: Schema, above: Place = []): Field[] {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const place = [...above, name];
    const isRequired = schema.required?.includes(name) === true;
    return [{ place, schema: inner, isRequired }, ...fieldsOf(inner, place)];
  });
  return schema.items === undefined
    ? fields
    : [...fields, ...fieldsOf(schema.items, [...above, 0])];
}

/** The body with another value at one place; undefined takes the field away. */
export function withValue(body: unknown, place: Place, value: unknown): unknown {
  const [first, ...rest] = place;
  if (first === undefined) return value;
  if (Array.isArray(body))
    return body.map((item, index) => (index === first ? withValue(item, rest, value) : item));
  const object = (body ?? {}) as Record<string, unknown>;
  return { ...object, [first]: withValue(object[first], rest, value) };
}
