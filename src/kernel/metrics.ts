/**
 * Counters, gauges and histograms in the Prometheus text format. Two hundred lines less than a client
 * library, and nothing here needs more.
 */
type Labels = Readonly<Record<string, string>>;

/**
 * What the values of several processes of one node come to. `sum` and `highest` for what each has of its own; `same` for what
 * all would answer alike because the database says it: then whoever was asked has just looked.
 */
export type Across = "sum" | "highest" | "same";

/** One metric with all its values: what is written, and what processes tell each other. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly across: Across;
  /** `name{labels} value` */
  readonly lines: readonly string[];
}

interface Metric extends Omit<Family, "lines"> {
  lines(): Iterable<string>;
}

export interface Counter {
  add(labels?: Labels, by?: number): void;
}

export interface Gauge {
  set(value: number, labels?: Labels): void;
}

export interface Histogram {
  observe(value: number, labels?: Labels): void;
}

export class Metrics {
  readonly #metrics: Metric[] = [];

  /** `known`: series that are there from the start, because nobody sees growth from nothing. */
  counter(name: string, help: string, known: readonly Labels[] = []): Counter {
    const values = new Map(known.map((labels) => [keyOf(labels), 0]));
    this.#metrics.push({
      name,
      help,
      type: "counter",
      across: "sum",
      lines: () => plainLines(name, values),
    });
    return {
      add: (labels, by = 1) => {
        const key = keyOf(labels);
        values.set(key, (values.get(key) ?? 0) + by);
      },
    };
  }

  gauge(name: string, help: string, across: Across): Gauge {
    const values = new Map<string, number>();
    this.#metrics.push({
      name,
      help,
      type: "gauge",
      across,
      lines: () => plainLines(name, values),
    });
    return { set: (value, labels) => values.set(keyOf(labels), value) };
  }

  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    const series = new Map<string, { readonly counts: number[]; sum: number }>();
    this.#metrics.push({
      name,
      help,
      type: "histogram",
      across: "sum",
      lines: () => bucketLines(name, bounds, series),
    });
    return {
      observe: (value, labels) => {
        const key = keyOf(labels);
        let one = series.get(key);
        if (one === undefined) {
          one = { counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 };
          series.set(key, one);
        }
        const found = bounds.findIndex((bound) => value <= bound);
        const place = found === -1 ? bounds.length : found;
        one.counts[place] = (one.counts[place] ?? 0) + 1;
        one.sum += value;
      },
    };
  }

  families(): Family[] {
    return this.#metrics.map((metric) => ({ ...metric, lines: [...metric.lines()] }));
  }

  toText(): string {
    return textOf(this.families());
  }
}

export function textOf(families: readonly Family[]): string {
  const text: string[] = [];
  for (const { name, help, type, lines } of families)
    text.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines);
  return `${text.join("\n")}\n`;
}

const special = /[\\"\n]/;

function keyOf(labels: Labels | undefined): string {
  let key = "";
  for (const name in labels) {
    const value = labels[name] ?? "";
    key += `${key === "" ? "" : ","}${name}="${special.test(value) ? escaped(value) : value}"`;
  }
  return key;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function* plainLines(name: string, values: ReadonlyMap<string, number>): Iterable<string> {
  for (const [key, value] of values)
    yield key === "" ? `${name} ${value}` : `${name}{${key}} ${value}`;
}

function* bucketLines(
  name: string,
  bounds: readonly number[],
  series: ReadonlyMap<string, { readonly counts: readonly number[]; readonly sum: number }>,
): Iterable<string> {
  for (const [key, { counts, sum }] of series) {
    const labels = key === "" ? "" : `${key},`;
    let below = 0;
    for (const [place, count] of counts.entries()) {
      below += count;
      yield `${name}_bucket{${labels}le="${bounds[place] ?? "+Inf"}"} ${below}`;
    }
    yield key === "" ? `${name}_sum ${sum}` : `${name}_sum{${key}} ${sum}`;
    yield key === "" ? `${name}_count ${below}` : `${name}_count{${key}} ${below}`;
  }
}
