import { companyIdPrefix } from "../../companies/company.ts";
import { parsePublicId } from "../../kernel/ids.ts";
import { factsText, type SetVersion, type ShownFacts } from "../chain.ts";
import type { ExportRow } from "../export/columns.ts";
import { type OpeningFacts, verificationCode } from "../export/facts.ts";
import { type RowCheck, readCheck, toCheckText } from "../export/row-check.ts";
import { isGenuine, isSignedBy, type PublicLedgerKey, type Seal } from "../seal.ts";
import { parseSealResource, type SealResource } from "../seal-resource.ts";
import { ChainFollower, type ExpectedSeal } from "./chain-follower.ts";
import { type Contradiction, findFork, findMisfit } from "./compare-seals.ts";
import { firstFormat } from "./first-format.ts";
import { type Problem, problem } from "./verify-rows.ts";

/** What others have kept, for an export to be held against. */
export interface Witness {
  /** The operator's keys; without them the export's own are taken. */
  readonly keys?: readonly PublicLedgerKey[] | undefined;
  readonly seals: readonly Seal[];
  /** The keys of those seals, as they were kept with them. */
  readonly sealKeys?: readonly PublicLedgerKey[];
}

/** In the last row of a file of the first format: who signed the check of the row before. */
interface FirstSignature {
  readonly key: PublicLedgerKey;
  readonly signature: string;
}

/** Seals that were kept and do not hold the file, by the reason. */
export interface UnappliedSeals {
  readonly ofOtherCompanies: number;
  readonly beforeTheFile: number;
  readonly afterTheFile: number;
  /** Of the file's time, whose lines are not linked to the chain. */
  readonly notLinked: number;
}

/**
 * Hears the rows of an export, each in its place, and holds them against one another and against the ledger's chain: that they
 * add up, that the chain passes through every seal, that the operator has signed.
 */
export class LedgerVerifier {
  readonly #witness: Witness;
  readonly #seals: ExpectedSeal[] = [];
  #facts: OpeningFacts | undefined;
  #chain: ChainFollower | undefined;
  #isBegun = false;
  #lastLineAt: string | undefined;
  #balance = 0;
  #lines = 0;
  /** Of the last row but the signature. */
  #digest: string | undefined;
  #signedBy: string | undefined;
  readonly #format: string;

  /** `signedBy` is the key that signed the file; in the first format a row says who signed the rows. */
  constructor(witness: Witness, format: string, signedBy: string | undefined) {
    this.#witness = witness;
    this.#format = format;
    this.#signedBy = signedBy;
  }

  get findings() {
    const passed = this.#chain?.passed ?? [];
    return {
      facts: this.#facts,
      lines: this.#lines,
      isChained: this.#chain !== undefined,
      seals: passed.filter(({ isWitness }) => !isWitness).length,
      witnesses: this.#witnesses,
      unapplied: this.#unapplied,
      isAuthenticated: this.#isAuthenticated,
      keyId: this.#signedBy,
      code: this.#digest === undefined ? undefined : verificationCode(this.#digest),
    };
  }

