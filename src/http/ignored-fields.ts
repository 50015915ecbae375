import type { App } from "./server.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The fields that the body of this route has; undefined where every name is its caller's own. */
    knownFields?: KnownFields | undefined;
  }
  interface FastifyRequest {
    /** Fields of the body that nothing was done with, as the answer names them. */
    ignoredFields: string | undefined;
  }
}

/** Names, each with the fields of the objects under it where those are known too. */
type KnownFields = ReadonlyMap<string, KnownFields | undefined>;

interface Schema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: unknown;
}

const ignoredFieldsHeader = "cauri-ignored-fields";

/** Named in one answer, of each so much, and so much of all together as they are written: proxies refuse an answer with long headers. */
const namedMax = 10;
const nameCharsMax = 64;
const namedBytesMax = 1_000;

/**
 * Fields that are not known are accepted, because clients in use send more than is needed. They are named in the answer and in
 * the log of requests: a misspelled optional field would otherwise be lost in silence.
 */
export function nameIgnoredFields(scope: App): void {
  scope.decorateRequest("ignoredFields", undefined);
  scope.addHook("onRoute", (route) => {
    const knownFields = knownFieldsOf(route.schema?.body as Schema | undefined);
    if (knownFields !== undefined) route.config = { ...route.config, knownFields };
  });
  scope.addHook("preValidation", (request, reply, done) => {
    const { knownFields } = request.route.config;
    if (knownFields === undefined || hasNoneIgnored(request.body, knownFields)) return done();
    const first: string[] = [];
    const count = findIgnored(request.body, knownFields, "", first);
    if (count > 0) {
      request.ignoredFields = nameShortly(first, count);
      reply.header(ignoredFieldsHeader, request.ignoredFields);
    }
    return done();
  });
}

/** As many of the first as have room; the first of all always has. */
function nameShortly(first: readonly string[], count: number): string {
  const named: string[] = [];
  let bytes = 0;
  for (const name of first) {
    bytes += name.length + ", ".length;
    if (bytes > namedBytesMax) break;
    named.push(name);
  }
  if (count > named.length) named.push(`and ${count - named.length} more`);
  return named.join(", ");
}

function knownFieldsOf(schema: Schema | undefined): KnownFields | undefined {
  if (schema === undefined) return undefined;
  if (schema.items !== undefined) return knownFieldsOf(schema.items);
  // Where others are refused none is ignored; where none is named each is its caller's own.
  if (schema.properties === undefined || schema.additionalProperties !== undefined)
    return undefined;
  return new Map(
    Object.entries(schema.properties).map(([name, inner]) => [name, knownFieldsOf(inner)]),
  );
}

/** How many there are; the first of them are named. */
function findIgnored(value: unknown, known: KnownFields, place: string, ignored: string[]): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const [index, row] of value.entries())
      if (!hasNoneIgnored(row, known))
        count += findIgnored(row, known, `${place}[${index}]`, ignored);
    return count;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name in fields) {
    if (known.has(name)) {
      const inner = known.get(name);
      if (inner !== undefined)
        count += findIgnored(fields[name], inner, placeOf(place, name), ignored);
      continue;
    }
    count += 1;
    if (ignored.length < namedMax) ignored.push(placeOf(place, toHeaderText(name)));
  }
  return count;
}

/** A quick look, because nearly every body and every row of ten thousand has nothing of the kind. False: perhaps. */
function hasNoneIgnored(value: unknown, known: KnownFields): boolean {
  if (typeof value !== "object" || value === null) return true;
  for (const name in value) if (!known.has(name) || known.get(name) !== undefined) return false;
  return true;
}

function placeOf(place: string, name: string): string {
  return place === "" ? name : `${place}.${name}`;
}

/**
 * A header has ASCII only, and a comma stands between two names: whatever is no letter of a plain name is written as in an address.
 * A name without letters is two quotes, so that something is there to be read.
 */
function toHeaderText(name: string): string {
  if (name === "") return encodeURIComponent('""');
  return encodeURIComponent(Buffer.from(name.slice(0, nameCharsMax)).toString());
}
