import type { FastifyRequest } from "fastify";
import type { App } from "../http/server.ts";

/** Bodies of this scope are plain forms of at most so many bytes; anything else is refused with 415. */
export function readForms(scope: App, formBytesMax: number): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: formBytesMax },
    async (_request: unknown, body: string) => new URLSearchParams(body),
  );
}

/** The text of a field; empty when the form has no such field. */
export function fieldOf(request: FastifyRequest, name: string): string {
  return request.body instanceof URLSearchParams ? (request.body.get(name) ?? "") : "";
}
