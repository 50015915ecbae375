import swagger from "@fastify/swagger";
import { publicResponses } from "./schemas.ts";
import type { App } from "./server.ts";

export interface OpenApiOptions {
  readonly version: string;
  readonly serverUrl: string;
}

/** The document is made from the routes themselves. Register it before them. */
export async function describeApi(app: App, options: OpenApiOptions): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Cauri",
        version: options.version,
        description:
          "Send money to people known by their phone number, one or ten thousand at a time. Amounts are whole francs (XOF).",
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: options.serverUrl }],
      tags: [
        {
          name: "Transfers",
          description: "Money sent to people. The API's word for a transfer is transaction.",
        },
        { name: "Sub-companies", description: "On whose behalf a transfer is sent." },
        { name: "Webhooks", description: "Being told of what happens, by signed HTTP requests." },
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
      schema: {
        operationId: "getOpenApi",
        summary: "This document",
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
