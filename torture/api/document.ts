import { Ajv } from "ajv";

/** A JSON schema as far as this campaign looks into it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly additionalProperties?: boolean | Schema;
}

interface Parameter {
  readonly in: "path" | "query" | "header";
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/** One method on one address, as the OpenAPI document describes it. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With its parameters in braces: /v1/batches/{id}. */
  readonly path: string;
  /** All that this address has, its own included. */
  readonly methods: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly needsToken: boolean;
  readonly body: Schema | undefined;
  readonly bodyExample: unknown;
  readonly statuses: readonly number[];
  /** What is wrong with the body of an answer, or undefined. Fields that the document does not name are wrong. */
  findProblem(status: number, body: unknown): string | undefined;
}

/** The document as it is served, with the parts that are read here. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly object[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Content>> }>
  >;
}

interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

const json = "application/json";

function makeAjv(): Ajv {
  return new Ajv({
    strict: false,
    formats: { "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ },
  });
}

export async function fetchDocument(url: string): Promise<OpenApiDocument> {
  return (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
}

export function readOperations(document: OpenApiDocument): Operation[] {
  const ajv = makeAjv();
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const request = operation.requestBody?.content[json];
      const answers = new Map(
        Object.entries(operation.responses).map(([status, { content }]) => [
          Number(status),
          content?.[json] && ajv.compile(closed(document, content[json].schema)),
        ]),
      );
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        methods: Object.keys(methods).map((one) => one.toUpperCase()),
        parameters: operation.parameters ?? [],
        needsToken: (operation.security ?? []).length > 0,
        body: request && closed(document, request.schema),
        bodyExample: request?.example ?? Object.values(request?.examples ?? {})[0]?.value,
        statuses: [...answers.keys()],
        findProblem(status, body) {
          const validate = answers.get(status);
          if (validate === undefined || validate(body)) return undefined;
          return ajv.errorsText(validate.errors);
        },
      };
    }),
  );
}

/** Judges the error body alone, for answers that belong to no operation. */
export function errorJudge(document: OpenApiDocument): (body: unknown) => string | undefined {
  const error = document.components.schemas["Error"];
  if (error === undefined) throw new Error("the document describes no Error");
  const ajv = makeAjv();
  const validate = ajv.compile(closed(document, error));
  return (body) => (validate(body) ? undefined : ajv.errorsText(validate.errors));
}

/** A schema on its own: references followed, and no fields but those it names. */
function closed(document: OpenApiDocument, schema: Schema): Schema {
  const visit = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== "object" || part === null) return part;
    const { $ref } = part as { $ref?: string };
    if ($ref !== undefined) {
      const name = $ref.replace("#/components/schemas/", "");
      return visit(document.components.schemas[name]);
    }
    const inner = Object.entries(part).map(([name, value]) => [
      name,
      // An example is not a schema.
      name === "example" || name === "examples" ? value : visit(value),
    ]);
    const isNamed = "properties" in part && !("additionalProperties" in part);
    return Object.fromEntries(isNamed ? [...inner, ["additionalProperties", false]] : inner);
  };
  return visit(schema) as Schema;
}
