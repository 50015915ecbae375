import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

const saneCorrelationId = /^[A-Za-z0-9._:-]{1,128}$/;

/** The caller's own name for the request when it can stand in a log and a header, otherwise a new one. */
export function correlationIdOf(request: { headers: IncomingMessage["headers"] }): string {
  const sent = request.headers["x-correlation-id"] ?? request.headers["x-request-id"];
  return typeof sent === "string" && saneCorrelationId.test(sent) ? sent : randomUUID();
}
