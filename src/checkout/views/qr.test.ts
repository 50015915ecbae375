import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { encode } from "uqr";
import { expect, test } from "vitest";
import { fr } from "../words/fr.ts";
import { Qr } from "./qr.tsx";

test("the strokes of the picture are the dark modules of the code, and nothing else", () => {
  const url = `https://pay.example/pay/${"aZ09_-bY".repeat(8)}`;
  const html = renderToString(h(Qr, { words: fr, url, href: "/pay/x" }));
  const { data, size } = encode(url, { ecc: "L", border: 4, maskPattern: 2 });

  expect(html).toContain(`viewBox="0 0 ${size} ${size}"`);
  const drawn = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  let [x, y] = [0, 0];
  const path = / d="([^"]+)"/.exec(html)?.[1] ?? "";
  for (const [, dx, dy, length] of path.matchAll(/m(-?[\d.]+) (-?[\d.]+)h(\d+)/g)) {
    x += Number(dx);
    y += Number(dy);
    for (let step = 0; step < Number(length); step += 1) {
      // A stroke runs along the middle of its row.
      const row = drawn[y - 0.5];
      if (row !== undefined) row[x + step] = true;
    }
    x += Number(length);
  }
  expect(drawn).toEqual(data);
});
