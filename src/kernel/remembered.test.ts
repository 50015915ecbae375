import { afterEach, expect, test, vi } from "vitest";
import { Remembered } from "./remembered.ts";

afterEach(() => void vi.useRealTimers());

/** Looks a key up and counts how often. */
function counted<Value>(remembered: Remembered<Value>, find: () => Value | Promise<Value>) {
  const lookups: string[] = [];
  return {
    lookups,
    get: (key: string) =>
      remembered.get(key, async () => {
        lookups.push(key);
        return find();
      }),
  };
}

test("a key is looked up once, also by callers who come while that is under way", async () => {
  const { lookups, get } = counted(new Remembered<number>(10), () => 7);
  expect(await Promise.all([get("a"), get("a")])).toEqual([7, 7]);
  expect(await get("a")).toBe(7);
  expect(lookups).toEqual(["a"]);
});

test("it is looked up again when its time is over, and not before", async () => {
  vi.useFakeTimers();
  const { lookups, get } = counted(new Remembered<number>(10, 1_000), () => 7);
  await get("a");
  vi.advanceTimersByTime(999);
  await get("a");
  expect(lookups).toHaveLength(1);
  vi.advanceTimersByTime(1);
  await get("a");
  expect(lookups).toHaveLength(2);
});

test("the oldest makes room for the newest", async () => {
  const { lookups, get } = counted(new Remembered<number>(2), () => 7);
  for (const key of ["a", "b", "c", "b", "c"]) await get(key);
  expect(lookups).toEqual(["a", "b", "c"]);
  await get("a");
  expect(lookups).toEqual(["a", "b", "c", "a"]);
});

test("what was not found, and what failed, is looked up again; null counts as found", async () => {
  const answers = [undefined, new Error("away"), null];
  const { lookups, get } = counted(new Remembered<null | undefined>(10), () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  });
  expect(await get("a")).toBeUndefined();
  await expect(get("a")).rejects.toThrow("away");
  expect(await get("a")).toBeNull();
  expect(await get("a")).toBeNull();
  expect(lookups).toHaveLength(3);
});

test("a lookup that was under way when everything was forgotten is answered but not kept", async () => {
  const remembered = new Remembered<string>(10);
  let finish: (value: string) => void = () => {};
  const old = remembered.get("a", () => new Promise((resolve) => (finish = resolve)));
  remembered.forgetAll();
  const fresh = remembered.get("a", async () => "after");
  finish("before");

  expect(await old).toBe("before");
  expect(await fresh).toBe("after");
  expect(await remembered.get("a", async () => "looked up again")).toBe("after");
});
