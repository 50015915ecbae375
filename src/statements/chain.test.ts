import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  type ChainedPosting,
  digestOfSet,
  factsText,
  firstHash,
  hiddenOf,
  nextHash,
  setText,
  versionOf,
} from "./chain.ts";
import { isGenuine, isSignedBy, ledgerKeyOf, sealText, signSeal } from "./seal.ts";
import { parseSealResource, toSealResource } from "./seal-resource.ts";

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

const shown = {
  fee: 50,
  chargeId: null,
  reference: "salary 1",
  externalId: null,
  msisdn: "+2250700000000",
  subCompanyId: null,
  batchId: null,
  memo: "",
};

function factsOf(place: number): string {
  return factsText({ ...shown, reference: `salary ${place}` }, undefined);
}

/** Postings 7, 8 and 9, as one call would make them. */
const set = [5_050, 7_070, 1].map((amount, place, amounts) => ({
  ...posting,
  number: 7 + place,
  amount,
  availableAfter: 20_000 - amounts.slice(0, place + 1).reduce((sum, one) => sum + one, 0),
  facts: factsOf(place),
  isDated: true,
}));

describe("a set of postings", () => {
  test("is written in one way, which others can follow", () => {
    const { subjectId: id } = posting;
    const lines = [
      "7 transfer.reserved available in_flight 2026-01-31T09:15:00.120Z 20000",
      `${id} ${id} ${id}`,
      "5050 7070 1",
    ];
    expect(setText(set, 1)).toBe(lines.join("\n"));
    expect(setText(set, 2)).toBe(
      ["cauri set 2", ...lines, factsOf(0), factsOf(1), factsOf(2)].join("\n"),
    );
    const settled = { ...posting, facts: null, availableAfter: null, debit: "in_flight" };
    expect(setText([settled], 2)).toMatch(
      /^cauri set 2\n7 .*2026-01-31T09:15:00.120Z -\n.*\n5050$/,
    );
  });

  test("has the facts that a statement shows, by the names of its columns, and a digest of the others", () => {
    expect(factsText({ ...shown, reference: 'Loyer "A"\nété' }, "00")).toBe(
      '{"fee":50,"reference":"Loyer \\"A\\"\\nété","msisdn":"+2250700000000","hidden":"00"}',
    );
    const all = {
      ...shown,
      chargeId: "c",
      externalId: "e",
      subCompanyId: "s",
      batchId: "b",
      memo: "m",
    };
    expect(Object.keys(JSON.parse(factsText(all, undefined)))).toEqual([
      "fee",
      "chargeId",
      "reference",
      "externalId",
      "msisdn",
      "subCompanyId",
      "batchId",
      "memo",
    ]);
    expect(hiddenOf(factsText(all, "0f".repeat(32)))).toBe("0f".repeat(32));
    // A memo that looks like a digest is none.
    const memo = `","hidden":"${"0f".repeat(32)}`;
    expect(hiddenOf(factsText({ ...shown, memo }, undefined))).toBeUndefined();
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
      { facts: factsOf(7) },
      { facts: null },
      { isDated: false },
    ];
    const original = digestOfSet(set, 2).toString("hex");
    expect(digestOfSet(set, 1).toString("hex")).not.toBe(original);

    for (const place of set.keys())
      for (const change of changes) {
        const changed = set.map((one, at) => (at === place ? { ...one, ...change } : one));
        const digest = digestOfSet(changed, 2).toString("hex");
        expect(digest === original, JSON.stringify([place, change])).toBe(
          Object.keys(change).length === 0,
        );
      }
  });
});

test("which version a set has is told by the hash after it, and a changed set has none", () => {
  const before = firstHash({ companyId, after: 6 });
  for (const version of [1, 2] as const) {
    const after = nextHash(before, digestOfSet(set, version));
    expect(versionOf(set, before, after)).toBe(version);
    expect(versionOf(set.slice(1), before, after)).toBeUndefined();
  }
});

test("a hash depends on every set before it, on their order, on where sets end, and on whose it is", () => {
  const start = { companyId, after: 0 };
  const hashOf = (sets: readonly (readonly ChainedPosting[])[], from = firstHash(start)) =>
    sets
      .map((one) => digestOfSet(one, 2))
      .reduce(nextHash, from)
      .toString("hex");
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

  test("that names trails is another than one that names none, and not genuine when one of them is another", () => {
    const company = { number: 12, hash: Buffer.alloc(32, 4) };
    const installation = { number: 3, hash: Buffer.alloc(32, 5) };
    const naming = signSeal(key, { ...seal, trails: { company, installation } });
    expect(sealText(naming)).toBe(
      [
        "cauri seal 2",
        ...sealText(seal).split("\n").slice(1, -1),
        `trail 12 ${"04".repeat(32)}`,
        `installation 3 ${"05".repeat(32)}`,
        "",
      ].join("\n"),
    );
    const other = { number: 13, hash: Buffer.alloc(32, 6) };
    const spoilt = [
      { company: { ...company, number: 11 }, installation },
      { company: { ...company, hash: other.hash }, installation },
      { company, installation: { ...installation, number: 4 } },
      { company, installation: { ...installation, hash: other.hash } },
      { company: installation, installation: company },
    ].map((trails) => ({ ...naming, trails }));

    expect(isGenuine([key], naming)).toBe(true);
    expect(isGenuine([key], { ...naming, trails: undefined })).toBe(false);
    expect(isGenuine([key], { ...seal, trails: { company, installation } })).toBe(false);
    expect(spoilt.filter((one) => isGenuine([key], one))).toEqual([]);
    const resource = toSealResource(naming, key.publicKey);
    expect(parseSealResource(JSON.parse(JSON.stringify(resource)))).toEqual(naming);
    // One alone is no seal of any kind: what is left of it is not what was signed.
    const { installation: _, ...half } = resource;
    const parsed = parseSealResource(half);
    expect(parsed && isGenuine([key], parsed)).toBe(false);
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
