import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { Busboy } from "@fastify/busboy";
import type { FastifyRequest } from "fastify";
import { InvalidRequest } from "../../http/errors.ts";
import type { App } from "../../http/server.ts";
import { payrollBytesMax } from "../../payrolls/draft.ts";
import type { SentFile } from "../../payrolls/keep-drafts.ts";
import { FileTooLarge, TooManyUploads } from "./errors.ts";

/** A form with a file, of which nothing has been read yet: first it is seen who sends it. */
class Upload {
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;

  constructor(headers: IncomingHttpHeaders, body: Readable) {
    this.headers = headers;
    this.body = body;
  }
}

/** Forms with files are taken in this scope; whoever is sent one reads it with `readUpload`. */
export function takeUploads(scope: App): void {
  scope.addContentTypeParser(
    "multipart/form-data",
    async (request: FastifyRequest, body: Readable) => new Upload(request.headers, body),
  );
}

/** Each is held in memory while its rows are read. */
const uploadsAtOnceMax = 4;
let uploadsNow = 0;

/** Reads the file of a form, and works on it; no more of them at once than there is room for. */
export async function withUpload<Result>(
  { body: upload }: FastifyRequest,
  work: (file: SentFile) => Promise<Result>,
): Promise<Result> {
  if (!(upload instanceof Upload)) throw new InvalidRequest("A file is missing.", []);
  if (uploadsNow >= uploadsAtOnceMax) throw new TooManyUploads();
  uploadsNow += 1;
  try {
    return await work(await readFile(upload));
  } finally {
    uploadsNow -= 1;
  }
}

async function readFile({ headers, body }: Upload): Promise<SentFile> {
  const contentType = headers["content-type"] ?? "";
  return new Promise((resolve, reject) => {
    const refuse = (error: Error) => {
      body.unpipe();
      body.resume();
      reject(error);
    };
    let parser: InstanceType<typeof Busboy>;
    try {
      parser = new Busboy({
        headers: { ...headers, "content-type": contentType },
        limits: { fileSize: payrollBytesMax, files: 1, fields: 10, fieldSize: 1_000, parts: 12 },
      });
    } catch {
      refuse(new InvalidRequest("The form cannot be read.", []));
      return;
    }
    let file: { readonly name: string; readonly pieces: Buffer[] } | undefined;
    // Whatever breaks off may say so more than once, the file and the form each: an error that nobody hears ends the process.
    const refuseUnreadable = () => refuse(new InvalidRequest("The form cannot be read.", []));
    parser.on("file", (_field, stream, name) => {
      const pieces: Buffer[] = [];
      file = { name: name ?? "", pieces };
      stream.on("data", (piece: Buffer) => pieces.push(piece));
      stream.on("error", refuseUnreadable);
      stream.once("limit", () => refuse(new FileTooLarge(payrollBytesMax)));
    });
    parser.on("error", refuseUnreadable);
    body.on("error", refuse);
    parser.once("finish", () => {
      const bytes = Buffer.concat(file?.pieces ?? []);
      resolve({ name: file?.name ?? "", bytes });
    });
    body.pipe(parser);
  });
}
