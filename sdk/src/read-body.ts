import type { Fail } from "./attempt.ts";
import { ConnectionError, TimeoutError } from "./errors.ts";

/**
 * Above the largest answer there is, a batch of 10 000. What goes on beyond it is no answer: JSON of small objects takes thirty
 * times its length in memory.
 */
const textBytesMax = 16 * 1_024 * 1_024;

export async function readText(response: Response, fail: Fail): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > textBytesMax) {
      reader.cancel().catch(() => {});
      throw fail("it does not end");
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** The same bytes; it fails when it is silent for too long, instead of keeping its reader waiting for ever. */
export function withIdleLimit(
  body: ReadableStream<Uint8Array>,
  idleMs: number,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const silence = new Promise<never>((_, reject) => {
        const error = new TimeoutError(`The file was silent for ${idleMs} ms.`);
        timer = setTimeout(() => reject(error), idleMs);
      });
      try {
        const { done, value } = await Promise.race([reader.read(), silence]);
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (cause) {
        reader.cancel(cause).catch(() => {});
        throw cause instanceof TimeoutError
          ? cause
          : new ConnectionError("The file broke off.", { cause });
      } finally {
        clearTimeout(timer);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
