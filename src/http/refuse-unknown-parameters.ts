import { UnknownParameter } from "./errors.ts";
import type { App } from "./server.ts";

/** Named in one answer; who sends more has plenty to correct. */
const namedMax = 10;
const nameLengthMax = 100;

/**
 * Refuses query parameters that a route does not have, before its body is read: a misspelled filter would
 * otherwise answer everything, and a page number would never end. Call it after the hook that authenticates.
 */
export function refuseUnknownParameters(app: App): void {
  app.addHook("onRequest", (request, _reply, done) => {
    if (!request.originalUrl.includes("?")) return done();
    const { query, route } = request;
    const { schema } = route;
    // Hidden routes only say that there is nothing, or that the method is another.
    if (schema === undefined || schema.hide === true) return done();
    const { properties = {} } = (schema.querystring ?? {}) as { properties?: object };
    const unknown = Object.keys(query as object).filter((name) => !Object.hasOwn(properties, name));
    if (unknown.length === 0) return done();
    const named = unknown.slice(0, namedMax).map((name) => name.slice(0, nameLengthMax));
    return done(new UnknownParameter(named, Object.keys(properties)));
  });
}
