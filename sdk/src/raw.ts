import { parse, type Request } from "./attempt.ts";
import { readText } from "./read-body.ts";
import type { ResponseFacts } from "./response.ts";
import type { Call, Method, Query } from "./sender.ts";
import type { WriteOptions } from "./settings.ts";

export interface RawOptions extends WriteOptions {
  readonly query?: Query;
  readonly body?: object;
}

export interface RawAnswer extends ResponseFacts {
  /** Of JSON its value, otherwise the text; undefined where there is none. */
  readonly body: unknown;
}

/** A POST is repeated only under a key of the caller: who does not know the operation does not know whether it heeds one. */
export function toRawCall(method: Method, path: string, options: RawOptions): Call {
  const { query, body, ...rest } = options;
  const written = options.idempotencyKey === undefined ? "once" : "keyed";
  const effect = method === "GET" ? "read" : method === "POST" ? written : "same";
  return { effect, method, path, query, body, options: rest };
}

export const readRaw: Request["read"] = async (response, fail) => {
  const { status, headers } = response;
  const correlationId = headers.get("x-correlation-id") ?? "";
  const text = await readText(response, fail);
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/.test(headers.get("content-type") ?? "");
  const body = isJson ? parse(text) : text || undefined;
  // The service names the request in each answer. What is no JSON and does not is somebody else's page.
  if (isJson ? body === undefined : correlationId === "")
    throw fail("that is not the service's answer");
  return { status, headers, correlationId, body };
};
