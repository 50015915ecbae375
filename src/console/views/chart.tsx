import type { ComponentChildren } from "preact";
import { dayWidth, plotHeight } from "./chart-geometry.ts";

export interface ChartProps {
  readonly id: string;
  readonly title: string;
  /** What the picture shows, in a sentence: for whoever does not see it, and below the title for everybody else. */
  readonly summary: string;
  /** From the top to the bottom. */
  readonly scale: readonly string[];
  /** The first and the last day. */
  readonly ends: readonly [string, string];
  readonly dayCount: number;
  readonly legend?: ComponentChildren;
  readonly csvHref: string;
  readonly words: ChartWords;
  readonly header: readonly string[];
  /** The oldest first, as they are drawn; the first cell of a row names its day. */
  readonly rows: readonly (readonly string[])[];
  /** Paths of the drawing, `dayWidth` for each day and `plotHeight` high. */
  readonly children: ComponentChildren;
}

interface ChartWords {
  readonly showTable: string;
  readonly csv: string;
  readonly csvOf: (title: string) => string;
}

/**
 * A drawing with its numbers. It is stretched to the width there is, so its letters stand beside it and not inside: they
 * keep their size on a phone.
 */
export function Chart(props: ChartProps) {
  const { id, title, summary, scale, words, header } = props;
  const width = props.dayCount * dayWidth;
  const lines = scale.map((_, place) => (place * plotHeight) / (scale.length - 1));
  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption>
        <h2 id={id}>{title}</h2>
        <p class="soft">{summary}</p>
      </figcaption>
      {props.legend}
      <div class="plot">
        <div class="scale" aria-hidden="true">
          {scale.map((label, place) => (
            <span key={place}>{label}</span>
          ))}
        </div>
        <svg
          role="img"
          aria-label={`${title}. ${summary}`}
          viewBox={`0 0 ${width} ${plotHeight}`}
          preserveAspectRatio="none"
        >
          <path class="grid" d={lines.map((y) => `M0 ${y}H${width}`).join("")} />
          {props.children}
        </svg>
        <div class="ends" aria-hidden="true">
          {props.ends.map((end) => (
            <span key={end}>{end}</span>
          ))}
        </div>
      </div>
      <div class="chart-data">
        <details>
          <summary>{words.showTable}</summary>
          {/* A region that scrolls is reached by the keyboard. */}
          <section class="scroll" aria-labelledby={id} tabindex={0}>
            <table class="plain">
              <caption class="unseen">{title}</caption>
              <thead>
                <tr>
                  {header.map((cell, place) => (
                    <th key={cell} scope="col" class={place === 0 ? undefined : "number"}>
                      {cell}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {props.rows.toReversed().map(([day, ...cells]) => (
                  <tr key={day}>
                    <th scope="row">{day}</th>
                    {cells.map((cell, place) => (
                      <td key={place} class="number">
                        {cell}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </details>
        <a href={props.csvHref} aria-label={words.csvOf(title)}>
          {words.csv}
        </a>
      </div>
    </figure>
  );
}
