import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { packageRoot } from "../src/kernel/root.ts";
import { apiErrorCodes } from "./describe-errors.ts";

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: object;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const head = `// Made by npm run dump from the service's own document. Do not edit.
`;

/**
 * The types of the SDK, made from the document that is made from the routes. What every operation takes and answers gets
 * a name of its own; how it is refused is the same everywhere, so most of the document is left out.
 */
export async function describeSdkTypes(documentText: string): Promise<string> {
  const { paths, components } = JSON.parse(documentText) as Document;
  const operations = Object.entries(paths)
    .filter(([path]) => /^\/(?:v1|\.well-known)\//.test(path))
    .flatMap(([, methods]) => Object.values(methods));
  // Every program has an Error of its own.
  const { Error: ErrorBody, ...others } = components.schemas;
  const schemas = {
    ErrorBody,
    ...others,
    ...Object.fromEntries(operations.flatMap(namedSchemas)),
  };
  const info = { title: "", version: "" };
  const types = await openapiTS(
    JSON.stringify({ openapi: "3.1.0", info, components: { schemas } }),
    {
      immutable: true,
      rootTypes: true,
      rootTypesNoSchemaPrefix: true,
    },
  );
  const unused = /^export type (?:paths|webhooks|\$defs|operations) = .*;\n/gm;
  const codes = apiErrorCodes.map((code) => `  | "${code}"`).join("\n");
  return `${head}${astToString(types).replace(unused, "")}export type ErrorCode =\n${codes};\n`;
}

function namedSchemas(operation: Operation): [string, object][] {
  const name = operation.operationId.replace(/^./, (letter) => letter.toUpperCase());
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  const body = jsonOf(operation.requestBody);
  const answer = jsonOf(operation.responses["200"] ?? operation.responses["201"]);
  return [
    ...(query.length === 0 ? [] : [named(`${name}Query`, toObject(query))]),
    ...(body === undefined ? [] : [named(`${name}Body`, body)]),
    ...(answer === undefined || "$ref" in answer ? [] : [named(`${name}Answer`, answer)]),
  ];
}

function named(name: string, schema: object): [string, object] {
  return [name, schema];
}

function jsonOf(message: Content | undefined): object | undefined {
  return message?.content?.["application/json"]?.schema;
}

function toObject(parameters: readonly Parameter[]): object {
  return {
    type: "object",
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description }) => [
        name,
        description === undefined ? schema : { ...schema, description },
      ]),
    ),
  };
}

export async function writeSdkTypes(documentText: string): Promise<void> {
  await writeFile(join(packageRoot, "sdk/src/api.ts"), await describeSdkTypes(documentText));
}
