import { exampleStories, tell } from "./example-stories.ts";
import { ExampleValues } from "./example-values.ts";
import {
  type OpenApiDocument,
  type RawOperation,
  type RawParameter,
  referredName,
  type Schema,
} from "./openapi-document.ts";

/** One value that is sent or answered. */
export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** In English; undefined where the document says nothing. */
  readonly description: string | undefined;
  /** What it, or each of its items, consists of. */
  readonly fields: readonly Field[];
}

export interface Parameter extends Field {
  readonly in: RawParameter["in"];
  readonly example: unknown;
}

interface Body {
  readonly isRequired: boolean;
  readonly fields: readonly Field[];
  readonly example: unknown;
}

export interface Answer {
  readonly status: string;
  readonly description: string;
  /** Undefined where there is no body. */
  readonly contentType: string | undefined;
  /** The object that is answered, when it has a name. */
  readonly object: string | undefined;
  readonly fields: readonly Field[];
  /** Undefined for what is not JSON. */
  readonly example: unknown;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly needsToken: boolean;
  readonly takesKey: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Body | undefined;
  readonly answers: readonly Answer[];
}

interface Group {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

/** An object of the API, by the name that operations call it. */
interface NamedObject {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly example: unknown;
}

interface Topic {
  readonly topic: string;
  readonly summary: string;
  readonly description: string;
  readonly headers: readonly Field[];
  readonly object: string;
  readonly example: unknown;
}

/** What the page shows, in the order in which it is shown. */
export interface Reference {
  readonly version: string;
  readonly description: string;
  readonly serverUrl: string;
  readonly groups: readonly Group[];
  readonly topics: readonly Topic[];
  readonly objects: readonly NamedObject[];
}

/** What the generator of the document says of an answer that says nothing of itself: it is a page of a list. */
const unsaid = "Default Response";
const ofLists = "A page of the list.";

export function readReference(document: OpenApiDocument): Reference {
  const examples = new ExampleValues(document);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => ({
      tag: raw.tags[0],
      operation: readOperation(examples, method.toUpperCase(), path, raw),
    })),
  );
  return {
    version: document.info.version,
    description: document.info.description,
    serverUrl: document.servers[0]?.url ?? "",
    groups: document.tags.map(({ name, description }) => ({
      name,
      description,
      operations: operations.filter(({ tag }) => tag === name).map(({ operation }) => operation),
    })),
    topics: Object.entries(document.webhooks).map(([topic, { post }]) =>
      readTopic(examples, topic, post),
    ),
    objects: Object.entries(document.components.schemas).map(([name, schema]) => ({
      name,
      fields: fieldsOf(schema),
      example: tell(examples.of(schema), exampleStories[name]),
    })),
  };
}

function readOperation(
  examples: ExampleValues,
  method: string,
  path: string,
  raw: RawOperation,
): Operation {
  const parameters = (raw.parameters ?? []).map((one) => toParameter(examples, one));
  return {
    id: raw.operationId,
    method,
    path,
    summary: raw.summary,
    description: raw.description,
    needsToken: (raw.security ?? []).length > 0,
    takesKey: parameters.some(({ name }) => name === "idempotency-key"),
    parameters,
    body: readBody(examples, raw),
    answers: Object.entries(raw.responses).map(([status, response]) => {
      const story = status < "300" ? exampleStories[raw.operationId] : undefined;
      const [[contentType, content] = []] = Object.entries(response.content ?? {});
      const isJson = contentType?.startsWith("application/json") === true;
      return {
        status,
        description: response.description === unsaid ? ofLists : response.description,
        contentType,
        object: content === undefined ? undefined : referredName(content.schema),
        fields: content === undefined ? [] : fieldsOf(content.schema),
        example: isJson
          ? tell(content?.example ?? examples.of(content?.schema ?? {}), story)
          : undefined,
      };
    }),
  };
}

function readBody(examples: ExampleValues, { requestBody }: RawOperation): Body | undefined {
  const content = requestBody?.content["application/json"];
  if (requestBody === undefined || content === undefined) return undefined;
  return {
    isRequired: requestBody.required === true,
    fields: fieldsOf(content.schema),
    example: content.example ?? examples.of(content.schema),
  };
}

function readTopic(examples: ExampleValues, topic: string, post: RawOperation): Topic {
  const schema = post.requestBody?.content["application/json"]?.schema ?? {};
  const object = referredName(schema) ?? "";
  return {
    topic,
    summary: post.summary,
    description: post.description,
    headers: (post.parameters ?? []).map((one) => toParameter(examples, one)),
    object,
    example: tell(examples.of(schema), exampleStories[object]),
  };
}

function toParameter(examples: ExampleValues, raw: RawParameter): Parameter {
  const isFree = raw.example === undefined && raw.schema.enum === undefined;
  return {
    name: raw.name,
    in: raw.in,
    schema: raw.schema,
    isRequired: raw.required === true,
    description: raw.description,
    fields: [],
    example: raw.in === "path" && isFree ? examples.of(raw.schema, raw.name) : raw.example,
  };
}

/** The fields of an object, or of each item of a list. A named object is shown in its own place. */
function fieldsOf(schema: Schema): readonly Field[] {
  const { properties = {}, required = [] } = schema.items ?? schema;
  return Object.entries(properties).map(([name, one]) => ({
    name,
    schema: one,
    isRequired: required.includes(name),
    description: one.description,
    fields: fieldsOf(one),
  }));
}
