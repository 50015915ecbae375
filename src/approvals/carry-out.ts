import assert from "node:assert/strict";
import type { Charge } from "../charges/charge.ts";
import {
  ChargeNotFound,
  ChargeNotRefundable,
  RefundExceedsPaid,
  RefundNotCovered,
  TooManyRefunds,
} from "../charges/errors.ts";
import { refundWithin } from "../charges/refund-charge.ts";
import { WalletFrozen } from "../customers/errors.ts";
import type { Tx } from "../database/database.ts";
import { CompanyFrozen } from "../ledger/errors.ts";
import { balancesOf } from "../ledger/post.ts";
import { referenceTaken } from "../payouts/follow-payouts.ts";
import { acceptWithin, refusalOf } from "../transfers/accept-within.ts";
import { batchRowsMax } from "../transfers/batch.ts";
import { findUsedReferences } from "../transfers/find-transfers.ts";
import { type PaymentContent, type RefundContent, readContent } from "./content.ts";
import type { Desk } from "./desk.ts";
import { PartHindered } from "./errors.ts";
import { getProposal } from "./find-proposals.ts";
import { insertGaps, insertPart, moveOn, selectGaps } from "./parts-store.ts";
import type { Lapse, Obstacle, Proposal } from "./proposal.ts";
import { lockProposal, selectContent, selectToCarryOut, updateState } from "./store.ts";

export { proposalQueue } from "./store.ts";

/** Why a part was not made. */
type Hindrance = Obstacle | Lapse;

const lapses: ReadonlySet<Hindrance> = new Set<Lapse>([
  "price_changed",
  "duplicate_reference",
  "refund_not_possible",
]);

/** What became of one step. `at` is how many rows were behind it. */
type Step =
  /** What is told is told once, after the commit. */
  | { readonly kind: "made"; readonly tell?: () => void }
  | { readonly kind: "over" }
  | { readonly kind: "hindered"; readonly by: Hindrance; readonly at: number };

/**
 * Rows of a part: more than a payroll may have, so that it goes out whole or not at all. In several parts, what others spend between
 * two of them could stop it half way.
 */
const partRows = batchRowsMax;

/** Proposals of one company that are looked at in one turn. */
const proposalsPerTurn = 20;

/**
 * Carries out what was approved, part by part. Each part is one transaction that takes the proposal, moves the money and
 * writes down that it did: killed at any moment, begun again, or done by two nodes at once, every row is paid once.
 */
export async function carryOut(
  desk: Desk,
  companyId: string,
  proposalId: string,
  mayGoOn: () => boolean = () => true,
  chunkRows = partRows,
): Promise<Proposal> {
  while (mayGoOn()) {
    const step = await takeStep(desk, companyId, proposalId, chunkRows);
    if (step.kind === "over") break;
    if (step.kind === "hindered") await giveWay(desk, companyId, proposalId, step, chunkRows);
  }
  return getProposal(desk.database, companyId, proposalId);
}

/** A worker's turn: a bounded part of what a company has approved, the oldest first. */
export async function carryOutCompany(
  desk: Desk,
  companyId: string,
  mayGoOn: () => boolean,
): Promise<void> {
  for (const id of await selectToCarryOut(desk.database, companyId, proposalsPerTurn))
    if (mayGoOn()) await carryOut(desk, companyId, id, mayGoOn);
}

/** Whether a company has more to carry out: at once, or nothing. */
export async function nextCarryingOutMs(tx: Tx, companyId: string): Promise<number | undefined> {
  return (await selectToCarryOut(tx, companyId, 1)).length > 0 ? 0 : undefined;
}

async function takeStep(
  desk: Desk,
  companyId: string,
  proposalId: string,
  chunkRows: number,
): Promise<Step> {
  try {
    const step = await desk.database.transactionOf(companyId, async (tx): Promise<Step> => {
      const locked = await lockProposal(tx, companyId, proposalId);
      if (locked?.proposal.state !== "approved") return { kind: "over" };
      try {
        return await makePart(desk, tx, companyId, locked.proposal, chunkRows);
      } catch (error) {
        const by = hindranceOf(error);
        if (by === undefined) throw error;
        throw new PartHindered(by, locked.proposal.doneRows);
      }
    });
    if (step.kind === "made") step.tell?.();
    return step;
  } catch (error) {
    if (!(error instanceof PartHindered)) throw error;
    return { kind: "hindered", by: error.by, at: error.at };
  }
}

async function makePart(
  desk: Desk,
  tx: Tx,
  companyId: string,
  proposal: Proposal,
  chunkRows: number,
): Promise<Step> {
  const bytes = await selectContent(tx, companyId, proposal.id);
  assert(bytes !== undefined, "a proposal has a content");
  const content = readContent(bytes);
  if (content.kind !== "refund")
    return sendChunk(desk, tx, companyId, proposal, content, chunkRows);
  const { status } = await giveBack(desk, tx, companyId, proposal, content);
  return {
    kind: "made",
    tell() {
      desk.payments.outcomes.add({ outcome: status });
      desk.payments.onEvent(companyId);
    },
  };
}

