import { dayAfter, startOfDay } from "../kernel/days.ts";

const textMax = 100;

/** As it was typed: of each filter that is set, its text. Empty ones are those of a form that was sent without them. */
export function readTypedFields<Field extends string>(
  query: URLSearchParams,
  fields: readonly Field[],
): Partial<Record<Field, string>> {
  const typed: Partial<Record<Field, string>> = {};
  for (const name of fields) {
    const text = query.get(name)?.trim().slice(0, textMax) ?? "";
    if (text !== "") typed[name] = text;
  }
  return typed;
}

/** The last moment of a day where the company is. */
export function lastMomentOf(day: string, timeZone: string): Date {
  return new Date(startOfDay(dayAfter(day), timeZone).getTime() - 1);
}

export const pageSizes = [15, 50, 100] as const;

/** How many rows a page has: one of the sizes that are offered. */
export function readPageSize(query: URLSearchParams): number {
  const asked = Number(query.get("limit"));
  return pageSizes.find((size) => size === asked) ?? pageSizes[0];
}

/** The address of the same search, with some of it changed: undefined takes a filter away. */
export function toQuery(
  typed: Readonly<Record<string, string | undefined>>,
  change: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const all: Record<string, string | undefined> = { ...typed, ...change };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

const searchMax = 255;

/** What somebody looks for by its name. Text the database cannot hold is nowhere in it. */
export function readSearchText(typed: string | null): string {
  return (typed ?? "").trim().slice(0, searchMax).replaceAll("\u0000", "");
}
