import { once } from "node:events";
import { promisify } from "node:util";
import { constants, createDeflate, inflate, type ZlibOptions } from "node:zlib";

/** The content of an object as it stands in the file, and how many bytes it has unpacked. */
export interface Packed {
  readonly bytes: Buffer;
  readonly size: number;
}

/**
 * Packs one content after another, each of which may come piece by piece. It is used again and again: what the library makes for
 * each of thousands of pages would be in memory until the next full collection.
 */
export class Press {
  readonly #deflate = createDeflate();
  readonly #bytes: Buffer[] = [];
  #size = 0;

  constructor() {
    // An error is thrown by whoever waits.
    this.#deflate.on("error", () => undefined);
    this.#deflate.on("readable", () => this.#collect());
  }

  async add(content: Buffer): Promise<void> {
    this.#size += content.length;
    if (!this.#deflate.write(content)) await once(this.#deflate, "drain");
  }

  /** What was added since the last time. */
  async take(): Promise<Packed> {
    await new Promise<void>((resolve, reject) => {
      this.#deflate.once("error", reject);
      this.#deflate.flush(constants.Z_FINISH, () => {
        this.#deflate.off("error", reject);
        resolve();
      });
    });
    this.#collect();
    this.#deflate.reset();
    const packed = { bytes: Buffer.concat(this.#bytes.splice(0)), size: this.#size };
    this.#size = 0;
    return packed;
  }

  close(): void {
    this.#deflate.destroy();
  }

  #collect(): void {
    for (
      let bytes: Buffer | null = this.#deflate.read();
      bytes !== null;
      bytes = this.#deflate.read()
    )
      this.#bytes.push(bytes);
  }
}

const inflated = promisify<Buffer, ZlibOptions, Buffer>(inflate);

/** Undefined when the bytes are no packed content, or one that is too long. */
export async function unpack(bytes: Buffer, bytesMax: number): Promise<Buffer | undefined> {
  return inflated(bytes, { maxOutputLength: bytesMax }).catch(() => undefined);
}
