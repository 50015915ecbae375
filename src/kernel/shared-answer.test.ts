import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sharedAnswer } from "./shared-answer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("two hundred who ask at once get one answer, and so does who asks a moment later", async () => {
  let made = 0;
  const ask = sharedAnswer(async () => (made += 1), 1_000);

  expect(new Set(await Promise.all(Array.from({ length: 200 }, ask)))).toEqual(new Set([1]));
  await vi.advanceTimersByTimeAsync(999);
  expect(await ask()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await ask()).toBe(2);
});

test("while one takes long no second one is begun, and one that failed is not kept", async () => {
  let made = 0;
  const ask = sharedAnswer(async () => {
    made += 1;
    await new Promise((resolve) => setTimeout(resolve, 60_000));
    if (made === 1) throw new Error("no database");
    return made;
  }, 1_000);

  const first = [ask(), ask()];
  for (const one of first) one.catch(() => {});
  await vi.advanceTimersByTimeAsync(30_000);
  first.push(ask());
  const outcomes = Promise.allSettled(first);
  await vi.advanceTimersByTimeAsync(30_000);
  expect((await outcomes).map(({ status }) => status)).toEqual(first.map(() => "rejected"));
  expect(made).toBe(1);

  const second = ask();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await second).toBe(2);
});
