import { formatAmount } from "../../pages/format.ts";
import { barsPath, plotHeight, roundUp, stepPath } from "../views/chart-geometry.ts";
import type { FrameWords } from "../words/frame.ts";
import type { HomeWords } from "../words/home.ts";
import { type DayFigures, rateCountMin, successOf } from "./day-figures.ts";

export const chartNames = ["balance", "volume", "success"] as const;
export type ChartName = (typeof chartNames)[number];

/** What a chart shows, before it is drawn. */
export interface ChartFacts {
  readonly title: string;
  readonly summary: string;
  /** From the top to the bottom. */
  readonly scale: readonly string[];
  readonly paths: readonly { readonly kind: string; readonly path: string }[];
  readonly header: readonly string[];
  /** By day: texts for a person, and numbers for a file. */
  readonly rows: readonly (readonly string[])[];
  readonly values: readonly (readonly (number | undefined)[])[];
}

interface Wording {
  readonly frame: FrameWords;
  readonly words: HomeWords;
}

export function toChart(
  name: ChartName,
  days: readonly DayFigures[],
  wording: Wording,
): ChartFacts {
  if (name === "balance") return balanceChart(days, wording);
  return name === "volume" ? volumeChart(days, wording) : successChart(days, wording);
}

function balanceChart(days: readonly DayFigures[], { frame, words }: Wording): ChartFacts {
  const balances = days.map(({ balance }) => balance ?? undefined);
  const known = balances.filter((balance) => balance !== undefined);
  const max = roundUp(Math.max(0, ...known));
  const show = (francs: number) => formatAmount(frame, francs);
  return {
    title: words.balance.title,
    summary:
      known.length === 0
        ? words.balance.none
        : words.balance.summary(show(known.at(-1) ?? 0), show(Math.min(...known))),
    scale: scaleOf(frame, [max, max / 2, 0]),
    paths: [{ kind: "line", path: stepPath(balances, max) }],
    header: [words.day, words.balance.column],
    rows: balances.map((balance) => [balance === undefined ? "–" : show(balance)]),
    values: balances.map((balance) => [balance]),
  };
}

/** What came in rises above the line, what went out hangs below it: neither is told by its colour alone. */
function volumeChart(days: readonly DayFigures[], { frame, words }: Wording): ChartFacts {
  const ins = days.map(({ traffic }) => traffic?.paidIn);
  const outs = days.map(({ traffic }) => traffic?.sentOut);
  const sum = (values: readonly (number | undefined)[]) =>
    values.reduce<number>((total, value) => total + (value ?? 0), 0);
  const max = roundUp(Math.max(0, ...[...ins, ...outs].map((value) => value ?? 0)));
  const show = (francs: number | undefined) =>
    francs === undefined ? words.unknownDay : formatAmount(frame, francs);
  const half = { max, base: plotHeight / 2, height: plotHeight / 2 };
  return {
    title: words.volume.title,
    summary:
      sum(ins) + sum(outs) === 0
        ? words.volume.none
        : words.volume.summary(show(sum(ins)), show(sum(outs))),
    scale: scaleOf(frame, [max, 0, max]),
    paths: [
      { kind: "in", path: barsPath(ins, half) },
      {
        kind: "out",
        path: barsPath(
          outs.map((out) => out && -out),
          half,
        ),
      },
    ],
    header: [words.day, words.volume.in, words.volume.out],
    rows: days.map((_, place) => [show(ins[place]), show(outs[place])]),
    values: days.map((_, place) => [ins[place], outs[place]]),
  };
}

function successChart(days: readonly DayFigures[], { frame, words }: Wording): ChartFacts {
  const rates = days.map(({ traffic }) => traffic && successOf(traffic));
  const counts = days.map(({ traffic }) =>
    traffic === null ? undefined : traffic.sentOutCount + traffic.failedCount,
  );
  const isMany = (place: number) => (counts[place] ?? 0) >= rateCountMin;
  const pathOf = (isMeant: (place: number) => boolean) =>
    stepPath(
      rates.map((rate, place) => (isMeant(place) ? (rate ?? undefined) : undefined)),
      100,
    );
  const total = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  const sent = days.reduce((sum, { traffic }) => sum + (traffic?.sentOutCount ?? 0), 0);
  const show = (rate: number | null | undefined) => (rate == null ? "–" : percent(frame, rate));
  return {
    title: words.success.title,
    summary:
      total === 0
        ? words.success.none
        : words.success.summary(percent(frame, (100 * sent) / total), total),
    scale: [100, 50, 0].map((rate) => percent(frame, rate)),
    paths: [
      { kind: "line", path: pathOf(isMany) },
      { kind: "line few", path: pathOf((place) => !isMany(place)) },
    ],
    header: [words.day, words.success.column, words.success.count, words.success.failed],
    rows: days.map(({ traffic }, place) => [
      show(rates[place]),
      counts[place] === undefined ? words.unknownDay : String(counts[place]),
      String(traffic?.failedCount ?? "–"),
    ]),
    values: days.map(({ traffic }, place) => [
      rates[place] == null ? undefined : Math.round(rates[place] * 100) / 100,
      counts[place],
      traffic?.failedCount,
    ]),
  };
}

function scaleOf({ locale }: FrameWords, values: readonly number[]): string[] {
  const format = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 2 });
  return values.map((value) => format.format(value).replaceAll("\u202f", "\u00a0"));
}

function percent({ locale }: FrameWords, rate: number): string {
  const format = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  return format.format(rate / 100).replaceAll("\u202f", "\u00a0");
}
