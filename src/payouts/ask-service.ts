import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

interface Question {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

const answerLimitMs = 60_000;
/** Of an answer as it is read: a thousand transactions with all that they may say are some megabytes. */
const answerBytesMax = 32 * 1024 * 1024;

const httpAgent = new HttpAgent({ keepAlive: true });
const httpsAgent = new HttpsAgent({ keepAlive: true });

/**
 * Asks once. Node's own `fetch` would do the same, and holds 50 MB for it: docs/decisions/0151-memory-of-payrolls.md.
 * The token goes to the address that was given and nowhere else: whoever sends it on, as the page where a network asks for a
 * login does, has not answered.
 */
export async function askService(
  url: string,
  { method, headers, body }: Question,
): Promise<Answer> {
  const signal = AbortSignal.timeout(answerLimitMs);
  const options = { method, signal, headers: { ...headers, "accept-encoding": "gzip" } };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = url.startsWith("https:")
      ? requestHttps(url, { ...options, agent: httpsAgent }, resolve)
      : requestHttp(url, { ...options, agent: httpAgent }, resolve);
    request.once("error", reject).end(body);
  });
  const status = response.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    response.destroy();
    throw new Error(`${status}: it points to another address`);
  }
  return {
    status,
    retryAfter: response.headers["retry-after"],
    text: await readText(unpacked(response)),
  };
}

function unpacked(response: IncomingMessage): Readable {
  if (response.headers["content-encoding"] !== "gzip") return response;
  const gunzip = createGunzip();
  response.once("error", (error) => gunzip.destroy(error));
  return response.pipe(gunzip);
}

async function readText(bytes: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > answerBytesMax) throw new Error(`an answer of more than ${answerBytesMax} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