  /**
   * The signature was held against keys that were given. Otherwise its key must be that of a kept seal, and the chain must pass
   * through one: a seal alone holds amounts up to it, and neither names nor what came later. Whoever brings seals wants the file
   * held against them: where none of them could be, that has not happened.
   */
  get #isAuthenticated(): boolean {
    const keyId = this.#signedBy;
    if (keyId === undefined) return false;
    if (this.#witness.seals.length > 0 && this.#witnesses === 0) return false;
    if (this.#witness.keys !== undefined) return true;
    return (this.#chain?.passed ?? []).some(
      ({ seal, isWitness }) =>
        isWitness && seal.keyId === keyId && isGenuine(this.#witness.sealKeys ?? [], seal),
    );
  }

  get #witnesses(): number {
    return (this.#chain?.passed ?? []).filter(({ isWitness }) => isWitness).length;
  }

  get #unapplied(): UnappliedSeals {
    const { after, upto } = this.#facts ?? { after: 0, upto: 0 };
    const own = this.#ownWitnesses;
    const beforeTheFile = own.filter(({ number }) => number < after).length;
    const afterTheFile = own.filter(({ number }) => number > upto).length;
    return {
      ofOtherCompanies: this.#witness.seals.length - own.length,
      beforeTheFile,
      afterTheFile,
      notLinked: own.length - beforeTheFile - afterTheFile - this.#witnesses,
    };
  }

  /** The kept seals of the file's company. */
  get #ownWitnesses(): readonly Seal[] {
    const companyId = parsePublicId(companyIdPrefix, this.#facts?.company ?? "");
    return this.#witness.seals.filter((seal) => seal.companyId === companyId);
  }

  hear(row: ExportRow, before: RowCheck): Problem | undefined {
    const place = before.ordinal + 1;
    try {
      const wrong = this.#hearRow(row, before);
      if (wrong === undefined) return undefined;
      return typeof wrong === "string" ? problem("untrue", place, wrong) : { ...wrong, row: place };
    } catch {
      return problem("untrue", place, "has a proof that cannot be read");
    }
  }

  #hearRow(row: ExportRow, before: RowCheck): Contradiction | string | undefined {
    if ((row.kind === "opening") !== (before.ordinal === 0)) return "stands in a wrong place";
    if (row.kind === "opening") return this.#open(row);
    if (row.kind === "seal") return this.#addSeal(row.proof ?? "");
    const fork = this.#begin();
    if (fork !== undefined) return fork;
    if (row.kind === "proof") return this.#pass((row.proof ?? "").split(" "));
    if (row.kind === "closing") return this.#close(row);
    if (row.kind === "signature" && this.#format === firstFormat)
      return this.#sign(row.proof ?? "", before);
    return this.#addLine(row);
  }

  #open(row: ExportRow): string | undefined {
    const facts = JSON.parse(row.proof ?? "") as OpeningFacts;
    if (facts.format !== this.#format) return "is of a format that this release cannot read";
    this.#facts = facts;
    this.#balance = facts.opening;
    return String(facts.opening) === row.balanceAfter ? undefined : "contradicts itself";
  }

  #addSeal(proof: string): string | undefined {
    const resource = JSON.parse(proof) as SealResource;
    const seal = parseSealResource(resource);
    if (seal === undefined) return "has no seal in it";
    const own = { id: seal.keyId, publicKey: resource.publicKey };
    if (!isGenuine(this.#witness.keys ?? [own], seal))
      return `has a seal of ${seal.day} that the operator's key did not sign`;
    this.#seals.push({ seal, isWitness: false });
    return undefined;
  }

  /** When the export's own seals are known: all seals must be of one history. */
  #begin(): Contradiction | undefined {
    if (this.#isBegun) return undefined;
    this.#isBegun = true;
    this.#chain = this.#beginChain();
    const kept = this.#witness.seals.map((seal) => ({ seal, isWitness: true }));
    return findFork([...kept, ...this.#seals]);
  }

  /** Kept seals are looked for where they are of a posting that the export has. */
  #beginChain(): ChainFollower | undefined {
    const { hashBefore, after, upto } = this.#theFacts;
    if (hashBefore === null) return undefined;
    const witnesses = this.#ownWitnesses
      .filter(({ number }) => number >= after && number <= upto)
      .map((seal) => ({ seal, isWitness: true }));
    return new ChainFollower(Buffer.from(hashBefore, "hex"), [...this.#seals, ...witnesses]);
  }

  #addLine(row: ExportRow): string | undefined {
    const [number, amount, balanceAfter] = [row.number, row.amount, row.balanceAfter].map(Number);
    if (number === undefined || amount === undefined || balanceAfter === undefined)
      return undefined;
    this.#lines += 1;
    this.#lastLineAt = row.at;
    this.#balance += amount;
    if (this.#balance !== balanceAfter)
      return `does not add up: its balance should be ${this.#balance}`;
    if (row.proof === undefined || row.proof === "") return undefined;
    const [event = "", subjectId = "", debit = "", credit = "", end = "", ...others] =
      row.proof.split(" ");
    const hidden = others[0]?.startsWith("=") === true ? others.shift()?.slice(1) : undefined;
    if ((credit === "available") !== amount > 0) return "contradicts its posting";
    this.#pass(others);
    const missed = this.#chain?.missedBefore(number);
    if (missed !== undefined) return rewritten(missed);
    const at = new Date(row.at ?? "");
    const posting = { number, subjectId, event, debit, credit, at, availableAfter: balanceAfter };
    const facts = factsText(shownFacts(row), hidden);
    this.#chain?.add({ ...posting, amount: Math.abs(amount), facts }, endOfSet(end));
    return undefined;
  }

  #pass(digests: readonly string[]): undefined {
    this.#chain?.pass(
      digests.filter((text) => text !== "").map((text) => Buffer.from(text, "hex")),
    );
  }

  #close(row: ExportRow): Contradiction | string | undefined {
    this.#digest = readCheck(row.check)?.digest;
    const { closing, count, hashAfter } = this.#theFacts;
    if (row.balanceAfter !== String(closing) || this.#balance !== closing || this.#lines !== count)
      return "does not close: the lines come to another balance or number";
    const missed = this.#chain?.missedBefore(Number.POSITIVE_INFINITY);
    if (missed !== undefined) return rewritten(missed);
    const isWhole = this.#chain === undefined || this.#chain.hash.toString("hex") === hashAfter;
    if (!isWhole) return "does not fit: the lines come to another hash of the ledger";
    const extent = { ...this.#theFacts, closedUntil: this.#closedUntil };
    for (const seal of this.#ownWitnesses) {
      const misfit = findMisfit(extent, seal);
      if (misfit !== undefined) return misfit;
    }
    return undefined;
  }

  /**
   * Until when nothing can be missing at the end: as the export says, and in any case up to its last line and its newest seal. One
   * of an earlier release does not say; it is taken for one of the whole period that it names.
   */
  get #closedUntil(): Date | undefined {
    const { closedUntil, until } = this.#theFacts;
    const said = closedUntil === undefined ? until : closedUntil;
    const moments = [said, this.#lastLineAt]
      .flatMap((text) => (text === null || text === undefined ? [] : [new Date(text)]))
      .concat(this.#seals.map(({ seal }) => seal.until));
    return moments.toSorted((one, other) => other.getTime() - one.getTime())[0];
  }

  #sign(proof: string, before: RowCheck): string | undefined {
    const { key, signature } = JSON.parse(proof) as FirstSignature;
    const keys = this.#witness.keys ?? [key];
    const bytes = Buffer.from(signature, "base64");
    if (!isSignedBy(keys, key.id, `${firstFormat}\n${toCheckText(before)}\n`, bytes))
      return "is not the operator's signature: rows were changed and their checks made again, or another key signed";
    this.#signedBy = key.id;
    return undefined;
  }

  get #theFacts(): OpeningFacts {
    if (this.#facts === undefined) throw new Error("no opening row");
    return this.#facts;
  }
}

/** Whether a line's set ends with it, and in which version: by the word in its proof. */
function endOfSet(word: string): SetVersion | undefined {
  if (word === "end2") return 2;
  return word === "end" ? 1 : undefined;
}

function shownFacts(row: ExportRow): ShownFacts {
  const { chargeId, reference, externalId, msisdn, subCompanyId, batchId, memo } = row;
  const texts = { chargeId, reference, externalId, msisdn, subCompanyId, batchId, memo };
  const given = Object.entries(texts).map(([name, text]) => [name, text ?? null] as const);
  return { fee: Number(row.fee), ...Object.fromEntries(given) } as ShownFacts;
}

function rewritten({ seal, isWitness }: ExpectedSeal): string {
  const whose = isWitness ? "that was kept" : "of the export itself";
  return `comes after a history that was rewritten: the chain does not pass through the seal ${whose} for ${seal.day} (posting ${seal.number})`;
}
