import { pipeline, Readable } from "node:stream";
import { createGzip, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A smaller answer fits into the first packets of a connection anyway, and would not come sooner. */
const largeLength = 8 * 1024;
/** Above it, JSON hardly gets smaller and takes much longer. */
const level = 4;
/** Node.js has four threads for this, for looking up names and for files; answers take at most half of them. */
const compressingMax = 2;
const compressible = /^(?:application\/json|text\/csv)\b/;

let compressing = 0;

/**
 * An `onSend` hook that compresses large answers for those who ask for it, beside the event loop. When too many are being
 * compressed, the next goes as it is. For routes whose answers nobody else can mix his own text into: decision 0033.
 */
export function compressLarge(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  if (typeof payload === "string" ? payload.length < largeLength : !(payload instanceof Readable))
    return done(null, payload);
  if (!mayCompress(request, reply)) return done(null, payload);
  reply.header("vary", "Accept-Encoding");
  if (!acceptsGzip(request.headers["accept-encoding"])) return done(null, payload);
  if (payload instanceof Readable) {
    reply.header("content-encoding", "gzip");
    // Whoever hangs up ends both; what goes wrong breaks the connection off, so that nobody takes it for the whole.
    return done(
      null,
      pipeline(payload, createGzip({ level }), () => {}),
    );
  }
  if (compressing >= compressingMax) return done(null, payload);
  compressing += 1;
  gzip(payload as string, { level }, (error, packed) => {
    compressing -= 1;
    if (error !== null) return done(null, payload);
    reply.header("content-encoding", "gzip");
    return done(null, packed);
  });
}

function mayCompress({ method }: FastifyRequest, reply: FastifyReply): boolean {
  return (
    reply.statusCode < 300 &&
    method !== "HEAD" &&
    compressible.test(String(reply.getHeader("content-type"))) &&
    !reply.hasHeader("content-encoding") &&
    !reply.hasHeader("etag")
  );
}

const codingShape = /^\s*(gzip|\*)\s*(?:;\s*q=(.*))?$/i;

/** Named, gzip is accepted or not; unnamed, what `*` says counts. */
export function acceptsGzip(header: string | undefined): boolean {
  const quality = new Map<string, boolean>();
  for (const coding of (header ?? "").split(",")) {
    const [, name, weight = "1"] = codingShape.exec(coding) ?? [];
    if (name !== undefined) quality.set(name.toLowerCase(), Number(weight) > 0);
  }
  return quality.get("gzip") ?? quality.get("*") ?? false;
}
