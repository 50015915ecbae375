import { afterEach, expect, test, vi } from "vitest";
import { DatabaseWaiting, OutcomeUnknown } from "../database/errors.ts";
import { Overloaded } from "../kernel/errors.ts";
import { Lanes } from "./lanes.ts";

interface Parcel {
  readonly name: string;
  readonly key?: string;
  readonly rows?: number;
  readonly alone?: boolean;
}

/** Lanes whose calls are written down and answered, or refused, as the test says. */
function lanesWith(answer: (names: readonly string[]) => void = () => {}, landed: string[] = []) {
  const calls: string[] = [];
  const lanes = new Lanes<Parcel, string>(
    {
      rowsOf: ({ rows }) => rows ?? 1,
      travelsAlone: ({ alone }) => alone === true,
      marks: [({ name }) => name.slice(0, 1), ({ key }) => key],
      async send(companyId, parcels) {
        const names = parcels.map(({ name }) => name);
        calls.push(`${companyId}: ${names.join(" ")}`);
        await new Promise((resolve) => setImmediate(resolve));
        answer(names);
        return names.map((name) => `sent ${name}`);
      },
      findLanded: async (_, parcels) =>
        parcels.map(({ name }) => (landed.includes(name) ? `landed ${name}` : undefined)),
    },
    { observe: () => {} },
    () => {},
  );
  const submit = (name: string, more: Omit<Parcel, "name"> = {}) =>
    lanes.submit("one", { name, ...more });
  return { lanes, calls, submit };
}

test("the first goes at once; what comes meanwhile goes together, and each has its own outcome", async () => {
  const { lanes, calls, submit } = lanesWith();
  const outcomes = await Promise.all([
    ...["a", "b", "c"].map((name) => submit(name)),
    lanes.submit("two", { name: "a" }),
  ]);

  expect(outcomes).toEqual(["sent a", "sent b", "sent c", "sent a"]);
  expect(calls).toEqual(["one: a", "two: a", "one: b c"]);
});

test("what is read in the turn after a call goes along in the next one", async () => {
  const late: Promise<string>[] = [];
  const { calls, submit } = lanesWith(([name]) => {
    if (name === "a") setImmediate(() => late.push(submit("c")));
  });
  await Promise.all([submit("a"), submit("b")]);

  expect(await Promise.all(late)).toEqual(["sent c"]);
  expect(calls).toEqual(["one: a", "one: b c"]);
});

test("what may not stand twice in a call waits for the next one; what travels alone does, and nobody passes it", async () => {
  const { calls, submit } = lanesWith();
  await Promise.all([
    submit("a"),
    submit("b1"),
    submit("b2"),
    submit("x", { alone: true }),
    submit("c"),
    submit("b3"),
  ]);

  expect(calls).toEqual(["one: a", "one: b1", "one: b2", "one: x", "one: c b3"]);
});

test("nobody passes another with whom it shares a mark, also when that one waits for a third", async () => {
  const { calls, submit } = lanesWith();
  await Promise.all([
    submit("a"),
    submit("b1", { key: "one" }),
    submit("b2", { key: "two" }),
    submit("c", { key: "two" }),
    submit("d", { key: "three" }),
  ]);

  expect(calls).toEqual(["one: a", "one: b1 d", "one: b2", "one: c"]);
});

test("no call has more than a thousand rows", async () => {
  const { calls, submit } = lanesWith();
  await Promise.all(
    Array.from({ length: 2_500 }, (_, index) => submit(String.fromCodePoint(0x4e00 + index))),
  );

  expect(calls.map((call) => call.split(" ").length - 1)).toEqual([1, 1_000, 1_000, 499]);
});

test("the rows of a call are counted, not its parcels", async () => {
  const { calls, submit } = lanesWith();
  await Promise.all(["a", "b", "c", "d"].map((name) => submit(name, { rows: 400 })));

  expect(calls).toEqual(["one: a", "one: b c", "one: d"]);
});

test("a call that PostgreSQL refuses is sent again one by one: only who is to blame fails", async () => {
  const refusal = Object.assign(new Error("refused"), { code: "23514", severity: "ERROR" });
  const { submit } = lanesWith((names) => {
    if (names.includes("bad")) throw refusal;
  });
  const outcomes = await Promise.allSettled(["a", "x", "c", "bad"].map((name) => submit(name)));

  expect(outcomes.map((outcome) => ("value" in outcome ? outcome.value : outcome.reason))).toEqual([
    "sent a",
    "sent x",
    "sent c",
    refusal,
  ]);
});

