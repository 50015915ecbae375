/** What a scrape of /metrics says of one metric. */
export interface ScrapedMetric {
  readonly type: string;
  readonly help: string;
  /** Of all its series, without the `le` of histograms. */
  readonly labels: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, ReadonlySet<string>>;
  readonly seriesCount: number;
}

/** Reads the Prometheus text format, and throws where it is not that. Histograms go by their own name. */
export function readMetrics(text: string): Map<string, ScrapedMetric> {
  const found = new Map<
    string,
    {
      type: string;
      help: string;
      labels: Set<string>;
      values: Map<string, Set<string>>;
      seriesCount: number;
    }
  >();
  const helps = new Map<string, string>();
  for (const line of text.trimEnd().split("\n")) {
    const [, about, name = "", said = ""] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (about === "HELP") helps.set(name, said);
    if (about === "TYPE") {
      if (found.has(name)) throw new Error(`${name} is there twice`);
      const labels = new Set<string>();
      const values = new Map<string, Set<string>>();
      found.set(name, { type: said, help: helps.get(name) ?? "", labels, values, seriesCount: 0 });
    }
    if (about !== undefined) continue;
    const sample = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (sample === null || Number.isNaN(Number(sample[3]))) throw new Error(`no sample: ${line}`);
    const series = sample[1] ?? "";
    const owner = found.get(series) ?? found.get(series.replace(/_(?:bucket|sum|count)$/, ""));
    if (owner === undefined) throw new Error(`a sample without a type: ${line}`);
    owner.seriesCount += 1;
    for (const [, label = "", value = ""] of (sample[2] ?? "").matchAll(
      /(\w+)="((?:[^"\\]|\\.)*)"/g,
    )) {
      if (label === "le") continue;
      owner.labels.add(label);
      owner.values.set(label, (owner.values.get(label) ?? new Set()).add(value));
    }
  }
  return found;
}
