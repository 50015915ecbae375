import { inThrees } from "../../kernel/in-threes.ts";

/** A whole number with its groups of three kept together on one line. */
function groupedFr(count: number): string {
  return grouped(count, "\u00a0");
}

function groupedEn(count: number): string {
  return grouped(count, ",");
}

function grouped(count: number, separator: string): string {
  return inThrees(String(count), separator);
}

/** In French none and one are singular. */
export function countedFr(count: number, one: string, many = `${one}s`): string {
  return `${groupedFr(count)} ${count < 2 ? one : many}`;
}

export function countedEn(count: number, one: string, many = `${one}s`): string {
  return `${groupedEn(count)} ${count === 1 ? one : many}`;
}
