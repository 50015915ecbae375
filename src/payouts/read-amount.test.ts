import { expect, test } from "vitest";
import { meaningsOf, readAmount } from "./read-amount.ts";

test.for([
  ["25000", 25_000],
  ["025000", 25_000],
])("%j is taken as it stands", ([typed, amount]) => {
  expect(readAmount(String(typed))).toEqual({ amount, isPlain: true });
});

test.for([
  ["25 000", 25_000],
  ["25 000 F CFA", 25_000],
  ["25\u202f000\u00a0F\u00a0CFA", 25_000],
  ["25\u2009000 FCFA", 25_000],
  ["25000F", 25_000],
  ["25 000 f.", 25_000],
  ["25 000 francs", 25_000],
  ["25 000 francs CFA", 25_000],
  ["XOF 25 000", 25_000],
  ["XOF25000", 25_000],
  ["25000 xof", 25_000],
  ["F CFA 25 000", 25_000],
  ["1 250 000", 1_250_000],
  ["25000,00", 25_000],
  ["25000.0", 25_000],
  ["25 000,00 F CFA", 25_000],
  ["25.000,00", 25_000],
  ["25,000.00", 25_000],
  ["1.250.000", 1_250_000],
  ["1,250,000", 1_250_000],
])("%j is read, and shown", ([typed, amount]) => {
  expect(readAmount(String(typed))).toEqual({ amount, isPlain: false });
});

test.for([
  ["", "missing"],
  [" \u00a0 ", "missing"],
  ["25.000", "ambiguous"],
  ["25,000", "ambiguous"],
  ["25.000 F CFA", "ambiguous"],
  ["5.250", "ambiguous"],
  ["2,5E+4", "scientific"],
  ["2.5e4", "scientific"],
  ["2E+05", "scientific"],
  ["25000,5", "fraction"],
  ["25 000,50", "fraction"],
  ["12.5", "fraction"],
  ["25 000 €", "currency"],
  ["$ 40", "currency"],
  ["40 USD", "currency"],
  ["EUR 40", "currency"],
  ["25 00", "wrong"],
  ["2 5000", "wrong"],
  ["25k", "wrong"],
  ["-25000", "wrong"],
  ["(25000)", "wrong"],
  ["+25000", "wrong"],
  ["=25000", "wrong"],
  ["5000 GNF", "wrong"],
  ["F CFA", "wrong"],
  ["vingt mille", "wrong"],
  ["٢٥٠٠٠", "wrong"],
  ["1e400", "scientific"],
  ["1234567890123456", "wrong"],
  ["25\n000", undefined],
])("%j is refused: %s", ([typed, problem]) => {
  const read = readAmount(typed ?? "");
  if (problem === undefined) expect(read).toEqual({ amount: 25_000, isPlain: false });
  else expect(read).toEqual({ problem });
});

test("what is ambiguous is said with both meanings", () => {
  expect(meaningsOf("25.000")).toEqual(["25000", "25"]);
  expect(meaningsOf("5,250 F CFA")).toEqual(["5250", "5.250"]);
});
