import type { FastifyRequest } from "fastify";
import type { App } from "../http/server.ts";

/** Forms here send a phone number or a code; this is far more than either needs. */
const formBytesMax = 2_048;

/** Bodies of this scope are plain forms; anything else is refused with 415. */
export function readForms(scope: App): void {
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
