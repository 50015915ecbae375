import { type Field, fieldsOf, withValue } from "../api/blueprint.ts";
import type { Schema } from "../api/document.ts";
import type { Random } from "../random.ts";
import { type Breakage, hasBody, withBody, withBytes } from "./draft.ts";
import {
  brokenNumbers,
  hostileNames,
  hostileNumbers,
  hostileTexts,
  longTexts,
  strangeValues,
} from "./hostile-values.ts";
import { RawJson, toJsonBytes } from "./json-text.ts";

const longTextShare = 0.05;

/** Bodies that are JSON, with a field that is wrong. */
export const fieldBreakages: readonly Breakage[] = [
  {
    name: "field of a wrong type",
    appliesTo: hasFields,
    make: (blueprint, random) => {
      const { place, schema } = pickField(blueprint.operation.body, random);
      const value = random.pick(strangeValues.filter((strange) => !isOfType(schema, strange)));
      return withBody(blueprint, withValue(blueprint.body, place, value));
    },
  },
  {
    name: "field missing",
    appliesTo: ({ body }) =>
      body !== undefined && fieldsOf(body).some(({ isRequired }) => isRequired),
    make: (blueprint, random) => {
      const fields = fieldsOf(blueprint.operation.body ?? {});
      const { place } = random.pick(fields.filter(({ isRequired }) => isRequired));
      return withBody(blueprint, withValue(blueprint.body, place, undefined));
    },
  },
  {
    name: "hostile number",
    appliesTo: hasFields,
    make: (blueprint, random) => {
      const { place } = pickField(blueprint.operation.body, random, "integer");
      const text = random.pick(random.isLikely(0.7) ? hostileNumbers : brokenNumbers);
      return withBody(blueprint, withValue(blueprint.body, place, new RawJson(text)));
    },
  },
  {
    name: "hostile text",
    appliesTo: hasFields,
    make: (blueprint, random) => {
      const { place } = pickField(blueprint.operation.body, random, "string");
      const text = random.pick(random.isLikely(longTextShare) ? longTexts : hostileTexts);
      return withBody(blueprint, withValue(blueprint.body, place, text));
    },
  },
  {
    name: "several fields wrong at once",
    appliesTo: hasFields,
    make: (blueprint, random) => {
      const fields = fieldsOf(blueprint.operation.body ?? {});
      const body = fields.reduce<unknown>((before, { place }) => {
        if (random.isLikely(0.4)) return before;
        const value = random.isLikely(0.5) ? random.pick(strangeValues) : random.pick(hostileTexts);
        // A place below a field that was just replaced is no place any more.
        return isReachable(before, place) ? withValue(before, place, value) : before;
      }, blueprint.body);
      return withBody(blueprint, body);
    },
  },
  {
    name: "hostile member name",
    appliesTo: hasBody,
    make: (blueprint, random) => {
      const name = random.pick(hostileNames);
      const value = JSON.stringify(random.pick(strangeValues));
      const member = `${JSON.stringify(name)}:${value}`;
      return withBody(blueprint, withMember(blueprint.body, member, random));
    },
  },
  {
    name: "duplicate member",
    appliesTo: hasFields,
    make: (blueprint, random) => {
      const { place } = pickField(blueprint.operation.body, random);
      const name = JSON.stringify(place.at(-1));
      const member = `${name}:${random.pick([...hostileNumbers, "null", "[]", '"\\u0000"'])}`;
      return withBody(blueprint, withMember(blueprint.body, member, random));
    },
  },
  {
    name: "hostile metadata",
    appliesTo: ({ body }) => body !== undefined && metadataOf(body) !== undefined,
    make: (blueprint, random) => {
      const place = metadataOf(blueprint.operation.body ?? {})?.place ?? [];
      return withBody(blueprint, withValue(blueprint.body, place, strangeMetadata(random)));
    },
  },
  {
    name: "another root",
    appliesTo: hasBody,
    make: (blueprint, random) => {
      const roots = ["null", "true", "0", '""', '"x"', "[]", "[[]]", "{}", "[{}]", "-0", "1e400"];
      const whole = [blueprint.body, { data: blueprint.body }, [blueprint.body]];
      const bodies = [
        ...roots.map((text) => Buffer.from(text)),
        ...whole.slice(1).map(toJsonBytes),
      ];
      return withBytes(blueprint, random.pick(bodies));
    },
  },
];

function hasFields({ body }: { readonly body: Schema | undefined }): boolean {
  return body !== undefined && fieldsOf(body).length > 0;
}

/** Any field; more often one of the type that the values are meant for. */
function pickField(body: Schema | undefined, random: Random, type?: string): Field {
  const fields = fieldsOf(body ?? {});
  const meant = fields.filter(({ schema }) => type !== undefined && typesOf(schema).includes(type));
  return random.pick(meant.length > 0 && random.isLikely(0.8) ? meant : fields);
}

function typesOf({ type }: Schema): readonly string[] {
  return type === undefined ? [] : [type].flat();
}

function isOfType(schema: Schema, value: unknown): boolean {
  const types = typesOf(schema);
  if (value === null) return types.includes("null");
  if (Array.isArray(value)) return types.includes("array");
  if (typeof value === "number") return types.includes("integer") || types.includes("number");
  return types.includes(typeof value);
}

function metadataOf(body: Schema): Field | undefined {
  return fieldsOf(body).find(({ place }) => place.at(-1) === "metadata");
}

function isReachable(body: unknown, place: readonly (string | number)[]): boolean {
  return place.slice(0, -1).every((_, index) => {
    const inner = place
      .slice(0, index + 1)
      .reduce<unknown>(
        (value, name) => (value as Record<string | number, unknown> | undefined)?.[name],
        body,
      );
    return typeof inner === "object" && inner !== null;
  });
}

/** The object, or the first row of its list, with one more member at its beginning or its end. */
function withMember(body: unknown, member: string, random: Random): RawJson {
  const text = toJsonBytes(body).toString("utf8");
  const isFirst = random.isLikely(0.3);
  const place =
    text.startsWith("[") || !text.includes("[{") || random.isLikely(0.5)
      ? 0
      : text.indexOf("[{") + 1;
  const comma = text[place + 1] === "}" ? "" : ",";
  if (isFirst || place > 0)
    return new RawJson(`${text.slice(0, place + 1)}${member}${comma}${text.slice(place + 1)}`);
  return new RawJson(`${text.slice(0, -1)}${comma}${member}}`);
}

function strangeMetadata(random: Random): unknown {
  const name = random.pick(hostileNames);
  const text = random.pick([...hostileTexts, ...longTexts]);
  return random.pick<() => unknown>([
    () => ({ [name]: text }),
    () => new RawJson(`{${JSON.stringify(name)}:${random.pick(hostileNumbers)}}`),
    () => ({ [text]: text }),
    () => ({ deep: nested(random.integer(10, 70)) }),
    () => Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, index])),
    () => Array.from({ length: 50 }, () => text),
    () => text,
  ])();
}

function nested(depth: number): RawJson {
  return new RawJson('{"a":'.repeat(depth) + "1" + "}".repeat(depth));
}
