import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { DomainError } from "../kernel/domain-error.ts";
import { correlationIdOf } from "./correlation-id.ts";
import { type ErrorBody, languageOf, toErrorBody } from "./error-response.ts";
import { ExpectationFailed, MalformedRequest, RequestTimeout } from "./errors.ts";

type Headers = Readonly<Record<string, string>>;

/** How long a client may take to read why it was refused before its connection is cut. */
const lingerMs = 1_000;

/** What the HTTP parser itself refuses never becomes a request; it still gets a JSON answer. */
export function malformedAnswerer(headers: Headers, docsUrl: string) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const answer = toErrorBody(problemOf(error), randomUUID(), "/", docsUrl);
    const { body, fields } = write(headers, answer);
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
    socket.end(
      `HTTP/1.1 ${answer.statusCode} ${answer.error}\r\n${lines.join("\r\n")}\r\n\r\n${body}`,
    );
    // A client that does not close its side would keep half of the connection open for ever.
    const cut = setTimeout(() => socket.destroy(), lingerMs);
    socket.once("close", () => clearTimeout(cut));
  };
}

/** Node.js answers an unknown Expect header by itself, without a body. */
export function answerExpectation(headers: Headers, docsUrl: string) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const answer = toErrorBody(
      new ExpectationFailed(),
      correlationIdOf(request),
      "/",
      docsUrl,
      languageOf(request),
    );
    const { body, fields } = write(headers, answer);
    response.writeHead(answer.statusCode, fields).end(body);
  };
}

function problemOf({ code }: NodeJS.ErrnoException): DomainError {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new RequestTimeout();
  return new MalformedRequest(
    code === "HPE_HEADER_OVERFLOW"
      ? { en: "The headers are too large.", fr: "Les en-têtes sont trop grands." }
      : undefined,
  );
}

function write(headers: Headers, answer: ErrorBody): { body: string; fields: Headers } {
  const body = JSON.stringify(answer);
  return {
    body,
    fields: {
      ...headers,
      "content-type": "application/json; charset=utf-8",
      "content-length": String(Buffer.byteLength(body)),
      "x-correlation-id": answer.correlationId,
      connection: "close",
    },
  };
}
