import { encode } from "uqr";
import type { Words } from "../words/fr.ts";

/** The white border around the code that readers need. */
const quietModules = 4;

/** The same page for the phone's camera; the styles show it where there is a mouse and room. */
export function Qr({
  words,
  url,
  href,
}: {
  readonly words: Words;
  readonly url: string;
  readonly href: string;
}) {
  const { size, path } = toPath(url);
  return (
    <aside class="qr screen" aria-label={words.pay.qr}>
      <h2>{words.pay.qr}</h2>
      <svg
        role="img"
        aria-label={words.pay.qrLabel}
        viewBox={`0 0 ${size} ${size}`}
        shape-rendering="crispEdges"
      >
        <path stroke="#000" d={path} />
      </svg>
      <p>{words.pay.qrHint}</p>
      <p>
        <a href={href}>{words.pay.qrLink}</a>
      </p>
    </aside>
  );
}

/** Dark runs as strokes, each from where the last one ended: the shortest text a path can be. */
function toPath(url: string): { readonly size: number; readonly path: string } {
  // One fixed mask: readers accept any, and trying all eight for the best one takes seven times as long as the rest.
  const { data, size } = encode(url, { ecc: "L", border: quietModules, maskPattern: 2 });
  let path = "";
  let at = { x: 0, y: -0.5 };
  for (const [y, row] of data.entries()) {
    let x = 0;
    while (x < size) {
      let end = x;
      while (row[end] === true) end += 1;
      if (end > x) {
        path += `m${x - at.x} ${y - at.y}h${end - x}`;
        at = { x: end, y };
      }
      x = end + 1;
    }
  }
  return { size, path };
}
