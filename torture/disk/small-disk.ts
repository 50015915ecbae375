import { execFile } from "node:child_process";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const fillerBytes = 64 * 1_024;

/** A disk so small that it can be filled: a tmpfs, which takes root on Linux to mount. */
export class SmallDisk {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** A sentence instead when there cannot be one here. */
  static async mount(path: string, megabytes: number): Promise<SmallDisk | string> {
    try {
      await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path]);
      return new SmallDisk(path);
    } catch (error) {
      return `a small disk cannot be mounted here: ${(error as Error).message.trim()}`;
    }
  }

  /** To the last block. */
  async fill(): Promise<void> {
    const file = await open(this.#filler, "a");
    try {
      for (let size = fillerBytes; size >= 1; size /= 2) {
        try {
          for (;;) await file.write(Buffer.alloc(size, 1));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        }
      }
    } finally {
      await file.close();
    }
  }

  async free(): Promise<void> {
    await rm(this.#filler, { force: true });
  }

  async unmount(): Promise<void> {
    await run("umount", [this.path]).catch(() => run("umount", ["-l", this.path]));
  }

  get #filler(): string {
    return join(this.path, "filler");
  }
}
