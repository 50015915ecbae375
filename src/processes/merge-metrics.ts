import type { Across, Family } from "../kernel/metrics.ts";

/**
 * The metrics of one node from those of its processes. The first is of the process that was asked: what the database says is
 * taken from it alone. Buckets of histograms are sums like the rest, since all processes have the same bounds.
 */
export function mergeFamilies(processes: readonly (readonly Family[])[]): Family[] {
  const names = new Map<string, Family[]>();
  for (const families of processes)
    for (const family of families) {
      const known = names.get(family.name);
      if (known === undefined) names.set(family.name, [family]);
      else known.push(family);
    }
  return Array.from(names.values(), ([first, ...others]) => {
    if (first === undefined) throw new Error("a family has at least one member");
    if (first.across === "same") return [first, ...others].find(hasLines) ?? first;
    return { ...first, lines: mergeLines(first.across, [first, ...others]) };
  });
}

/** What stays of a process that has ended: what it counted. Without it, sums would go down, which counters never do. */
export function countsOf(families: readonly Family[]): Family[] {
  return families.filter(({ type }) => type !== "gauge");
}

function hasLines({ lines }: Family): boolean {
  return lines.length > 0;
}

function mergeLines(across: Exclude<Across, "same">, families: readonly Family[]): string[] {
  const values = new Map<string, number>();
  for (const { lines } of families)
    for (const line of lines) {
      const end = line.lastIndexOf(" ");
      const series = line.slice(0, end);
      const value = Number(line.slice(end + 1));
      const known = values.get(series);
      if (known === undefined) values.set(series, value);
      else values.set(series, across === "sum" ? known + value : Math.max(known, value));
    }
  return Array.from(values, ([series, value]) => `${series} ${value}`);
}
