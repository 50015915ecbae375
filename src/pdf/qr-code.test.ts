import { encode } from "uqr";
import { expect, test } from "vitest";
import { drawQrCode } from "./qr-code.ts";

test("the squares that are drawn are the dark modules of the code, the right way up", () => {
  const url = "https://pay.example/verify";
  const { data, size } = encode(url, { ecc: "M", border: 2 });
  const drawn = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x, y] of drawQrCode(url, 10, 20, 64).matchAll(/(\d+) (\d+) 1 1 re/g)) {
    const row = drawn[size - 1 - Number(y)];
    if (row !== undefined) row[Number(x)] = true;
  }

  expect(drawn).toEqual(data);
  expect(drawQrCode(url, 10, 20, size)).toMatch(/^q 1 0 0 1 10 20 cm /);
});
