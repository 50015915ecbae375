import swagger from "@fastify/swagger";
import type { FastifySchema } from "fastify";
import { IsOptional } from "typebox";
import { compressLarge } from "./compress-answers.ts";
import { publicResponses } from "./schemas.ts";
import type { App } from "./server.ts";

export interface OpenApiOptions {
  readonly serverUrl: string;
  /** What is sent to addresses that callers register. */
  readonly webhooks: Readonly<Record<string, object>>;
}

/** Told to every operation that needs a token, because every one of them looks at it. */
const companyHeader = {
  type: "string",
  description: "Optional; when sent, it must be the id of the token's company.",
  examples: ["com_019b2d5f3a7c7c0f8000a1b2c3d4e5f6"],
};

/** The document is made from the routes themselves. Register it before them. */
export async function describeApi(app: App, options: OpenApiOptions): Promise<void> {
  const optionalBodies = new Set<unknown>();
  await app.register(swagger, {
    transform: ({ schema, url }) => {
      if (IsOptional(schema?.body)) optionalBodies.add(schema.operationId);
      return { schema: withCompanyHeader(schema), url };
    },
    // The generator marks every body as required; the schema of a body that may be left out says so.
    transformObject: (document) => {
      if (!("openapiObject" in document)) return document.swaggerObject;
      const { openapiObject } = document;
      const paths = Object.values(openapiObject.paths ?? {});
      for (const operation of paths.flatMap((path) => [path?.put, path?.post])) {
        const body = operation?.requestBody;
        if (body !== undefined && "content" in body && optionalBodies.has(operation?.operationId))
          body.required = false;
      }
      return Object.assign(openapiObject, { webhooks: options.webhooks });
    },
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Cauri",
        // The API's own, as its addresses have it: which release runs here is not for everybody.
        version: "1",
        description:
          "Send money to people known by their phone number, one or ten thousand at a time, and be paid by them. Amounts are whole francs (XOF). Messages of errors are in French when Accept-Language prefers it, else in English; their codes are always the same.",
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: options.serverUrl }],
      tags: [
        {
          name: "Transfers",
          description: "Money sent to people. The API's word for a transfer is transaction.",
        },
        {
          name: "Charges",
          description: "Requests to be paid, the page they are paid on, and refunds.",
        },
        {
          name: "Sub-companies",
          description: "On whose behalf a transfer is sent or a charge is made.",
        },
        { name: "Webhooks", description: "Being told of what happens, by signed HTTP requests." },
        {
          name: "Statements",
          description: "What changed the balance, and how to prove it later.",
        },
        { name: "Account", description: "The business account." },
        { name: "Operation", description: "For whoever runs the service." },
      ],
      components: {
        securitySchemes: {
          accessToken: {
            type: "http",
            scheme: "bearer",
            description: "Authorization: Bearer at_…",
          },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, index) =>
        typeof json["$id"] === "string" ? json["$id"] : `schema${index}`,
    },
  });
  app.get(
    "/openapi.json",
    {
      onSend: compressLarge,
      schema: {
        operationId: "getOpenApi",
        summary: "This document",
        description: "Made from the routes themselves, so it is always true of this installation.",
        tags: ["Operation"],
        security: [],
        response: publicResponses({
          200: { description: "OpenAPI 3.1.", type: "object", additionalProperties: true },
        }),
      },
    },
    async (_request, reply) => reply.send({ ...app.swagger() }),
  );
}

function withCompanyHeader(schema: FastifySchema): FastifySchema {
  if (!Array.isArray(schema?.security) || schema.security.length === 0) return schema;
  const { properties = {} } = (schema.headers ?? {}) as { properties?: object };
  const headers = {
    type: "object",
    properties: { "x-company-id": companyHeader, ...properties },
  };
  return { ...schema, headers };
}
