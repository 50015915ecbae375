import type { Sentence } from "./language.ts";

const kilobyte = 1_024;
const megabyte = kilobyte * kilobyte;

/** A limit in bytes, as people write it. All of ours are whole kilobytes. */
export function sizeOf(bytes: number): Sentence {
  return bytes % megabyte === 0
    ? { en: `${bytes / megabyte} MB`, fr: `${bytes / megabyte}\u00a0Mo` }
    : { en: `${bytes / kilobyte} KB`, fr: `${bytes / kilobyte}\u00a0Ko` };
}
