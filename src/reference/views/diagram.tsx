import { inLanguage } from "../../kernel/language.ts";
import type { State, StateDiagram, Transition } from "../states.ts";
import { spaced } from "../words/translate.ts";
import type { Frame } from "./frame.ts";

const width = 290;
const rowHeight = 60;
const boxHeight = 32;
/** Where the boxes of each column begin and how wide they are: both fit a phone, with the longest name on the right. */
const columns = [
  { left: 28, width: 88 },
  { left: 152, width: 136 },
] as const;
const trunk = 126;
const markX = 138;
const markRadius = 8;

/** The states as a drawing, and their transitions as a list: the numbers of one are those of the other. */
export function Diagram({
  frame,
  diagram,
}: {
  readonly frame: Frame;
  readonly diagram: StateDiagram;
}) {
  const { words, language } = frame;
  const name = words.states[diagram.id];
  const height = Math.max(...diagram.states.map(({ row }) => row)) * rowHeight + boxHeight + 4;
  return (
    <figure class="states" id={`s-${diagram.id}`}>
      <figcaption>
        <h3>
          <a href={`#s-${diagram.id}`}>{name}</a>
        </h3>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words.states.diagram(name)}>
        {diagram.transitions.map((transition, index) => (
          <Arrow
            key={`${transition.from}-${transition.to}`}
            diagram={diagram}
            transition={transition}
            number={index + 1}
          />
        ))}
        {diagram.states.map((state) => (
          <Box key={state.name} state={state} />
        ))}
      </svg>
      <ol>
        {diagram.transitions.map(({ from, to, when }) => (
          <li key={`${from}-${to}`}>
            {from === undefined ? words.states.begins : <code>{from}</code>} → <code>{to}</code>
            <br />
            {language === "fr" ? spaced(when.fr) : inLanguage(language, when)}
          </li>
        ))}
      </ol>
    </figure>
  );
}

function Box({ state }: { readonly state: State }) {
  const { left, width: boxWidth } = columns[state.column];
  const top = state.row * rowHeight + 2;
  return (
    <>
      <rect x={left} y={top} width={boxWidth} height={boxHeight} rx={7} />
      <text x={left + boxWidth / 2} y={top + boxHeight / 2 + 4}>
        {state.name}
      </text>
    </>
  );
}

function Arrow(props: {
  readonly diagram: StateDiagram;
  readonly transition: Transition;
  readonly number: number;
}) {
  const { diagram, transition, number } = props;
  const placeOf = (name: string | undefined) => diagram.states.find((state) => state.name === name);
  const [from, to] = [placeOf(transition.from), placeOf(transition.to)];
  if (to === undefined) return null;
  const { line, markAt } = wayOf(from, to);
  return (
    <>
      <path d={line} />
      <circle cx={markAt[0]} cy={markAt[1]} r={markRadius} />
      <text class="mark" x={markAt[0]} y={markAt[1] + 4}>
        {number}
      </text>
    </>
  );
}

/** Beginnings come from the left, what follows in the same column from above, ends from the trunk between the columns. */
function wayOf(
  from: State | undefined,
  to: State,
): { readonly line: string; readonly markAt: readonly [number, number] } {
  const toY = middleOf(to);
  const { left, width: boxWidth } = columns[to.column];
  if (from === undefined) return { line: `M10 ${toY}H${left}${headRight}`, markAt: [10, toY] };
  const fromY = middleOf(from);
  if (from.column === to.column) {
    const x = left + boxWidth / 2;
    const [start, end] = [fromY + boxHeight / 2, toY - boxHeight / 2];
    return { line: `M${x} ${start}V${end}${headDown}`, markAt: [x, (start + end) / 2 - 2] };
  }
  const { left: fromLeft, width: fromWidth } = columns[from.column];
  return {
    line: `M${fromLeft + fromWidth} ${fromY}H${trunk}V${toY}H${left}${headRight}`,
    markAt: [markX, toY],
  };
}

function middleOf({ row }: State): number {
  return row * rowHeight + 2 + boxHeight / 2;
}

const headRight = "m-5-4 5 4-5 4";
const headDown = "m-4-5 4 5 4-5";
