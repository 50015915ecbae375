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

/** One metric with certain labels, for whoever adds to it often: its labels are put together once. */
export interface Series {
  add(value: number): void;
}

interface HasSeries {
  series(labels: Labels): Series;
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
  counter(name: string, help: string, known: readonly Labels[] = []): Counter & HasSeries {
    const values = new Map(known.map((labels) => [keyOf(labels), 0]));
    const addTo = (key: string, by: number) => values.set(key, (values.get(key) ?? 0) + by);
    this.#metrics.push({
      name,
      help,
      type: "counter",
      across: "sum",
      lines: () => plainLines(name, values),
    });
    return {
      add: (labels, by = 1) => void addTo(keyOf(labels), by),
      series: (labels) => {
        const key = keyOf(labels);
        return { add: (by) => void addTo(key, by) };
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

  histogram(name: string, help: string, bounds: readonly number[]): Histogram & HasSeries {
    const series = new Map<string, Buckets>();
    const seriesOf = (labels: Labels | undefined) => {
      const key = keyOf(labels);
      const one = series.get(key) ?? new Buckets(bounds);
      series.set(key, one);
      return one;
    };
    this.#metrics.push({
      name,
      help,
      type: "histogram",
      across: "sum",
      lines: () => bucketLines(name, bounds, series),
    });
    return {
      observe: (value, labels) => seriesOf(labels).add(value),
      series: seriesOf,
    };
  }

  families(): Family[] {
    return this.#metrics.map((metric) => ({ ...metric, lines: [...metric.lines()] }));
  }

  toText(): string {
    return textOf(this.families());
  }
}

/** How many values were within each bound, and what they come to. */
class Buckets implements Series {
  readonly #bounds: readonly number[];
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  add(value: number): void {
    const found = this.#bounds.findIndex((bound) => value <= bound);
    const place = found === -1 ? this.#bounds.length : found;
    this.counts[place] = (this.counts[place] ?? 0) + 1;
    this.sum += value;
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
  series: ReadonlyMap<string, Buckets>,
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
