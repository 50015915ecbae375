import type { Target } from "../attack.ts";
import { hammer, post } from "../hammer.ts";

const path = "/v1/transactions/batch";
const callers = 4;
const rowsMax = 10_000;

/** The same bytes again and again, made once for each target. */
function repeated(makeBody: () => string) {
  const made = new WeakMap<Target, Buffer>();
  return (target: Target) => {
    const bytes = made.get(target) ?? post(target, path, makeBody());
    made.set(target, bytes);
    return bytes;
  };
}

function rows(count: number, rowOf: (index: number) => object): string {
  return JSON.stringify({
    transactions: Array.from({ length: count }, (_, index) => rowOf(index)),
  });
}

const goodRow = (index: number) => ({
  amount: 500_000,
  msisdn: "2250700000000",
  reference: `too-dear-${index}`,
});

/** Batches that cost much to look at and little to send. */
export const batchAttacks = [
  hammer({
    name: "30 KB of empty rows",
    callers,
    statuses: [400, 503],
    request: repeated(() => rows(rowsMax, () => ({}))),
  }),
  hammer({
    name: "1 MB of empty rows",
    callers,
    statuses: [400, 503],
    request: repeated(() => rows(340_000, () => ({}))),
  }),
  hammer({
    name: "1 MB of empty values in one row",
    callers,
    statuses: [400, 413, 503],
    request: repeated(() => `{"transactions":[{"metadata":{"a":[${"{},".repeat(340_000)}{}]}}]}`),
  }),
  hammer({
    name: "16 MB with a mistake in the last row",
    callers,
    statuses: [400, 503],
    request: repeated(() =>
      rows(rowsMax, (index) => ({
        ...goodRow(index),
        metadata: { pad: "x".repeat(1_400) },
        ...(index === rowsMax - 1 ? { msisdn: "07" } : {}),
      })),
    ),
  }),
  hammer({
    name: "10 000 rows that nobody can pay for",
    callers,
    statuses: [402, 503],
    request: repeated(() => rows(rowsMax, goodRow)),
  }),
];
