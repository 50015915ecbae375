import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { Busboy } from "@fastify/busboy";
import type { FastifyRequest } from "fastify";
import type { BodyBytes } from "../http/body-bytes.ts";
import { InvalidRequest } from "../http/errors.ts";
import type { App } from "../http/server.ts";
import type { Sentence } from "../kernel/language.ts";

/** A form with files, of which nothing has been read yet: first it is seen who sends it. */
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

export interface UploadLimits {
  readonly filesMax: number;
  readonly fileBytesMax: number;
  readonly fieldBytesMax: number;
  /** Hears of each piece of a file before it is kept, and throws when there is no room for it. */
  readonly take: (bytes: number) => void;
  readonly tooLarge: () => Error;
}

interface UploadedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** What a form holds, by the names of its fields. */
export interface ReadUpload {
  readonly files: ReadonlyMap<string, UploadedFile>;
  readonly fields: ReadonlyMap<string, string>;
}

const fieldsMax = 10;

const fileMissing: Sentence = { en: "A file is missing.", fr: "Il manque un fichier." };
const unreadable: Sentence = {
  en: "The form cannot be read.",
  fr: "Le formulaire ne peut pas être lu.",
};

export async function readUpload(
  { body: upload }: FastifyRequest,
  limits: UploadLimits,
): Promise<ReadUpload> {
  if (!(upload instanceof Upload)) throw new InvalidRequest(fileMissing, []);
  const { headers, body } = upload;
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
        limits: {
          fileSize: limits.fileBytesMax,
          files: limits.filesMax,
          fields: fieldsMax,
          fieldSize: limits.fieldBytesMax,
          parts: fieldsMax + limits.filesMax + 1,
        },
      });
    } catch {
      refuse(new InvalidRequest(unreadable, []));
      return;
    }
    const files = new Map<string, { readonly name: string; readonly pieces: Buffer[] }>();
    const fields = new Map<string, string>();
    // Whatever breaks off may say so more than once, the file and the form each: an error that nobody hears ends the process.
    const refuseUnreadable = () => refuse(new InvalidRequest(unreadable, []));
    parser.on("field", (field, text) => void fields.set(field, text));
    parser.on("file", (field, stream, name) => {
      const pieces: Buffer[] = [];
      files.set(field, { name: name ?? "", pieces });
      stream.on("data", (piece: Buffer) => {
        try {
          limits.take(piece.length);
          pieces.push(piece);
        } catch (error) {
          pieces.length = 0;
          refuse(error as Error);
        }
      });
      stream.on("error", refuseUnreadable);
      stream.once("limit", () => refuse(limits.tooLarge()));
    });
    parser.on("error", refuseUnreadable);
    body.on("error", refuse);
    parser.once("finish", () => {
      const whole = [...files].map(
        ([field, { name, pieces }]) => [field, { name, bytes: Buffer.concat(pieces) }] as const,
      );
      resolve({ files: new Map(whole), fields });
    });
    body.pipe(parser);
  });
}

/** What one form has of the memory for all. */
export class UploadRoom {
  readonly #bytes: BodyBytes;
  readonly #holder: string;
  readonly #refuse: (whose: "holder" | "everybody") => Error;
  #taken = 0;

  constructor(bytes: BodyBytes, holder: string, refuse: (whose: "holder" | "everybody") => Error) {
    this.#bytes = bytes;
    this.#holder = holder;
    this.#refuse = refuse;
  }

  /** Before a piece is kept. */
  take(count: number): void {
    if (!this.#bytes.hasShareFor(this.#holder, count)) throw this.#refuse("holder");
    if (!this.#bytes.hasRoomFor(count)) throw this.#refuse("everybody");
    this.#bytes.take(this.#holder, count);
    this.#taken += count;
  }

  giveBack(): void {
    this.#bytes.giveBack(this.#holder, this.#taken);
    this.#taken = 0;
  }
}
