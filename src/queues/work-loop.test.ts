import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { patience } from "../../test/receiver.ts";
import { WorkLoop } from "./work-loop.ts";

/** Longer than any test: what happens meanwhile was not found by polling. */
const never = 3_600_000;

test("a company whose turn hangs delays no other, neither those that were found with it nor later ones", async () => {
  const work = new Work({ concurrency: 2 });
  work.waiting.push("hangs", "first");
  work.onTurn("hangs", () => work.hang());
  work.loop.start();
  await work.untilDone("first");

  work.waiting.push("second");
  work.loop.wake();
  await work.untilDone("second");
  work.loop.wake("third");
  await work.untilDone("third");
  expect(work.begun("hangs")).toBe(1);
});

test("a stop waits for every turn in hand, also when another turn and the look for work failed", async () => {
  const work = new Work({ concurrency: 2 });
  const letGo = work.hangOn("slow");
  work.onTurn("broken", () => Promise.reject(new Error("the claim failed")));
  work.waiting.push("slow", "broken");
  work.loop.start();
  await expect.poll(() => work.turns, patience).toContain("broken fails");
  work.onFind = () => Promise.reject(new Error("the look failed"));
  work.loop.wake();
  await expect.poll(() => work.looks, patience).toBeGreaterThan(1);

  const stopped = work.loop.stop();
  expect(await Promise.race([stopped.then(() => "stopped"), settled()])).toBe("not yet");
  letGo();
  await stopped;
  expect(work.turns).toContain("slow ends");
});

test("a turn is told when the loop is being stopped, and nothing begins afterwards", async () => {
  const work = new Work({ concurrency: 1 });
  const letGo = work.hangOn("long");
  work.waiting.push("long", "next");
  work.loop.start();
  await expect.poll(() => work.turns, patience).toEqual(["long begins"]);
  expect(work.mayGoOn()).toBe(true);

  const stopped = work.loop.stop();
  work.loop.wake("hinted");
  expect(work.mayGoOn()).toBe(false);
  letGo();
  await stopped;
  work.loop.wake("hinted");
  await settled();
  expect(work.turns).toEqual(["long begins", "long ends"]);
});

test("a hint that comes during a company's turn leads to another turn, and never to two at once", async () => {
  const work = new Work({ concurrency: 4 });
  const letGo = work.hangOn("one");
  work.loop.start();
  work.loop.wake("one");
  await expect.poll(() => work.begun("one"), patience).toBe(1);

  for (let hint = 0; hint < 5; hint += 1) work.loop.wake("one");
  await settled();
  expect(work.begun("one")).toBe(1);
  letGo();
  await expect
    .poll(() => work.turns, patience)
    .toEqual(["one begins", "one ends", "one begins", "one ends"]);
});

test("a hint that comes while the source is being asked leads to another look", async () => {
  const work = new Work();
  let answer = () => {};
  work.onFind = () =>
    new Promise((resolve) => {
      // What is found was seen before the hint came.
      const found = [...work.waiting];
      answer = () => resolve(found);
    });
  work.loop.start();
  work.waiting.push("late");
  work.loop.wake();
  work.onFind = undefined;
  answer();

  await work.untilDone("late");
});

test("a hint that names its company needs no look", async () => {
  const work = new Work();
  work.loop.start();
  await expect.poll(() => work.looks, patience).toBe(1);
  for (const name of ["a", "b", "c"]) {
    work.loop.wake(name);
    await work.untilDone(name);
  }

  expect(work.looks).toBe(1);
});

test("more hints than can be remembered are not lost: their companies are looked for", async () => {
  const work = new Work({ concurrency: 1 });
  const letGo = work.hangOn("first");
  work.loop.start();
  work.loop.wake("first");
  const names = Array.from({ length: 1_500 }, (_, index) => `company ${index}`);
  work.waiting.push(...names);
  for (const name of names) work.loop.wake(name);
  letGo();

  for (const name of names) await work.untilDone(name);
});

test("a company with more to do at once has its next turn after those that wait", async () => {
  const work = new Work({ concurrency: 1 });
  work.onTurn("busy", async () => (work.begun("busy") < 3 ? 0 : undefined));
  work.waiting.push("busy", "other");
  work.loop.start();
  await expect.poll(() => work.begun("busy"), patience).toBe(3);

  expect(work.turns.filter((turn) => turn.endsWith("begins"))).toEqual([
    "busy begins",
    "other begins",
    "busy begins",
    "busy begins",
  ]);
});

test("companies that are never done do not hide one that only a look can find", async () => {
  const work = new Work({ concurrency: 1, pollMs: 20 });
  work.onTurn("busy", async () => {
    await settled();
    return 0;
  });
  work.waiting.push("busy");
  work.loop.start();
  await expect.poll(() => work.begun("busy"), patience).toBeGreaterThan(0);
  work.waiting.push("quiet");

  await work.untilDone("quiet");
});

