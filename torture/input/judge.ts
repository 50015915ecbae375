import { packageRoot } from "../../src/kernel/root.ts";
import { errorJudge, type OpenApiDocument, type Operation } from "../api/document.ts";
import { type Exchange, headBytesMax, headBytesOf, type WireAnswer } from "../api/wire.ts";
import { isForPeople } from "./console.ts";
import type { Next } from "./request-source.ts";

/**
 * What only the inside of the program, its database or its machine could have said. Nothing that is sent
 * holds any of it, so an echo is no alarm.
 */
const leaks: readonly RegExp[] = [
  /\n\s+at /,
  /\bat [\w.<>]+ \(/,
  /\.[cm]?[jt]s:\d+/,
  /node_modules|node:internal/,
  new RegExp(packageRoot.replaceAll(/[^\w/]/g, "\\$&")),
  /(?:Type|Syntax|Range|Reference|Assertion)Error/,
  /FST_ERR|ERR_[A-Z]+|HPE_|E(?:CONN|PIPE|NOENT)/,
  /syntax error at or near|invalid input syntax|invalid byte sequence|unsupported Unicode/,
  /violates|relation "|column "|operator does not exist|cannot cast|out of range for type/,
  /pg_catalog|plpgsql|SQLSTATE|insert into|returning /i,
  /must match pattern|must be object,null/,
];

const html = "text/html; charset=utf-8";
const scripts = /<script>alert|<!--#exec/;

/** Finds what is wrong with what came back; undefined when nothing is. */
export function makeJudge(document: OpenApiDocument) {
  const findErrorProblem = errorJudge(document);

  return (next: Next, exchange: Exchange): string | undefined => {
    const { request } = next;
    if (exchange.kind === "silent") return "no answer in time";
    if (exchange.kind === "closed")
      return request.mayHangUp === true ? undefined : "hung up without an answer";
    for (const answer of exchange.answers) {
      const problem = judgeAnswer(next, answer);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };

  function judgeAnswer(next: Next, answer: WireAnswer): string | undefined {
    const { operation, request } = next;
    const { status, headers, body } = answer;
    if (!(status >= 200 && status < 600)) return `the status is ${status}`;
    if (status >= 500) return `answered ${status}: ${body.toString("utf8").slice(0, 300)}`;
    const headBytes = headBytesOf(answer);
    if (headBytes > headBytesMax) return `${status} has ${headBytes} bytes of headers`;
    if (status >= 300 && status < 400) return judgeRedirection(operation, answer);
    if (!headers.has("x-correlation-id")) return `${status} without a correlation id`;
    if (headers.get("x-content-type-options") !== "nosniff") return `${status} without nosniff`;
    const text = body.toString("utf8");
    // As it was before it became JSON.
    const plain = text.replaceAll('\\"', '"').replaceAll("\\n", "\n");
    const leak = leaks.find((pattern) => pattern.test(plain));
    if (leak !== undefined) return `${status} tells of the inside (${String(leak)}): ${text}`;
    if (request.isHead === true) return undefined;
    if (isForPeople(operation) && headers.get("content-type") === html)
      return scripts.test(text) ? `${status} has the caller's script in it` : undefined;
    if (status >= 400) return judgeError(request.operation, answer, text);
    return judgeSuccess(request.operation, answer, text);
  }

  /** Only pages send their reader on, and only to themselves. */
  function judgeRedirection(
    operation: Operation,
    { status, headers }: WireAnswer,
  ): string | undefined {
    const location = headers.get("location") ?? "";
    const isOwn = status === 303 && /^\/(?:pay|wallet|console)\b/.test(location);
    return isForPeople(operation) && isOwn ? undefined : `answered ${status}, on to ${location}`;
  }

  function judgeError(
    operation: Operation | undefined,
    { status, headers }: WireAnswer,
    text: string,
  ): string | undefined {
    if (headers.get("content-type") !== "application/json; charset=utf-8")
      return `${status} as ${headers.get("content-type")}`;
    const body = parse(text) as { statusCode?: unknown; correlationId?: unknown } | undefined;
    const problem = findErrorProblem(body);
    if (problem !== undefined) return `${status} is not the documented error: ${problem}`;
    if (body?.statusCode !== status) return `${status} says that it is ${String(body?.statusCode)}`;
    if (body.correlationId !== headers.get("x-correlation-id"))
      return `${status} has two correlation ids`;
    if (operation !== undefined && !isDocumented(operation, status))
      return `${status} is not among the documented answers`;
    return undefined;
  }

  function judgeSuccess(
    operation: Operation | undefined,
    { status, headers }: WireAnswer,
    text: string,
  ): string | undefined {
    if (operation === undefined) return undefined;
    if (!isDocumented(operation, status)) return `${status} is not among the documented answers`;
    if (headers.get("content-type")?.startsWith("application/json") !== true) return undefined;
    const problem = operation.findProblem(status, parse(text));
    return problem === undefined ? undefined : `${status} is not as documented: ${problem}`;
  }
}

/** An Expect header is refused before anybody looks at the address, so no operation documents it. */
const expectationFailed = 417;

function isDocumented(operation: Operation, status: number): boolean {
  return (
    operation.statuses.includes(status) || status === expectationFailed || isForPeople(operation)
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
