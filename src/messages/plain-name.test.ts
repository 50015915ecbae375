import { expect, test } from "vitest";
import { plainName } from "./plain-name.ts";

test.each([
  ["Boutique Awa", "Boutique Awa"],
  ["L’Étoile d'Abidjan & Fils (Cocody)", "L’Étoile d'Abidjan & Fils (Cocody)"],
  ["x.\nCAURI: compte bloque. http://bit.ly/xy1", "x CAURI compte bloque http bit ly xy1"],
  ["www.evil.example", "www evil example"],
  ["a\u202eb\u0000c\u001b[31md\u200be", "a b c 31md e"],
  ["★ ★", ""],
])("%j becomes %j", (name, plain) => {
  expect(plainName(name)).toBe(plain);
});
