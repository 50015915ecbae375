import { expect, test } from "vitest";
import { EndpointQueue, roomStart } from "./endpoint-queue.ts";
import type { Held } from "./held.ts";

let made = 0;

function held(subjectId: string, dueAtMs = 0): Held {
  made += 1;
  return {
    companyId: "com",
    listener: { webhookId: "hook", endpointId: "end", topic: "charge/events", url: "http://x" },
    claim: {
      id: "claim",
      isWritten: false,
      claimedAt: new Date(0),
      takenAtMs: dueAtMs,
      dueAtMs,
      left: 1,
    },
    eventNumber: made,
    subjectId,
    happenedMs: 0,
    payload: "{}",
    tries: 0,
  };
}

function filled(inFlightMax: number, ...all: Held[]): EndpointQueue {
  const queue = new EndpointQueue(inFlightMax);
  for (const one of all) expect(queue.add(one)).toBe(true);
  return queue;
}

test("one of an object goes when the one before it is written down, not when it is answered", () => {
  const [first, second, other] = [held("a"), held("a"), held("b")];
  const queue = filled(8, first, second, other);
  expect([queue.next(0), queue.next(0), queue.next(0)]).toEqual([first, other, undefined]);

  expect(queue.done(first, true)).toEqual([]);
  expect(queue.next(0)).toBeUndefined();
  queue.written(first);
  expect(queue.next(0)).toBe(second);
});

test("behind one that was not acknowledged nothing is sent: what waits is given back, what comes is refused", () => {
  const [first, second, third] = [held("a"), held("a"), held("a")];
  const queue = filled(8, first, second, third);
  expect(queue.next(0)).toBe(first);

  expect(queue.done(first, false)).toEqual([second, third]);
  expect(queue.add(held("a"))).toBe(false);
  queue.written(second);
  expect(queue.add(held("a"))).toBe(false);

  // From here on the database knows that there is something before it.
  queue.written(first);
  const later = held("a");
  expect(queue.add(later)).toBe(true);
  expect(queue.next(0)).toBe(later);
});

test("at most so many are in flight, and nothing is sent before it is due", () => {
  const queue = filled(2, held("a"), held("b"), held("c"), held("d", 100));
  const [a, b] = [queue.next(0), queue.next(0)];
  expect([a, b].map((one) => one?.subjectId)).toEqual(["a", "b"]);
  expect(queue.next(0)).toBeUndefined();
  for (const one of [a, b]) if (one !== undefined) queue.done(one, true);
  expect(queue.next(0)?.subjectId).toBe("c");
  expect(queue.next(99)).toBeUndefined();
  expect(queue.next(100)?.subjectId).toBe("d");
});

test("after ten failures in a row everything is given back, and nothing is taken in until all of it is written down", () => {
  const all = Array.from({ length: 20 }, (_, index) => held(`s${index}`));
  const queue = filled(1, ...all);
  const back: Held[] = [];
  for (let one = queue.next(0); one !== undefined; one = queue.next(0))
    back.push(...queue.done(one, false));
  expect(back).toEqual(all.slice(10));
  for (const one of all) {
    expect(queue.room).toBe(0);
    queue.written(one);
  }
  expect(queue.isIdle).toBe(true);
  expect(queue.room).toBe(8);
});

test("a webhook that is gone leaves nothing behind but what was on its way", () => {
  const [sent, waiting, behind] = [held("a"), held("b"), held("b")];
  const queue = filled(1, sent, waiting, behind);
  expect(queue.next(0)).toBe(sent);
  expect(queue.takeOut(({ listener }) => listener.webhookId === "another")).toEqual([]);
  expect(queue.takeOut(({ listener }) => listener.webhookId === "hook")).toEqual([waiting, behind]);
  expect(queue.next(0)).toBeUndefined();
});

test("a quick endpoint gets more room, one that lets its requests wait gets less; what waits too long is dropped", () => {
  const queue = new EndpointQueue(1);
  expect(queue.room).toBe(roomStart);
  const one = held("a");
  queue.add(one);
  queue.next(10);
  expect([queue.waitMs(510), queue.ageMs(510)]).toEqual([10, 500]);
  queue.done(one, true);
  queue.written(one);
  expect(queue.room).toBe(roomStart * 4);

  for (const subject of ["b", "c", "d"]) queue.add(held(subject, 1_000));
  queue.next(8_000);
  expect(queue.capacity).toBe(roomStart * 2);
  expect(queue.dropStale(15_999)).toEqual([]);
  expect(queue.dropStale(16_000).map(({ subjectId }) => subjectId)).toEqual(["c", "d"]);
  expect(queue.capacity).toBeLessThan(roomStart);
});