/** The books come last, because the company's other money waits from then on. */
async function sendChunk(
  desk: Desk,
  tx: Tx,
  companyId: string,
  { id, doneRows: start }: Proposal,
  { kind, rows, subCompanyId, price }: PaymentContent,
  chunkRows: number,
): Promise<Step> {
  const chunk = rows.slice(start, start + chunkRows);
  const end = start + chunk.length;
  const passedOver = new Set((await selectGaps(tx, companyId, id)).map(({ row }) => row));
  const transfers = chunk.filter((_, index) => !passedOver.has(start + index));
  if (transfers.length === 0) {
    await moveOn(tx, companyId, id, end);
    return { kind: "made" };
  }
  // What a release before has begun in smaller parts goes on when there is enough for all that is left.
  const left = rows.slice(start).filter((_, index) => !passedOver.has(start + index));
  const needed = left.reduce((sum, { amount, fee }) => sum + amount + fee, 0);
  const { available } = await balancesOf(tx, companyId);
  if (needed > available) return { kind: "hindered", by: "insufficient_funds", at: start };
  const { id: madeId, refusal } = await acceptWithin(
    tx,
    companyId,
    {
      transfers: transfers.map(({ msisdn, amount, fee, reference, description }) => ({
        msisdn,
        amount,
        fee,
        reference,
        description,
        metadata: null,
        subCompanyId,
      })),
      priceNumber: price,
      batch: kind === "payroll" ? { subCompanyId } : undefined,
    },
    desk.limit,
  );
  if (refusal !== undefined) {
    assert(refusal !== "replayed" && refusal !== "idempotency_key_reused", "no key was given");
    return { kind: "hindered", by: refusal, at: start };
  }
  await insertPart(tx, companyId, id, { firstRow: start, rowTotal: chunk.length, madeId });
  await moveOn(tx, companyId, id, end);
  return { kind: "made", tell: () => desk.onAccepted(companyId) };
}

async function giveBack(
  { payments }: Desk,
  tx: Tx,
  companyId: string,
  { id, decision, madeBy }: Proposal,
  { chargeId, amount }: RefundContent,
): Promise<Charge> {
  const personId = decision?.decidedBy ?? madeBy;
  const by = { personId, address: "", via: "carrying out" };
  const request = { companyId, chargeId, amount, by };
  const charge = await refundWithin(tx, request, payments.refundPartsMax);
  const madeId = charge.transactions.at(-1)?.id;
  assert(madeId !== undefined, "a refund is written down");
  await insertPart(tx, companyId, id, { firstRow: 0, rowTotal: 1, madeId });
  await moveOn(tx, companyId, id, 1);
  return charge;
}

/** What took the whole part back; undefined: it is nobody's verdict on the payment, and is tried again. */
function hindranceOf(error: unknown): Hindrance | undefined {
  if (error instanceof CompanyFrozen) return "company_frozen";
  if (error instanceof RefundNotCovered) return "insufficient_funds";
  if (error instanceof WalletFrozen) return "account_blocked";
  const isOfTheCharge = [ChargeNotFound, ChargeNotRefundable, RefundExceedsPaid, TooManyRefunds];
  if (isOfTheCharge.some((kind) => error instanceof kind)) return "refund_not_possible";
  const refusal = refusalOf(error);
  return refusal === "replayed" || refusal === "idempotency_key_reused" ? undefined : refusal;
}

/**
 * Stops it, or lets it lapse; but rows of a payroll whose references others have used meanwhile are only passed over. Whoever
 * comes late finds that it has moved on, and leaves it.
 */
async function giveWay(
  { database }: Desk,
  companyId: string,
  proposalId: string,
  { by, at }: Extract<Step, { kind: "hindered" }>,
  chunkRows: number,
): Promise<void> {
  await database.transactionOf(companyId, async (tx) => {
    const locked = await lockProposal(tx, companyId, proposalId);
    if (locked?.proposal.state !== "approved" || locked.proposal.doneRows !== at) return;
    if (by === "duplicate_reference" && locked.proposal.kind === "payroll")
      await passOver(tx, companyId, proposalId, at, chunkRows);
    else await updateState(tx, companyId, proposalId, lapses.has(by) ? "lapsed" : "stopped", by);
  });
}

async function passOver(
  tx: Tx,
  companyId: string,
  proposalId: string,
  start: number,
  chunkRows: number,
): Promise<void> {
  const bytes = await selectContent(tx, companyId, proposalId);
  const content = bytes && readContent(bytes);
  assert(content !== undefined && content.kind !== "refund", "a payroll has rows");
  const references = content.rows.slice(start, start + chunkRows).map(({ reference }) => reference);
  const used = await findUsedReferences(tx, companyId, references);
  const gaps = references.flatMap((reference, index) =>
    used.has(reference) ? [{ row: start + index, reason: referenceTaken }] : [],
  );
  assert(gaps.length > 0, "a batch is refused for references that somebody has");
  await insertGaps(tx, companyId, proposalId, gaps);
}
