import { createHash } from "node:crypto";
import { isSignedBy, type LedgerKey, type PublicLedgerKey } from "./seal.ts";

export const exportFormats = ["csv", "xlsx", "pdf"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** What follows the signature: the end of a line, where the format has lines. It is the only thing that is not signed, so it must be exactly this. */
const tails: Readonly<Record<ExportFormat, string>> = { csv: "\r\n", xlsx: "", pdf: "\n" };
/** The 64 bytes of Ed25519, in base64. */
const signatureChars = 88;
const [keyIdChars, publicKeyChars] = [32, 44];
/** The words before the key: they name the format, its version and the kind of file. */
const start = (format: ExportFormat) => `cauri file 1 ${format} `;

/** The signature at the end of a file. All bytes before `signedBytes` are signed; the mark that names the key begins at `startsAt`. */
export interface FileSignature {
  readonly format: ExportFormat;
  readonly key: PublicLedgerKey;
  readonly signature: Buffer;
  readonly startsAt: number;
  readonly signedBytes: number;
}

/** More than the mark, and the row of a CSV around it, come to. */
export const fileEndBytes = 4_096;

/** What a writer puts at the end of a file, with room for the signature. `signedFile` fills it in. */
export function openMark(format: ExportFormat, { id, publicKey }: PublicLedgerKey): string {
  return `${start(format)}${id} ${publicKey} ${"=".repeat(signatureChars)}`;
}

/** The pieces of a file that ends with an open mark, signed. The bytes are hashed as they pass. */
export async function* signedFile(
  pieces: AsyncIterable<Buffer>,
  format: ExportFormat,
  key: LedgerKey,
): AsyncGenerator<Buffer> {
  const openBytes = signatureChars + tails[format].length;
  const digest = new FileDigest(format);
  let held: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = piece.length < openBytes ? Buffer.concat([held, piece]) : piece;
    const cut = Math.max(0, bytes.length - openBytes);
    for (const sure of [...(bytes === piece ? [held] : []), bytes.subarray(0, cut)]) {
      if (sure.length === 0) continue;
      digest.add(sure);
      yield sure;
    }
    held = bytes.subarray(cut);
  }
  yield Buffer.from(`${key.sign(digest.text()).toString("base64")}${tails[format]}`);
}

/** The signature that a file of this size ends with; `end` has its last bytes. Anything behind it, and there is none. */
export function findSignature(
  format: ExportFormat,
  end: Buffer,
  size: number,
): FileSignature | undefined {
  const tail = tails[format];
  const words = start(format);
  const length = words.length + keyIdChars + 1 + publicKeyChars + 1 + signatureChars;
  const mark = end.toString("latin1").slice(-(length + tail.length));
  const [id = "", publicKey = "", text = ""] = mark.slice(words.length, length).split(" ");
  const signature = Buffer.from(text, "base64");
  const isWhole = `${words}${id} ${publicKey} ${signature.toString("base64")}${tail}` === mark;
  if (!isWhole || signature.length !== 64) return undefined;
  const startsAt = size - mark.length;
  const signedBytes = size - tail.length - signatureChars;
  return { format, key: { id, publicKey }, signature, startsAt, signedBytes };
}

/** Whether one of the keys has signed these bytes, which are all before the signature. */
export async function isFileSignedBy(
  keys: readonly PublicLedgerKey[],
  { format, key, signature }: FileSignature,
  signedBytes: AsyncIterable<Buffer>,
): Promise<boolean> {
  const digest = new FileDigest(format);
  for await (const bytes of signedBytes) digest.add(bytes);
  return isSignedBy(keys, key.id, digest.text(), signature);
}

/** What is signed. Its first line keeps it apart from all else that the key signs. */
class FileDigest {
  readonly #format: ExportFormat;
  readonly #hash = createHash("sha512");
  #bytes = 0;

  constructor(format: ExportFormat) {
    this.#format = format;
  }

  add(bytes: Buffer): void {
    this.#bytes += bytes.length;
    this.#hash.update(bytes);
  }

  text(): string {
    const sha512 = this.#hash.digest("hex");
    return `cauri file 1\nformat ${this.#format}\nbytes ${this.#bytes}\nsha512 ${sha512}\n`;
  }
}
