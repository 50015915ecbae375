import { expect, test } from "vitest";
import { EndpointQueue, roomStart } from "./endpoint-queue.ts";
import type { Held } from "./held.ts";
import { planTurn } from "./plan-turn.ts";

const good = { endpointId: "good", isFailing: false, isAwaited: false };
const other = { endpointId: "other", isFailing: false, isAwaited: false };

/** A queue that got so many to hold at moment 0 and sent one of them. */
function queueWith(count: number): EndpointQueue {
  const queue = new EndpointQueue(1);
  for (let place = 0; place < count; place += 1) {
    const claim = { id: "c", isWritten: false, claimedAt: new Date(0), takenAtMs: 0, dueAtMs: 0 };
    queue.add({ claim: { ...claim, left: count }, subjectId: `s${place}` } as Held);
  }
  queue.next(0);
  return queue;
}

test("endpoints with room are told at once, as many events as the smallest room takes", () => {
  const both = ["good", "other"];
  expect(planTurn([good, other], new Map(), 10, 0)).toEqual({ direct: both, limit: 10 });
  const queues = new Map([["good", queueWith(20)]]);
  const limit = roomStart - 20;
  expect(planTurn([good, other], queues, 1_000, 0)).toEqual({ direct: both, limit });
});

test("for one that fails, and for one that is slow, events are written down: they hold up nobody", () => {
  const failing = { endpointId: "failing", isFailing: true, isAwaited: false };
  const slow = new Map([["other", queueWith(2)]]);
  const plan = { direct: ["good"], limit: 10 };
  expect(planTurn([good, failing, other], slow, 10, 1_000)).toEqual(plan);
  expect(planTurn([failing], new Map(), 1_000, 0)).toEqual({ direct: [], limit: 500 });
});

test("events wait for one that is full while the others have enough to do", () => {
  const queues = new Map([
    ["good", queueWith(roomStart)],
    ["other", queueWith(roomStart >> 1)],
  ]);
  expect(planTurn([good, other], queues, 100, 500).limit).toBe(0);
  expect(planTurn([good], queues, 100, 500).limit).toBe(0);
});

test("for one that is full they are written down when another has nothing more to do", () => {
  const queues = new Map([
    ["good", queueWith(roomStart)],
    ["other", queueWith(1)],
  ]);
  expect(planTurn([good, other], queues, 10, 500)).toEqual({ direct: ["other"], limit: 10 });
});

test("a little room is enough for a little, and for much it is not worth a turn", () => {
  const queues = new Map([["good", queueWith(roomStart - 3)]]);
  expect(planTurn([good], queues, 3, 0).limit).toBe(3);
  expect(planTurn([good], queues, 100, 0).limit).toBe(0);
});

test("events wait for the answer to a test event, unless another has nothing to do", () => {
  const awaited = { endpointId: "new", isFailing: true, isAwaited: true };
  expect(planTurn([awaited], new Map(), 100, 0)).toEqual({ direct: [], limit: 0 });
  expect(planTurn([awaited, good], new Map(), 10, 0)).toEqual({ direct: ["good"], limit: 10 });
});
