import { expect, test } from "vitest";
import { TooBusyForPasswords } from "./errors.ts";
import { type PasswordCaller, PasswordQueue } from "./password-queue.ts";

/** Passwords are looked at for as long as the test says: what counts is the order, not the time. */
class Desk {
  readonly queue = new PasswordQueue({
    atOnce: 2,
    strangersAtOnce: 1,
    waitingPerLane: 4,
    waiting: 12,
  });
  readonly started: string[] = [];
  readonly refused: string[] = [];
  readonly #ends: (() => void)[] = [];

  async ask(name: string, caller: PasswordCaller): Promise<void> {
    const asked = this.queue.run(caller, () => {
      this.started.push(name);
      return new Promise<void>((resolve) => this.#ends.push(resolve));
    });
    asked.catch((error: unknown) => {
      expect(error).toBeInstanceOf(TooBusyForPasswords);
      this.refused.push(name);
    });
    await settle();
  }

  /** The one that has been looked at for the longest is done. */
  async end(): Promise<void> {
    this.#ends.shift()?.();
    await settle();
  }
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
const stranger = (lane: string, hungUp?: AbortSignal): PasswordCaller => ({
  isKnown: false,
  lane,
  hungUp,
});
const known = (lane: string): PasswordCaller => ({ isKnown: true, lane });

test("strangers from many networks never take the place of somebody who is known", async () => {
  const desk = new Desk();
  for (let network = 0; network < 30; network += 1)
    for (let tries = 0; tries < 6; tries += 1)
      await desk.ask(`stranger ${network}`, stranger(`net ${network}`));
  expect(desk.started).toHaveLength(1);

  await desk.ask("Awa", known("Awa"));
  await desk.ask("Moussa", known("Moussa"));
  await desk.ask("Fatou", known("Fatou"));

  // Awa at once; Moussa and Fatou as soon as anything ends, before every stranger that waits.
  expect(desk.started.slice(1)).toEqual(["Awa"]);
  await desk.end();
  await desk.end();
  expect(desk.started.slice(1)).toEqual(["Awa", "Moussa", "Fatou"]);
});

test("people who are known use both places; strangers one, and wait for it", async () => {
  const desk = new Desk();
  for (const name of ["a", "b", "c"]) await desk.ask(name, known(name));
  await desk.ask("stranger", stranger("net"));
  expect(desk.started).toEqual(["a", "b"]);

  await desk.end();
  expect(desk.started).toEqual(["a", "b", "c"]);
  await desk.end();
  expect(desk.started).toEqual(["a", "b", "c", "stranger"]);
  await desk.ask("another", stranger("other net"));
  await desk.end();
  expect(desk.started).toHaveLength(4);
  await desk.end();
  expect(desk.started).toHaveLength(5);
});

test("networks take turns, a few of each wait, and the longest gives way", async () => {
  const desk = new Desk();
  for (let tries = 0; tries < 8; tries += 1) await desk.ask(`flood ${tries}`, stranger("flood"));
  // One is looked at, four wait, the others are told to come back.
  expect(desk.refused).toEqual(["flood 5", "flood 6", "flood 7"]);
  for (let tries = 0; tries < 4; tries += 1) await desk.ask(`more ${tries}`, stranger("more"));
  for (let tries = 0; tries < 4; tries += 1) await desk.ask(`third ${tries}`, stranger("third"));
  desk.refused.length = 0;
  expect(desk.started).toEqual(["flood 0"]);

  // There is room for nobody else: one of the many of a network makes room for the only one of another.
  await desk.ask("quiet", stranger("quiet"));
  expect(desk.refused).toEqual(["flood 4"]);

  for (let turn = 0; turn < 5; turn += 1) await desk.end();
  expect(desk.started.slice(1)).toEqual(["flood 1", "more 0", "third 0", "quiet", "flood 2"]);
});

test("whoever hangs up leaves the queue, and is not looked at", async () => {
  const desk = new Desk();
  const gone = new AbortController();
  await desk.ask("first", stranger("a"));
  await desk.ask("gone", stranger("b", gone.signal));
  await desk.ask("last", stranger("c"));

  gone.abort();
  await settle();
  expect(desk.refused).toEqual(["gone"]);
  await desk.end();
  expect(desk.started).toEqual(["first", "last"]);
  await desk.ask("came too late", stranger("b", gone.signal));
  expect(desk.refused).toEqual(["gone", "came too late"]);
});

test("what fails gives its place back", async () => {
  const { queue } = new Desk();
  for (let tries = 0; tries < 5; tries += 1)
    await expect(
      queue.run(stranger("a"), () => Promise.reject(new Error("broken"))),
    ).rejects.toThrow("broken");
});
