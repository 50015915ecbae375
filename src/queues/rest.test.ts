import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { patience } from "../../test/receiver.ts";
import { WorkLoop } from "./work-loop.ts";

/** Longer than any test: what happens meanwhile was not waited for, nor found by polling. */
const never = 3_600_000;

function start(restMs: number) {
  const turns: string[] = [];
  const source = {
    find: async () => [],
    async work(companyId: string) {
      turns.push(companyId);
      return undefined;
    },
  };
  const options = { name: "test", source, concurrency: 2, pollMs: never, restMs };
  const loop = new WorkLoop({ ...options, logger: pino({ level: "silent" }) });
  onTestFinished(() => loop.stop());
  loop.start();
  return { loop, turns };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test("a company that has just had a turn waits for the next, and delays no other", async () => {
  const { loop, turns } = start(never);
  loop.wake("one");
  await settled();
  for (let hint = 0; hint < 100; hint += 1) loop.wake("one");
  loop.wake("other");
  await settled();

  expect(turns).toEqual(["one", "other"]);
});

test("after its rest it gets one turn for all the hints that came meanwhile, and none without a hint", async () => {
  const { loop, turns } = start(50);
  loop.wake("hinted");
  loop.wake("quiet");
  await settled();
  for (let hint = 0; hint < 100; hint += 1) loop.wake("hinted");

  await expect.poll(() => turns, patience).toEqual(["hinted", "quiet", "hinted"]);
});
