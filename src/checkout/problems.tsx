import type { FastifyReply, FastifyRequest } from "fastify";
import { prepareError } from "../http/error-response.ts";
import { type PageSettings } from "../pages/page-settings.ts";
import { frameOf, sendFramed } from "./frame-of.ts";
import type { Frame } from "./views/frame.ts";
import { ProblemPage } from "./views/problem-page.tsx";
import type { Words } from "./words/fr.ts";

type ProblemText = { readonly title: string; readonly what: string };

/**
 * What a page says of a status. It holds no details: those are in the log, under the incident number that the page
 * shows.
 */
function textOf({ problems }: Words, status: number): ProblemText {
  if (status === 403) return problems.forbidden;
  if (status === 404) return problems.notFound;
  if (status === 405) return problems.method;
  if (status === 429) return problems.tooMany;
  if (status === 503) return problems.unavailable;
  return status >= 500 ? problems.internal : problems.invalid;
}

/** An error on the way to a page becomes a page too, in its reader's language. */
export function problemHandler(settings: PageSettings) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { statusCode } = prepareError(error, request, reply);
    return sendProblem(settings, request, reply, statusCode);
  };
}

export function sendProblem(
  settings: PageSettings,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
): Promise<FastifyReply> {
  // The page does not link to the request's own address, because that may be anything.
  const frame = frameOf(settings, request, undefined);
  const page = (
    <ProblemPage
      frame={frame}
      {...textOf(frame.words, status)}
      incident={request.id}
      back={status === 404 || status === 429 ? undefined : backOf(frame, request)}
    />
  );
  return sendFramed(request, reply, frame, page, status);
}

/** The page that the failed request belongs to. */
function backOf(frame: Frame, request: FastifyRequest): string | undefined {
  const { token } = (request.params ?? {}) as { readonly token?: unknown };
  if (typeof token === "string" && /^[A-Za-z0-9_-]{64}$/.test(token))
    return frame.href(`/pay/${token}`);
  return request.routeOptions.url?.startsWith("/wallet") === true
    ? frame.href("/wallet")
    : undefined;
}

/**
 * P7: the same page for every link that leads to no charge, whatever is wrong with it, so that nobody learns anything
 * by trying links.
 */
export function sendUnknownLink(
  settings: PageSettings,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const frame = frameOf(settings, request, undefined);
  const page = (
    <ProblemPage
      frame={frame}
      {...frame.words.unknownLink}
      incident={request.id}
      back={undefined}
    />
  );
  return sendFramed(request, reply, frame, page, 404);
}
