import type { FastifyRequest } from "fastify";
import { BodyTooManyValues } from "../http/errors.ts";
import type { App } from "../http/server.ts";
import { activities } from "../kernel/activity-board.ts";

/** Bodies of this scope are plain forms of at most so many bytes, where a route says nothing else; anything else is refused with 415. */
export function readForms(scope: App, formBytesMax: number): void {
  // The route's own, so that whoever sends more can be told how much it is.
  scope.addHook("onRoute", (route) => {
    route.bodyLimit ??= formBytesMax;
  });
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: formBytesMax },
    async (request: FastifyRequest, body: string) => {
      activities.goOnWith(request.activity);
      return parseForm(body);
    },
  );
}

/** More than any page asks for. Each look at a field passes over those before it. */
const fieldsMax = 2_000;

/** The fields of a form. Throws when there are more than any page has. */
export function parseForm(body: string): URLSearchParams {
  let ends = 0;
  for (let at = body.indexOf("&"); at !== -1; at = body.indexOf("&", at + 1)) {
    ends += 1;
    if (ends >= fieldsMax) throw new BodyTooManyValues();
  }
  return new URLSearchParams(body);
}

/** The text of a field; empty when the form has no such field. */
export function fieldOf(request: FastifyRequest, name: string): string {
  return request.body instanceof URLSearchParams ? (request.body.get(name) ?? "") : "";
}
