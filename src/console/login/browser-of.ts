import type { FastifyReply, FastifyRequest } from "fastify";
import type { Browser } from "../../staff/login.ts";
import { readDevice } from "../cookies.ts";
import type { ConsoleParts } from "../parts.ts";

/** The browser that asks, as the trail and the list of sessions name it. */
export function browserOf(
  { settings }: ConsoleParts,
  request: FastifyRequest,
  secret = readDevice(settings, request),
): Browser {
  return {
    address: request.address,
    device: request.headers["user-agent"] ?? "",
    secret,
    via: `${request.method} ${request.route.url ?? ""}`,
  };
}

/** Aborted when the browser hangs up before it has its answer. */
export function hungUpOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once("close", () => {
    if (!raw.writableEnded) controller.abort();
  });
  return controller.signal;
}

export function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}