test("work that is due soon gets its turn by itself, later work is left to the next look", async () => {
  const work = new Work();
  work.onTurn("soon", async () => (work.begun("soon") === 1 ? 5 : undefined));
  work.onTurn("later", async () => never);
  work.waiting.push("soon", "later");
  work.loop.start();

  await expect.poll(() => work.begun("soon"), patience).toBe(2);
  expect([work.begun("later"), work.looks]).toEqual([1, 1]);
});

test("a hint that comes too early does not make the loop forget when a company is due", async () => {
  const work = new Work();
  work.onTurn("one", async () => {
    if (work.begun("one") > 1) return undefined;
    work.loop.wake("one");
    return 20;
  });
  work.loop.start();
  work.loop.wake("one");

  await expect.poll(() => work.begun("one"), patience).toBe(3);
});

test("a turn that failed comes again after a pause; any number of failing companies hide nobody", async () => {
  const work = new Work({ concurrency: 2 });
  const failing = Array.from({ length: 150 }, (_, index) => `failing ${index}`);
  for (const name of failing) work.onTurn(name, () => Promise.reject(new Error("it fails")));
  work.waiting.push(...failing, "good");
  work.loop.start();

  await work.untilDone("good");
  await expect.poll(() => work.begun("failing 0"), patience).toBeGreaterThan(1);
});

test("neither hints nor looks give a company that failed a turn before its pause is over", async () => {
  const work = new Work({ failurePauseMs: never });
  work.onTurn("failing", () => Promise.reject(new Error("it fails")));
  work.waiting.push("failing");
  work.loop.start();
  await expect.poll(() => work.turns, patience).toContain("failing fails");
  const looksBefore = work.looks;
  work.loop.wake("failing");
  // Before the loop is woken, which may look at once and then never again.
  work.waiting.push("other");
  work.loop.wake();
  await work.untilDone("other");

  expect(work.looks).toBeGreaterThan(looksBefore);
  expect(work.begun("failing")).toBe(1);
});

test("a look that failed is made again soon", async () => {
  const work = new Work();
  work.onFind = async () => {
    work.onFind = undefined;
    throw new Error("nobody answers");
  };
  work.waiting.push("one");
  work.loop.start();

  await work.untilDone("one");
});

/** Lets everything go on that is not waiting for something outside. */
async function settled(): Promise<string> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return "not yet";
}

/** A source whose companies wait in a list, and a loop over it that ends with the test. */
class Work {
  readonly loop: WorkLoop;
  /** Companies that the source finds; a turn that succeeds takes its company off. */
  readonly waiting: string[] = [];
  readonly turns: string[] = [];
  readonly #done = new Set<string>();
  readonly #turnsOf = new Map<string, () => Promise<number | undefined>>();
  readonly #hanging: (() => void)[] = [];
  onFind: (() => Promise<readonly string[]>) | undefined;
  looks = 0;
  mayGoOn: () => boolean = () => false;

  constructor({ concurrency = 2, pollMs = never, failurePauseMs = 1_000 } = {}) {
    this.loop = new WorkLoop({
      logger: pino({ level: "silent" }),
      name: "test",
      concurrency,
      pollMs,
      failurePauseMs,
      source: {
        find: (limit) => this.#find(limit),
        work: (companyId, mayGoOn) => this.#work(companyId, mayGoOn),
      },
    });
    onTestFinished(async () => {
      for (const letGo of this.#hanging) letGo();
      await this.loop.stop();
    });
  }

  onTurn(companyId: string, turn: () => Promise<number | undefined>): void {
    this.#turnsOf.set(companyId, turn);
  }

  hang(): Promise<undefined> {
    return new Promise((resolve) => {
      this.#hanging.push(() => resolve(undefined));
    });
  }

  /** The company's first turn hangs until the answered function is called. */
  hangOn(companyId: string): () => void {
    const first = this.hang();
    this.onTurn(companyId, () => first);
    return this.#hanging.at(-1) ?? (() => {});
  }

  begun(companyId: string): number {
    return this.turns.filter((turn) => turn === `${companyId} begins`).length;
  }

  async untilDone(companyId: string): Promise<void> {
    await expect.poll(() => this.#done.has(companyId), patience).toBe(true);
  }

  async #find(limit: number): Promise<readonly string[]> {
    this.looks += 1;
    return this.onFind === undefined ? this.waiting.slice(0, limit) : this.onFind();
  }

  async #work(companyId: string, mayGoOn: () => boolean): Promise<number | undefined> {
    this.mayGoOn = mayGoOn;
    this.turns.push(`${companyId} begins`);
    try {
      const dueMs = await this.#turnsOf.get(companyId)?.();
      this.turns.push(`${companyId} ends`);
      this.#done.add(companyId);
      if (this.waiting.includes(companyId)) this.waiting.splice(this.waiting.indexOf(companyId), 1);
      return dueMs;
    } catch (error) {
      this.turns.push(`${companyId} fails`);
      throw error;
    }
  }
}
