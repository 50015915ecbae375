import pg from "pg";

/** bigint columns hold francs and counters, all far below 2^53: numbers, checked. */
export const safeIntegers = new pg.TypeOverrides();
safeIntegers.setTypeParser(pg.types.builtins.INT8, toSafeInteger);

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${text} does not fit a number exactly`);
  return value;
}
