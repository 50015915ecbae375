import { expect, test } from "vitest";
import { isAgainst, readAgainstOptions } from "../bench/against/options.ts";
import { toMeasures } from "../bench/against/report.ts";
import { Shares, type Sighting } from "../bench/against/waits.ts";

const kept = "bench/against.json";
const read = (...args: string[]) => readAgainstOptions(args, kept);

test("the comparison of commits is asked for by --against or --waits", () => {
  expect(isAgainst(["--quick", "--against", "8eeb8f5"])).toBe(true);
  expect(isAgainst(["--against=8eeb8f5"])).toBe(true);
  expect(isAgainst(["--waits"])).toBe(true);
  expect(isAgainst(["--quick", "--profile", "--only", "a"])).toBe(false);
});

test("only a whole comparison replaces the numbers that are kept", () => {
  expect(read("--against", "8eeb8f5").output).toBe(kept);
  expect(read("--against", "8eeb8f5", "--rounds", "9").output).toBe(kept);
  for (const part of [["--quick"], ["--only", "settle-64"], ["--rounds", "2"], ["--seconds", "3"]])
    expect(read("--against", "8eeb8f5", ...part).output).toBeUndefined();
  expect(read("--against", "8eeb8f5", "--profile").output).toBeUndefined();
  expect(read("--waits").output).toBeUndefined();
  expect(read("--against", "8eeb8f5", "--quick", "--output", "x.json").output).toBe("x.json");
});

test("looking takes one round, of accepting and settling unless told otherwise", () => {
  const looking = read("--waits", "--rounds", "4");

  expect(looking).toMatchObject({ commit: undefined, look: "waits", plan: { rounds: 1 } });
  expect([...looking.only]).toEqual(["settle-64"]);
  expect([...read("--waits", "--only", "accept-256").only]).toEqual(["accept-256"]);
});

test.for([
  ["--against", "--quick"],
  ["--against="],
  ["--against", "8eeb8f5", "--only", "settle"],
  ["--against", "8eeb8f5", "--rounds", "0"],
  ["--against", "8eeb8f5", "--rounds", "21"],
  ["--against", "8eeb8f5", "--seconds", "1.5"],
  ["--against", "8eeb8f5", "--profile", "--waits"],
])("%j is refused", (args) => {
  expect(() => readAgainstOptions(args, kept)).toThrow(/--/);
});

test("a ratio is the median of the ratios of rounds, not the ratio of the medians", () => {
  const turn = (perSecond: number) => ({ perSecond, p50Ms: 1, p99Ms: 2 });
  const round = (here: number, other: number, bare: number) => ({
    here: turn(here),
    other: turn(other),
    bare: turn(bare),
  });

  const [rate] = toMeasures("settle-64", [
    round(200, 100, 1_000),
    round(90, 60, 900),
    round(40, 10, 100),
  ]);

  expect(rate).toMatchObject({ here: 90, other: 60, ratio: 2, ratioMin: 1.5, ratioMax: 4 });
  expect(rate).toMatchObject({ bare: 900, hereToBare: 0.2, otherToBare: 0.1 });
});

test("the shares of what the accepting call was seen doing add up, by lock and by holder", () => {
  const seen = (type: string | null, event: string | null, more: Partial<Sighting> = {}) => ({
    type,
    event,
    tables: null,
    holder: null,
    ...more,
  });
  const lock = { tables: "work", holder: "select *\n from settle_transfers($1, $2)" };
  const shares = new Shares();

  shares.add([]);
  shares.add([]);
  shares.add([seen(null, null)]);
  shares.add([seen("IO", "WalSync"), seen("LWLock", "WALWrite")]);
  shares.add([seen("Lock", "transactionid", lock)]);
  shares.add([seen("Lock", "transactionid", lock)]);
  shares.add([seen("Lock", "tuple", { tables: "accounts", holder: "commit" })]);
  shares.add([]);
  shares.add([]);
  shares.add([seen("LWLock", "WALInsert")]);

  expect(shares.describe().split("\n")).toEqual([
    "0.400  no call under way",
    "0.300  waiting for a lock",
    "         0.200  on work, held by settle_transfers",
    "         0.100  on accounts, held by commit",
    "0.100  running",
    "0.100  waiting for the disk (log)",
    "0.100  waiting for something else",
    "         0.100  LWLock: WALInsert",
  ]);
});

test("a run in which the accepting call was never seen says so", () => {
  const shares = new Shares();
  shares.add([]);

  expect(() => shares.describe()).toThrow("submit_transfers");
});
