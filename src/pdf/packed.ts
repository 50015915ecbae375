import { once } from "node:events";
import { promisify } from "node:util";
import { createDeflate, deflateSync, inflate, type ZlibOptions } from "node:zlib";

/** The content of an object as it stands in the file, and how many bytes it has unpacked. */
export interface Packed {
  readonly bytes: Buffer;
  readonly size: number;
}

/** A page. It is packed at once, which takes less than handing it to another thread. */
export function packPage(page: string): Packed {
  const content = Buffer.from(page, "latin1");
  // What is answered is the beginning of a piece of memory that is several times as large.
  return { bytes: Buffer.from(deflateSync(content)), size: content.length };
}

/** Content that comes piece by piece. Only what it is packed to is held. */
export class Packing {
  readonly #deflate = createDeflate();
  readonly #bytes: Buffer[] = [];
  readonly #ended = once(this.#deflate, "end");
  #size = 0;

  constructor() {
    // An error is thrown by whoever waits for the end.
    this.#ended.catch(() => undefined);
    this.#deflate.on("data", (bytes: Buffer) => this.#bytes.push(bytes));
  }

  async add(content: Buffer): Promise<void> {
    this.#size += content.length;
    if (!this.#deflate.write(content)) await once(this.#deflate, "drain");
  }

  async end(): Promise<Packed> {
    this.#deflate.end();
    await this.#ended;
    return { bytes: Buffer.concat(this.#bytes.splice(0)), size: this.#size };
  }

  /** For content that nobody will ask for. */
  drop(): void {
    this.#deflate.destroy();
    this.#bytes.length = 0;
  }
}

const inflated = promisify<Buffer, ZlibOptions, Buffer>(inflate);
/** Far above what a page, or an attachment of some ten thousand rows, comes to. */
export const contentBytesMax = 128 * 1024 * 1024;

/** Undefined when the bytes are no packed content, or one that is too long. */
export async function unpack(bytes: Buffer): Promise<Buffer | undefined> {
  return inflated(bytes, { maxOutputLength: contentBytesMax }).catch(() => undefined);
}
