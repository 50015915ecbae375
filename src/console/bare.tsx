import type { FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { passedLimit, prepareError } from "../http/error-response.ts";
import { type Language, preferredLanguage } from "../kernel/language.ts";
import { sizeOf } from "../kernel/size-of.ts";
import { basePathOf } from "../pages/page-settings.ts";
import { newNonce, sendPage } from "../pages/send-page.ts";
import { TooBusyForPasswords, TooManyMembers } from "../staff/errors.ts";
import type { Bare } from "./context.ts";
import type { ConsoleParts } from "./parts.ts";
import { BarePage } from "./views/bare-page.tsx";
import { type FrameWords, frameWords } from "./words/frame.ts";

/** The language asked for in the address; else the best of Accept-Language; else French. */
export function languageOf(request: FastifyRequest): Language {
  const asked = (request.query as Record<string, unknown> | undefined)?.["lang"];
  if (asked === "fr" || asked === "en") return asked;
  return preferredLanguage(request.headers["accept-language"]) ?? "fr";
}

export function bareOf(
  { settings }: Pick<ConsoleParts, "settings">,
  request: FastifyRequest,
): Bare {
  const language = languageOf(request);
  const base = basePathOf(settings);
  return {
    language,
    words: frameWords[language],
    nonce: newNonce(),
    href: (path, query = {}) => {
      const text = new URLSearchParams(query).toString();
      const joint = path.includes("?") ? "&" : "?";
      return `${base}${path}${text === "" ? "" : `${joint}${text}`}`;
    },
  };
}

/** A page for whoever is not signed in, or is on the way. */
export async function sendBare(
  { settings, board, clock }: ConsoleParts,
  request: FastifyRequest,
  reply: FastifyReply,
  bare: Bare,
  view: {
    readonly title: string;
    readonly content: VNode;
    readonly status?: number;
    readonly isProblem?: boolean;
    /** Where the same page is in the other language; undefined when it cannot be asked for again. */
    readonly path?: string | undefined;
    /** Its script may ask our own address. */
    readonly mayAsk?: boolean;
  },
): Promise<FastifyReply> {
  const page = (
    <BarePage
      bare={bare}
      title={view.title}
      isProblem={view.isProblem ?? false}
      isTest={!settings.isProduction}
      operator={settings.operator}
      path={view.path}
      // What went wrong may be that the database is away.
      banner={view.isProblem === true ? board.latest(clock()) : await board.read(clock())}
    >
      {view.content}
    </BarePage>
  );
  const head = { nonce: bare.nonce, lang: bare.language, mayAsk: view.mayAsk === true };
  return sendPage(request, reply, head, page, view.status ?? 200);
}

export function sendProblem(
  parts: ConsoleParts,
  request: FastifyRequest,
  reply: FastifyReply,
  problem: keyof FrameWords["problems"],
  status: number,
  /** What the form that was sent may weigh. */
  bytesMax?: number,
): Promise<FastifyReply> {
  const bare = bareOf(parts, request);
  const { words, href, language } = bare;
  const { title, what } = words.problems[problem];
  const size = bytesMax === undefined ? "" : words.formMax(sizeOf(bytesMax)[language]);
  const content = (
    <>
      <h1>{title}</h1>
      <p>
        {what} {size}
      </p>
      <p>
        <a class="button" href={href("/console")}>
          {words.backHome}
        </a>
      </p>
      <p class="soft">
        {words.incident} {request.id}
      </p>
    </>
  );
  return sendBare(parts, request, reply, bare, { title, content, status, isProblem: true });
}

/** An error on the way to a page becomes a page too. It holds no details: those are in the log, by its number. */
export function problemHandler(parts: ConsoleParts) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (error instanceof TooBusyForPasswords)
      return sendProblem(parts, request, reply.header("retry-after", 5), "tooMany", 429);
    if (error instanceof TooManyMembers)
      return sendProblem(parts, request, reply, "tooManyMembers", 422);
    const { statusCode, code } = prepareError(error, request, reply);
    const problem = problemOf(statusCode, code);
    return sendProblem(parts, request, reply, problem, statusCode, passedLimit(error, request));
  };
}

function problemOf(status: number, code: string): keyof FrameWords["problems"] {
  if (code === "company_frozen") return "frozen";
  if (code === "too_many_codes") return "tooManyCodes";
  if (status === 403) return "forbidden";
  if (status === 404) return "notFound";
  if (status === 405) return "method";
  if (status === 413) return "tooLarge";
  if (status === 429) return "tooMany";
  if (status === 503) return "unavailable";
  return status >= 500 ? "internal" : "invalid";
}
