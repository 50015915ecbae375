import type { FastifyInstance } from "fastify";
import type { Span } from "../tracing/span.ts";
import type { Tracer } from "../tracing/tracer.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Undefined: the request is recorded in no trace. */
    span: Span | undefined;
  }
}

/** A span for each request that is to be recorded, with its route's pattern: neither its address nor anything it brought. */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.route.config.isAlwaysAnswered === true) return done();
    const { traceparent } = request.headers;
    request.span = tracer.startRequest(typeof traceparent === "string" ? traceparent : undefined);
    return done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { span, method, caller } = request;
    if (span === undefined) return done();
    const route = request.route.url ?? "none";
    const attributes = {
      "http.request.method": method,
      "http.route": route,
      "http.response.status_code": reply.statusCode,
      ...(caller === undefined ? {} : { "cauri.company.id": caller.companyId }),
    };
    span.end(attributes, { name: `${method} ${route}`, isError: reply.statusCode >= 500 });
    return done();
  });
}
