import { setFlagsFromString } from "node:v8";

/**
 * By how much of what is in use the memory grows before it is cleaned up as a whole. Left alone it grows to four times as much
 * while much is read and written: docs/decisions/0150-memory-of-exports.md.
 */
const heapGrowingPercent = 50;

/** For a process that has much to do and is to hold little: it is cleaned up more often, which costs little when little is in use. */
export function tidyMemoryOften(): void {
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);
}
