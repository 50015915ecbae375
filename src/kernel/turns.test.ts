import { expect, onTestFinished, test, vi } from "vitest";
import { Turns } from "./turns.ts";

/** A pass of the event loop. */
const pass = () => new Promise((resolve) => setImmediate(resolve));

test("however many want a turn, one has it in each pass of the event loop, in the order in which they came", async () => {
  const had: number[] = [];
  const all = Promise.all(
    [1, 2, 3].map(async (name) => {
      for (let count = 0; count < 2; count += 1) {
        await new Turns().next();
        had.push(name);
      }
    }),
  );

  const seen: number[] = [];
  for (let count = 0; count < 8; count += 1) {
    await pass();
    seen.push(had.length);
  }
  await all;
  expect(had).toEqual([1, 2, 3, 1, 2, 3]);
  for (const [index, count] of seen.entries())
    expect(count - (seen[index - 1] ?? 0)).toBeLessThanOrEqual(1);
});

test("a turn is over after a while, and not before", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(1_000);
  onTestFinished(() => now.mockRestore());
  const turns = new Turns();
  now.mockReturnValue(1_004);
  expect(turns.isOver).toBe(false);
  now.mockReturnValue(1_005);
  expect(turns.isOver).toBe(true);

  await turns.next();
  expect(turns.isOver).toBe(false);
});
