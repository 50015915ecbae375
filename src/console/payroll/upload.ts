import type { FastifyRequest } from "fastify";
import { BodyBytes } from "../../http/body-bytes.ts";
import { Places } from "../../http/places.ts";
import { readUpload, UploadRoom } from "../../pages/uploads.ts";
import { payrollBytesMax } from "../../payrolls/draft.ts";
import type { SentFile } from "../../payrolls/read-file-rows.ts";
import { FileTooLarge, TooManyUploads } from "./errors.ts";

/** Of files that are on their way or wait to be read. Each company may have two of the largest. */
const uploadBytes = new BodyBytes({
  bytesMax: 6 * payrollBytesMax,
  share: 1 / 3,
});
/** Of files that have arrived; the others are refused, and what they held is free again. */
const places = new Places({
  perHolderMax: 1,
  perNodeMax: 8,
  refuse: () => new TooManyUploads("company"),
});

/**
 * Reads the file of a form, and works on it. A file takes its place when all of it is there, and a company has one: whoever sends
 * slowly, or much, holds up nobody else.
 */
export async function withUpload<Result>(
  request: FastifyRequest,
  companyId: string,
  work: (file: SentFile) => Promise<Result>,
): Promise<Result> {
  const room = new UploadRoom(
    uploadBytes,
    companyId,
    (whose) => new TooManyUploads(whose === "holder" ? "company" : whose),
  );
  try {
    const { files } = await readUpload(request, {
      filesMax: 1,
      fileBytesMax: payrollBytesMax,
      fieldBytesMax: 1_000,
      take: (bytes) => room.take(bytes),
      tooLarge: () => new FileTooLarge(payrollBytesMax),
    });
    const [file = { name: "", bytes: Buffer.alloc(0) }] = files.values();
    const leave = places.take(companyId);
    try {
      return await work(file);
    } finally {
      leave();
    }
  } finally {
    room.giveBack();
  }
}
