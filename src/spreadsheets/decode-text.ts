import { UnreadableFile } from "./errors.ts";

/**
 * The text of a file: UTF-16 where it says so by its first two bytes, else UTF-8, else Windows-1252.
 * The first bytes beyond ASCII decide between the last two, so that a long file need not be held.
 */
export async function* decodeText(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    if (decoder === undefined && chunk.every((byte) => byte < 0x80)) {
      yield chunk.toString("latin1");
      continue;
    }
    decoder ??= decoderFor(chunk);
    yield decode(decoder, chunk);
  }
  if (decoder !== undefined) yield decode(decoder);
}

function decoderFor(chunk: Buffer): TextDecoder {
  if (chunk[0] === 0xff && chunk[1] === 0xfe) return new TextDecoder("utf-16le", { fatal: true });
  try {
    // A decoder of its own, for this one only looks.
    new TextDecoder("utf-8", { fatal: true }).decode(chunk, { stream: true });
    return new TextDecoder("utf-8", { fatal: true });
  } catch {
    return new TextDecoder("windows-1252");
  }
}

function decode(decoder: TextDecoder, chunk?: Buffer): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch (error) {
    throw new UnreadableFile(
      {
        en: `its text is partly ${decoder.encoding} and partly not. Save it again as CSV UTF-8.`,
        fr: `son texte n’est qu’en partie en ${decoder.encoding}. Enregistrez-le de nouveau en CSV UTF-8.`,
      },
      { cause: error },
    );
  }
}