test("a lost answer is looked up: what landed has its outcome, the rest is unknown, and nothing is sent again", async () => {
  const lost = new OutcomeUnknown();
  const { calls, submit } = lanesWith(
    (names) => {
      if (names.includes("b")) throw lost;
    },
    ["b"],
  );
  const outcomes = await Promise.allSettled([submit("a"), submit("b"), submit("c")]);

  expect(outcomes.map((outcome) => ("value" in outcome ? outcome.value : outcome.reason))).toEqual([
    "sent a",
    "landed b",
    lost,
  ]);
  expect(calls).toEqual(["one: a", "one: b c"]);
});

test("more than twenty thousand waiting rows of a company are refused at once, no other is, and room comes back", async () => {
  const { lanes, submit } = lanesWith();
  const large = submit("a", { rows: 20_000, alone: true });

  await expect(submit("b")).rejects.toThrow(Overloaded);
  expect(await lanes.submit("two", { name: "b" })).toBe("sent b");
  await large;
  await new Promise((resolve) => setImmediate(resolve));
  expect(await submit("b")).toBe("sent b");
});

test("a call that does not come back: the database is away for who waited too long and for who comes later, at once, and it recovers", async () => {
  let comeBack = () => {};
  const away = new Promise<void>((resolve) => {
    comeBack = resolve;
  });
  const calls: string[] = [];
  const lanes = new Lanes<Parcel, string>(
    {
      rowsOf: () => 1,
      travelsAlone: () => false,
      marks: [({ name }) => name],
      async send(_, parcels) {
        calls.push(parcels.map(({ name }) => name).join(" "));
        await away;
        return parcels.map(({ name }) => `sent ${name}`);
      },
      findLanded: async () => [],
    },
    { observe: () => {} },
    () => {},
    50,
  );
  const stuck = lanes.submit("one", { name: "a" });
  const late = expect(lanes.submit("one", { name: "b" })).rejects.toThrow(DatabaseWaiting);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await expect(lanes.submit("one", { name: "c" })).rejects.toThrow(DatabaseWaiting);
  comeBack();

  expect(await stuck).toBe("sent a");
  await late;
  expect(await lanes.submit("one", { name: "d" })).toBe("sent d");
  expect(calls).toEqual(["a", "d"]);
});

afterEach(() => {
  vi.useRealTimers();
});

/** Each call takes 40 ms by the lanes' clock, which stands still otherwise. */
function slowLanes() {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  return lanesWith(() => vi.advanceTimersByTime(40));
}

async function someTurns() {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test("after a long call those whom it answered are waited for, and go together with the others", async () => {
  const { calls, submit } = slowLanes();
  const first = submit("a");
  const others = [submit("b"), submit("c")];
  await first;
  await someTurns();

  expect(calls).toEqual(["one: a"]);
  await Promise.all([submit("d"), ...others]);
  expect(calls).toEqual(["one: a", "one: b c d"]);
});

test("a company with many callers waits for none of them", async () => {
  const { calls, submit } = slowLanes();
  const names = Array.from({ length: 17 }, (_, index) => String.fromCodePoint(0x4e00 + index));
  await Promise.all(names.map((name) => submit(name)));

  expect(calls.map((call) => call.split(" ").length - 1)).toEqual([1, 16]);
});

test("those who stay away are waited for no longer than a moment", async () => {
  const { calls, submit } = slowLanes();
  const first = submit("a");
  const other = submit("b");
  await first;
  await someTurns();
  vi.advanceTimersByTime(4);
  await someTurns();

  expect(calls).toEqual(["one: a"]);
  vi.advanceTimersByTime(1);
  expect(await other).toBe("sent b");
});

test("a single caller never waits for itself, and nobody for one who had a call to itself", async () => {
  const { calls, submit } = slowLanes();
  for (const name of ["a", "b", "c"]) expect(await submit(name)).toBe(`sent ${name}`);
  await Promise.all([submit("x", { alone: true }), submit("y", { alone: true }), submit("d")]);

  expect(calls).toEqual(["one: a", "one: b", "one: c", "one: x", "one: y", "one: d"]);
});
