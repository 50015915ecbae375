import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { hemIn } from "../pages/send-page.ts";

const types: Readonly<Record<string, string>> = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  txt: "text/plain; charset=utf-8",
};

/** A file to keep, as it is written. */
export function sendFile(
  reply: FastifyReply,
  name: string,
  pieces: AsyncIterable<Buffer | string>,
): FastifyReply {
  const safe = name.replaceAll(/[^\w.-]+/g, "-").slice(-100);
  return hemIn(reply)
    .header("cache-control", "private, no-store")
    .header("content-disposition", `attachment; filename="${safe}"`)
    .type(types[safe.split(".").at(-1) ?? ""] ?? "application/octet-stream")
    .send(pieces instanceof Readable ? pieces : Readable.from(pieces));
}
