import { companyIdPrefix } from "../../companies/company.ts";
import { parsePublicId } from "../../kernel/ids.ts";
import type { ExportRow } from "../export/columns.ts";
import { type OpeningFacts, type SignatureFacts, signedText } from "../export/facts.ts";
import { type RowCheck, toCheckText } from "../export/row-check.ts";
import { isGenuine, isSignedBy, type PublicLedgerKey, type Seal } from "../seal.ts";
import { parseSealResource, type SealResource } from "../seal-resource.ts";
import { ChainFollower, type ExpectedSeal } from "./chain-follower.ts";
import { type Problem, problem } from "./verify-rows.ts";

/** What others have kept, for an export to be held against. */
export interface Witness {
  /** The operator's keys; without them the export's own are taken. */
  readonly keys?: readonly PublicLedgerKey[] | undefined;
  readonly seals: readonly Seal[];
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
  #balance = 0;
  #lines = 0;
  #signed: { readonly keyId: string; readonly digest: string } | undefined;

  constructor(witness: Witness) {
    this.#witness = witness;
  }

  get findings() {
    const passed = this.#chain?.passed ?? [];
    return {
      facts: this.#facts,
      lines: this.#lines,
      isChained: this.#chain !== undefined,
      seals: passed.filter(({ isWitness }) => !isWitness).length,
      witnesses: passed.filter(({ isWitness }) => isWitness).length,
      signed: this.#signed,
    };
  }

  hear(row: ExportRow, before: RowCheck): Problem | undefined {
    const place = before.ordinal + 1;
    try {
      const wrong = this.#hearRow(row, before);
      return wrong === undefined ? undefined : problem("untrue", place, wrong);
    } catch {
      return problem("untrue", place, "has a proof that cannot be read");
    }
  }

  #hearRow(row: ExportRow, before: RowCheck): string | undefined {
    if ((row.kind === "opening") !== (before.ordinal === 0)) return "stands in a wrong place";
    if (row.kind === "opening") return this.#open(row);
    if (row.kind === "seal") return this.#addSeal(row.proof ?? "");
    this.#chain ??= this.#beginChain();
    if (row.kind === "proof") return this.#pass((row.proof ?? "").split(" "));
    if (row.kind === "closing") return this.#close(row);
    if (row.kind === "signature") return this.#sign(row.proof ?? "", before);
    return this.#addLine(row);
  }

  #open(row: ExportRow): string | undefined {
    const facts = JSON.parse(row.proof ?? "") as OpeningFacts;
    if (facts.format !== "cauri statement 1") return "is of a format that this release cannot read";
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

  /** Kept seals count where they are of this company and of a posting that the export has. */
  #beginChain(): ChainFollower | undefined {
    const { hashBefore, company, after, upto } = this.#theFacts;
    if (hashBefore === null) return undefined;
    const companyId = parsePublicId(companyIdPrefix, company);
    const witnesses = this.#witness.seals
      .filter((seal) => seal.companyId === companyId && seal.number >= after && seal.number <= upto)
      .map((seal) => ({ seal, isWitness: true }));
    return new ChainFollower(Buffer.from(hashBefore, "hex"), [...this.#seals, ...witnesses]);
  }

  #addLine(row: ExportRow): string | undefined {
    const [number, amount, balanceAfter] = [row.number, row.amount, row.balanceAfter].map(Number);
    if (number === undefined || amount === undefined || balanceAfter === undefined)
      return undefined;
    this.#lines += 1;
    this.#balance += amount;
    if (this.#balance !== balanceAfter)
      return `does not add up: its balance should be ${this.#balance}`;
    if (row.proof === undefined || row.proof === "") return undefined;
    const [event = "", subjectId = "", debit = "", credit = "", end, ...digests] =
      row.proof.split(" ");
    if ((credit === "available") !== amount > 0) return "contradicts its posting";
    this.#pass(digests);
    const missed = this.#chain?.missedBefore(number);
    if (missed !== undefined) return rewritten(missed);
    const at = new Date(row.at ?? "");
    const posting = { number, subjectId, event, debit, credit, at, availableAfter: balanceAfter };
    this.#chain?.add({ ...posting, amount: Math.abs(amount) }, end === "end");
    return undefined;
  }

  #pass(digests: readonly string[]): undefined {
    this.#chain?.pass(
      digests.filter((text) => text !== "").map((text) => Buffer.from(text, "hex")),
    );
  }

  #close(row: ExportRow): string | undefined {
    const { closing, count, hashAfter } = this.#theFacts;
    if (row.balanceAfter !== String(closing) || this.#balance !== closing || this.#lines !== count)
      return "does not close: the lines come to another balance or number";
    const missed = this.#chain?.missedBefore(Number.POSITIVE_INFINITY);
    if (missed !== undefined) return rewritten(missed);
    const isWhole = this.#chain === undefined || this.#chain.hash.toString("hex") === hashAfter;
    return isWhole ? undefined : "does not fit: the lines come to another hash of the ledger";
  }

  #sign(proof: string, before: RowCheck): string | undefined {
    const { key, signature } = JSON.parse(proof) as SignatureFacts;
    const keys = this.#witness.keys ?? [key];
    const bytes = Buffer.from(signature, "base64");
    if (!isSignedBy(keys, key.id, signedText(toCheckText(before)), bytes))
      return "is not the operator's signature: rows were changed and their checks made again, or another key signed";
    this.#signed = { keyId: key.id, digest: before.digest };
    return undefined;
  }

  get #theFacts(): OpeningFacts {
    if (this.#facts === undefined) throw new Error("no opening row");
    return this.#facts;
  }
}

function rewritten({ seal, isWitness }: ExpectedSeal): string {
  const whose = isWitness ? "that was kept" : "of the export itself";
  return `comes after a history that was rewritten: the chain does not pass through the seal ${whose} for ${seal.day} (posting ${seal.number})`;
}
