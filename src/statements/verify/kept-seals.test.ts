import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { exporter, statementOf } from "../../../test/statement-of.ts";
import { exportRows, statementFormat } from "../export/export-rows.ts";
import { writeExport } from "../export/write-export.ts";
import { ledgerKeyOf, type Seal, type SealFacts, signSeal } from "../seal.ts";
import type { Statement } from "../statement.ts";
import { verifyFile } from "./verify-file.ts";
import { LedgerVerifier } from "./verify-ledger.ts";
import type { Problem } from "./verify-rows.ts";

/** What the operator's other self signs: the same key, another history. */
const signed = (seal: Seal, other: Partial<SealFacts>): Seal =>
  signSeal(exporter.key, { ...seal, ...other });

const formats = ["csv", "xlsx", "pdf"] as const;
type Format = (typeof formats)[number];

async function verify(of: Statement, seals: readonly Seal[], format: Format = "csv") {
  const folder = await mkdtemp(join(tmpdir(), "cauri-kept-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "file");
  const choice = { format, dialect: "machine", language: "fr" } as const;
  await writeFile(path, await buffer(writeExport(of, exporter, choice)));
  return verifyFile(path, { seals, keys: exporter.keys, sealKeys: exporter.keys });
}

/** The four days of a statement with 40 lines, and a fifth that only a longer one has. */
const [first, second, third, , fifth] = statementOf(50).head.seals as [
  Seal,
  Seal,
  Seal,
  Seal,
  Seal,
];

function statement(head: Partial<Statement["head"]> = {}): Statement {
  const made = statementOf(40);
  return { ...made, head: { ...made.head, ...head } };
}

describe.for(formats)("a statement as %s", (format) => {
  test("passes through the seals that were kept, and says which of them are not of its days", async () => {
    const found = await verify(statement(), [first, second, fifth], format);

    expect(found).toMatchObject({ problem: undefined, isAuthenticated: true, witnesses: 2 });
    expect(found.unapplied).toEqual({
      ofOtherCompanies: 0,
      beforeTheFile: 0,
      afterTheFile: 1,
      notLinked: 0,
    });
  });

  test("of another history than the seal that was kept for one of its days", async () => {
    const kept = signed(second, { number: 958, balance: 7, hash: Buffer.alloc(32, 1) });

    const { problem } = await verify(statement(), [kept], format);

    expect(problem).toMatchObject({ what: "forked", row: 6 });
    expect(problem?.message).toMatch(/^Two seals of com_\w+ for 2026-01-20 differ: /);
    expect(problem?.message).toContain("one that was kept (2026-01-20, posting 958, balance 7, ");
    expect(problem?.message).toContain(
      "one in the file (2026-01-20, posting 40, balance 9999900, ",
    );
  });

  test("that ends before a seal which its period has", async () => {
    const { until } = fifth;
    for (const closedUntil of [until, new Date(until.getTime() + 1)]) {
      const { problem } = await verify(statement({ closedUntil }), [first, fifth], format);
      expect(problem).toMatchObject({ what: "truncated", row: 1 + 4 + 40 + 1 + 1 });
      expect(problem?.message).toContain(
        "the seal kept for 2026-02-19 is of posting 100, the file ends at 80",
      );
    }
    // It was exported before that day was over.
    const closedUntil = new Date(until.getTime() - 1);
    expect((await verify(statement({ closedUntil }), [first, fifth], format)).problem).toBe(
      undefined,
    );
  });

  test("against seals of which none applies", async () => {
    const stranger = signed(first, { companyId: "019b2d5f-3a7c-7c0f-8000-000000000001" });
    const found = await verify(statement(), [stranger, fifth], format);

    expect(found).toMatchObject({ problem: undefined, isAuthenticated: false, witnesses: 0 });
    expect(found.unapplied).toMatchObject({ ofOtherCompanies: 1, afterTheFile: 1 });
  });
});

test("seals that were kept must be of one history, whosever they are", async () => {
  const companyId = "019b2d5f-3a7c-7c0f-8000-000000000001";
  const other = signed(first, { companyId });
  const fork = signed(other, { balance: other.balance + 1 });

  expect((await verify(statement(), [first, other, first, other])).problem).toBeUndefined();
  const { problem } = await verify(statement(), [first, other, fork]);
  expect(problem).toMatchObject({ what: "forked" });
  expect(problem?.message).toContain(`balance ${other.balance},`);
  expect(problem?.message).toContain(`balance ${fork.balance},`);
});

test.for<Partial<SealFacts>>([
  { number: 19 },
  { balance: 1 },
  { hash: Buffer.alloc(32) },
  { until: new Date(0) },
])("a seal of the same day that differs in one thing is another: %o", async (other) => {
  const { problem } = await verify(statement(), [signed(first, other)]);

  expect(problem).toMatchObject({ what: "forked" });
});

test("the same seal, signed with another key of the operator, is the same", async () => {
  const again = signSeal(ledgerKeyOf(Buffer.alloc(32, 8)), first);

  expect((await verify(statement(), [again, first])).problem).toBeUndefined();
});

test("of two days the later one has not fewer postings", async () => {
  const day = "2026-01-21";
  const shorter = signed(second, { day, number: 3, until: third.until });

  const { problem } = await verify(statement(), [shorter]);

  expect(problem?.message).toMatch(/^The later of two seals of com_\w+ is of fewer postings: /);
});

describe("the trails that seals name", () => {
  const head = (number: number, byte: number) => ({ number, hash: Buffer.alloc(32, byte) });
  const naming = (seal: Seal, company: [number, number], installation: [number, number]) =>
    signed(seal, { trails: { company: head(...company), installation: head(...installation) } });
  const [one, two] = [naming(first, [4, 1], [2, 1]), naming(second, [6, 2], [2, 1])];
  const file = () => statement({ seals: [one, two] });

  test("may be named by some seals and not by others", async () => {
    expect((await verify(file(), [one, two])).problem).toBeUndefined();
    expect((await verify(file(), [two, third])).problem).toBeUndefined();
  });

  test.for([
    ["another hash of a trail", naming(first, [4, 9], [2, 1]), /^Two seals of com_\w+ for /],
    ["another number of it", naming(first, [3, 1], [2, 1]), /^Two seals of com_\w+ for /],
    ["another installation", naming(first, [4, 1], [2, 9]), /^Two seals of com_\w+ for /],
    ["no trail", first, /^Two seals of com_\w+ for /],
    ["fewer entries later", naming(third, [5, 5], [2, 1]), /^The later of two .+ fewer entries/],
    ["fewer of the installation", naming(third, [7, 5], [1, 1]), /^The later of .+ fewer entries/],
    ["the same entry, and another", naming(third, [6, 9], [2, 1]), /name another entry 6 /],
    ["another of the installation", naming(third, [7, 9], [2, 9]), /name another entry 2 /],
    [
      "the same of another company",
      signed(naming(third, [6, 9], [2, 9]), { companyId: "019b2d5f-3a7c-7c0f-8000-000000000001" }),
      /name another entry 2 /,
    ],
  ] as const)("are of one history: %s", async ([, kept, message]) => {
    const { problem } = await verify(file(), [kept]);

    expect(problem).toMatchObject({ what: "forked" });
    expect(problem?.message).toMatch(message);
    expect(problem?.message).toMatch(
      /, trail \d+ [0-9a-f]{64}, installation \d+ [0-9a-f]{64}, key /,
    );
  });
});

test("a file of an earlier release is taken for one of the whole period that it names", async () => {
  const until = fifth.until;
  const { head } = statement();
  const old = statement({ period: { ...head.period, until } });
  const verifier = new LedgerVerifier({ seals: [first, fifth] }, statementFormat, undefined);
  const problems: (Problem | undefined)[] = [];
  for await (const rows of exportRows(old, exporter))
    for (const row of rows) {
      // Earlier releases did not say until when nothing is missing.
      const proof = row.proof?.replace(/"closedUntil":"[^"]+",/, "") ?? "";
      problems.push(verifier.hear({ ...row, proof }, { ordinal: problems.length, digest: "" }));
    }

  expect(problems.filter((problem) => problem !== undefined)).toMatchObject([
    { what: "truncated" },
  ]);
});

test("postings that were put in before the end of a day that a kept seal is of", async () => {
  const seal = signed(first, { day: "2026-01-11", until: new Date("2026-03-01") });
  const put = await verify(statement(), [seal]);
  expect(put.problem?.message).toContain(
    "the seal kept for 2026-01-11 is of posting 20, the file has up to 80 of the time before",
  );

  const from = new Date(seal.until);
  const later = statement({ after: 30, period: { from, until: undefined }, seals: [] });
  const before = await verify(later, [seal]);
  expect(before.problem).toMatchObject({ what: "forked" });
});

test("a statement of a sub-company is not linked to the chain: no kept seal holds it, but a cut shows", async () => {
  const unlinked = { subCompanyId: "sub", hashBefore: null, hashAfter: null, seals: [] };

  const found = await verify(statement(unlinked), [first]);
  expect(found).toMatchObject({ problem: undefined, isAuthenticated: false });
  expect(found.unapplied).toMatchObject({ notLinked: 1 });
  const { problem } = await verify(statement({ ...unlinked, closedUntil: fifth.until }), [fifth]);
  expect(problem).toMatchObject({ what: "truncated" });
});
