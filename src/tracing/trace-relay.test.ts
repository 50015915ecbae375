import { expect } from "vitest";
import { test } from "../../test/fixtures.ts";
import { patience } from "../../test/receiver.ts";
import { Signals } from "../database/signals.ts";
import { newUuid } from "../kernel/ids.ts";
import { newNonce, orderedId } from "../kernel/ordered-id.ts";
import { type Made, TraceRelay } from "./trace-relay.ts";

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

function made(count: number, size: number, changes: Partial<Made> = {}): Made & { ids: string[] } {
  const [ms, nonce] = [1_700_000_000_000, newNonce()];
  const ids = Array.from({ length: size }, (_, place) => orderedId(ms, count + place, nonce));
  const companyId = newUuid(ms);
  return { kind: "transfers", companyId, id: ids[0] ?? "", size, traceparent, ids, ...changes };
}

test("what one node announces is known on the others: each id of a set, and no other", async ({
  db,
}) => {
  const signals = [new Signals(db.url, db.database), new Signals(db.url, db.database)] as const;
  const [here, there] = [new TraceRelay(signals[0]), new TraceRelay(signals[1])] as const;
  const heard: Made[] = [];
  there.onMade((one) => heard.push(one));
  for (const one of signals) await one.start();

  const sets = Array.from({ length: 200 }, (_, place) => made(place, 1 + (place % 3)));
  for (const { ids: _, ...one } of sets) here.announce(one);
  await expect.poll(() => heard.length, patience).toBe(200);
  for (const { ids } of sets) for (const id of ids) expect(there.find(id)).toBe(traceparent);
  for (const { ids, id } of sets) {
    expect(there.find(orderedId(1_700_000_000_000, ids.length + 500, newNonce()))).toBeUndefined();
    expect(there.find(id.replace(/^\w{8}/, "01a00000"))).toBeUndefined();
  }
  expect(there.find("not an id")).toBeUndefined();
  for (const one of signals) await one.close();
});

test("a signal that nobody of ours has written is passed over", async ({ db }) => {
  const signals = new Signals(db.url, db.database);
  const relay = new TraceRelay(signals);
  const heard: Made[] = [];
  relay.onMade((one) => heard.push(one));
  await signals.start();
  const { companyId, id } = made(1, 1);
  for (const payload of [
    "",
    "nonsense",
    `transfers ${companyId} ${id} 0 ${traceparent}`,
    `transfers ${companyId} ${id} 1000000 ${traceparent}`,
    `transfers ${companyId} ${id} 1 00-zz-zz-01`,
    `transfers ${companyId} x 1 ${traceparent}`,
    `wallets ${companyId} ${id} 1 ${traceparent}`,
    `charges ${companyId} ${id} 1 ${traceparent}`,
  ])
    await signals.send("traces", payload);
  await expect
    .poll(() => heard, patience)
    .toEqual([{ kind: "charges", companyId, id, size: 1, traceparent }]);
  await signals.close();
});
