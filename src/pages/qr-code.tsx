import { encode } from "uqr";

/** The white border around the code that readers need. */
const quietModules = 4;

/** A text for a phone's camera, as one path. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, path } = toPath(text);
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <path stroke="#000" d={path} />
    </svg>
  );
}

/** Dark runs as strokes, each from where the last one ended: the shortest text a path can be. */
function toPath(text: string): { readonly size: number; readonly path: string } {
  // One fixed mask: readers accept any, and trying all eight for the best one takes seven times as long as the rest.
  const { data, size } = encode(text, { ecc: "L", border: quietModules, maskPattern: 2 });
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
