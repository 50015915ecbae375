import { afterEach, expect, test, vi } from "vitest";
import { RateWindows } from "./rate-windows.ts";

function use(
  windows: RateWindows,
  key: string,
  windowMs = 60_000,
): { current: number; ttl: number } {
  let used = { current: 0, ttl: 0 };
  windows.incr(
    key,
    (_error, result) => {
      if (result !== undefined) used = result;
    },
    windowMs,
  );
  return used;
}

function count(windows: RateWindows, key: string, windowMs?: number): number {
  return use(windows, key, windowMs).current;
}

afterEach(() => vi.restoreAllMocks());

test("each key has its own window, and each limit its own keys", () => {
  const windows = new RateWindows();

  expect([count(windows, "a"), count(windows, "a"), count(windows, "b")]).toEqual([1, 2, 1]);
  expect(count(windows.child(), "a")).toBe(1);
});

test("a window ends when its time is over, also when the wall clock has stepped back an hour", () => {
  const steadyClock = vi.spyOn(performance, "now").mockReturnValue(5_000);
  const windows = new RateWindows();
  expect([count(windows, "a", 20), count(windows, "a", 20)]).toEqual([1, 2]);

  vi.spyOn(Date, "now").mockReturnValue(Date.now() - 3_600_000);
  steadyClock.mockReturnValue(5_019);
  expect(count(windows, "a", 20)).toBe(3);
  steadyClock.mockReturnValue(5_020);
  expect(count(windows, "a", 20)).toBe(1);
});

test("no more than five thousand keys are remembered; the one not heard of for longest is forgotten", () => {
  const windows = new RateWindows();
  for (let key = 0; key < 5_000; key += 1) count(windows, `${key}`);
  count(windows, "0");
  count(windows, "one too many");

  expect(count(windows, "0")).toBe(3);
  expect(count(windows, "1")).toBe(1);
});

test("whatever the fraction of the moment it began at, a window is no longer than it should be", () => {
  const windows = new RateWindows();
  for (let key = 0; key < 1_000; key += 1) {
    vi.spyOn(performance, "now").mockReturnValue(32_000 + key * 0.7003);
    expect(use(windows, `${key}`, 1_000).ttl).toBe(1_000);
  }
});
