import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type ChainedPosting, digestOfSet, firstHash, nextHash, setText } from "./chain.ts";
import { isGenuine, isSignedBy, ledgerKeyOf, sealText, signSeal } from "./seal.ts";

const posting = {
  number: 7,
  subjectId: "019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6",
  amount: 5_050,
  availableAfter: 14_950,
  event: "transfer.reserved",
  debit: "available",
  credit: "in_flight",
  at: new Date("2026-01-31T09:15:00.120Z"),
};
const companyId = "00000000-0000-7000-8000-0000000000c0";

/** Postings 7, 8 and 9, as one call would make them. */
const set = [5_050, 7_070, 1].map((amount, place, amounts) => ({
  ...posting,
  number: 7 + place,
  amount,
  availableAfter: 20_000 - amounts.slice(0, place + 1).reduce((sum, one) => sum + one, 0),
}));

describe("a set of postings", () => {
  test("is written in one way, which others can follow", () => {
    const { subjectId: id } = posting;
    expect(setText(set)).toBe(
      [
        "7 transfer.reserved available in_flight 2026-01-31T09:15:00.120Z 20000",
        `${id} ${id} ${id}`,
        "5050 7070 1",
      ].join("\n"),
    );
    const settled = { ...posting, availableAfter: null, debit: "in_flight", credit: "fees" };
    expect(setText([settled])).toContain("2026-01-31T09:15:00.120Z -\n");
  });

  test("has another digest when anything of any of them is changed", () => {
    const changes: Partial<ChainedPosting>[] = [
      {},
      { number: 17 },
      { subjectId: companyId },
      { amount: 5_051 },
      { availableAfter: 14_951 },
      { availableAfter: null },
      { event: "transfer.released" },
      { debit: "fees" },
      { credit: "paid_out" },
      { at: new Date("2026-01-31T09:15:00.121Z") },
    ];
    const original = digestOfSet(set).toString("hex");

    for (const place of set.keys())
      for (const change of changes) {
        const changed = set.map((one, at) => (at === place ? { ...one, ...change } : one));
        const digest = digestOfSet(changed).toString("hex");
        expect(digest === original, JSON.stringify([place, change])).toBe(
          Object.keys(change).length === 0,
        );
      }
  });
});

test("a hash depends on every set before it, on their order, on where sets end, and on whose it is", () => {
  const start = { companyId, after: 0 };
  const hashOf = (sets: readonly (readonly ChainedPosting[])[], from = firstHash(start)) =>
    sets.map(digestOfSet).reduce(nextHash, from).toString("hex");
  const [a = posting, b = posting, c = posting] = set;
  const hashes = [
    hashOf([[a, b], [c]]),
    hashOf([[a], [b, c]]),
    hashOf([[a, b, c]]),
    hashOf([[b, a], [c]]),
    hashOf([[c], [a, b]]),
    hashOf([[a, b]]),
    hashOf([[a, b], [c]], firstHash({ ...start, companyId: posting.subjectId })),
    hashOf([[a, b], [c]], firstHash({ ...start, after: 1 })),
  ];

  expect(new Set(hashes).size).toBe(hashes.length);
});

describe("a seal", () => {
  const key = ledgerKeyOf(Buffer.alloc(32, 1));
  const seal = signSeal(key, {
    companyId,
    day: "2026-01-31",
    until: new Date("2026-02-01T00:00:00.000Z"),
    number: 7,
    balance: 14_950,
    hash: Buffer.alloc(32, 2),
  });

  test("is genuine as it was signed, and not when a fact of it is another", () => {
    const spoilt = [
      { ...seal, companyId: posting.subjectId },
      { ...seal, day: "2026-01-30" },
      { ...seal, until: new Date("2026-02-01T00:00:00.001Z") },
      { ...seal, number: 8 },
      { ...seal, balance: 14_951 },
      { ...seal, hash: Buffer.alloc(32, 3) },
      { ...seal, signature: Buffer.alloc(64) },
      { ...seal, signature: Buffer.alloc(0) },
      { ...seal, keyId: "0".repeat(32) },
    ];

    expect(isGenuine([key], seal)).toBe(true);
    expect(spoilt.filter((one) => isGenuine([key], one))).toEqual([]);
  });

  test("of another key is refused, also of one that bears the operator's id", () => {
    const forger = ledgerKeyOf(randomBytes(32));
    const forged = signSeal(forger, seal);

    expect(isGenuine([key], forged)).toBe(false);
    expect(isGenuine([{ ...forger, id: key.id }], { ...forged, keyId: key.id })).toBe(false);
    expect(isSignedBy([], key.id, sealText(seal), seal.signature)).toBe(false);
  });

  test("is made by the same key from the same secret", () => {
    expect(ledgerKeyOf(Buffer.alloc(32, 1)).publicKey).toBe(key.publicKey);
    expect(signSeal(ledgerKeyOf(Buffer.alloc(32, 1)), seal).signature).toEqual(seal.signature);
  });
});
