import { expect, test } from "vitest";
import { Admission } from "./admission.ts";

/** Seconds in which as many requests as are let in take so long each. */
function pass(admission: Admission, seconds: number, tookMs: number, at = { now: 0 }): void {
  for (let second = 0; second < seconds; second += 1) {
    let inHand = 0;
    for (; !admission.isFull; inHand += 1) admission.enter();
    at.now += 1_000;
    for (; inHand > 0; inHand -= 1) admission.leave(at.now, tookMs);
  }
}

test("as many as the operator says, no more, and room comes back with every answer", () => {
  const admission = new Admission(2);
  admission.enter();
  expect(admission.isFull).toBe(false);
  admission.enter();
  expect(admission.isFull).toBe(true);

  admission.leave(0, 10);
  expect(admission.isFull).toBe(false);
});

test("when it is full and answers are late, fewer are let in, but never none", () => {
  const admission = new Admission(1_000);
  pass(admission, 3, 800);
  expect(admission.bound).toBeLessThan(500);

  pass(admission, 50, 800);
  expect(admission.bound).toBe(32);
});

test("when answers are quick again, more are let in, up to what the operator says", () => {
  const at = { now: 0 };
  const admission = new Admission(1_000);
  pass(admission, 10, 800, at);
  pass(admission, 100, 20, at);

  expect(admission.bound).toBe(1_000);
});

test("late answers alone change nothing: a large batch or a slow database is not a crowd", () => {
  const admission = new Admission(1_000);
  for (let now = 0; now < 50_000; now += 1_000) {
    admission.enter();
    admission.leave(now, 5_000);
  }

  expect(admission.bound).toBe(1_000);
});

test("a bound below the least is the operator's wish", () => {
  const admission = new Admission(3);
  pass(admission, 20, 800);

  expect(admission.bound).toBe(3);
});

test("one account has its share and no more; the others find the rest", () => {
  const admission = new Admission(10, 0.5);
  for (let count = 0; count < 5; count += 1) admission.enter("a");

  expect([admission.isFullFor("a"), admission.isFullFor("b"), admission.isFull]).toEqual([
    true,
    false,
    false,
  ]);
  for (let count = 0; count < 5; count += 1) admission.enter("b");
  expect(admission.isFull).toBe(true);

  admission.leave(0, 10, "a");
  expect([admission.isFullFor("a"), admission.isFullFor("b"), admission.isFull]).toEqual([
    false,
    true,
    false,
  ]);
});

test("late answers to an account that has used up its share are a crowd too", () => {
  const admission = new Admission(1_000, 0.5);
  for (let now = 1_000; now < 60_000; now += 1_000) {
    let inHand = 0;
    for (; !admission.isFullFor("a"); inHand += 1) admission.enter("a");
    for (; inHand > 0; inHand -= 1) admission.leave(now, 800, "a");
  }

  expect(admission.bound).toBe(64);
});
