import { hash as digestOf, randomUUID } from "node:crypto";
import { getCharge } from "../charges/find-charges.ts";
import { amountToRefund } from "../charges/refund-charge.ts";
import type { Company } from "../companies/company.ts";
import { PriceChanged } from "../companies/errors.ts";
import { getActiveSubCompany, getCompany } from "../companies/find-company.ts";
import type { Tx } from "../database/database.ts";
import { nextId } from "../database/next-id.ts";
import { amountOutOfRange, invalidRequest } from "../http/validation.ts";
import { feeOf } from "../kernel/amount.ts";
import { toPublicId } from "../kernel/ids.ts";
import { toDigits } from "../kernel/msisdn.ts";
import { requirePermission } from "../staff/introducers.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { DuplicateReference } from "../transfers/errors.ts";
import { findUsedReferences } from "../transfers/find-transfers.ts";
import { carryOut } from "./carry-out.ts";
import { type Content, hashOf, type PaymentRow, totalsOf, writeContent } from "./content.ts";
import type { Desk } from "./desk.ts";
import { getProposal } from "./find-proposals.ts";
import { type Proposal, proposalIdPrefix } from "./proposal.ts";
import { aloneLeftOf } from "./rules.ts";
import { insertProposal, markProposalWork, selectByForm } from "./store.ts";

type AskedRow = Omit<PaymentRow, "fee">;

/** What a person wants to be done; fees follow from the company's price. */
export type Asked =
  | ({ readonly kind: "transfer"; readonly subCompanyId: string | null } & Omit<AskedRow, "line">)
  | {
      readonly kind: "payroll";
      readonly subCompanyId: string | null;
      readonly rows: readonly AskedRow[];
      /** SHA-256 of the file it was read from. */
      readonly fileHash: Buffer;
    }
  | {
      readonly kind: "refund";
      readonly chargeId: string;
      /** Undefined: all that is left. */
      readonly amount: number | undefined;
    };

export interface ProposeRequest {
  readonly companyId: string;
  readonly by: ConsolePerson;
  /** What the lists call it: a reference, the name of a file. */
  readonly title: string;
  readonly asked: Asked;
  /** Of the form with which it is asked: sent twice, it asks once. */
  readonly formId?: string;
  /** Others who had a part in it. */
  readonly hands?: readonly string[];
  /** The number of the price whose fees were shown; when another holds by now, nothing is asked: PriceChanged. */
  readonly priceNumber?: number;
  /** What has to be written together with it. */
  readonly within?: (tx: Tx, proposalId: string) => Promise<void>;
}

/**
 * Asks for a payment. What one person may pay out alone is carried out at once; everything else waits for another person.
 * What it throws has asked for nothing. A form that comes a second time answers what it asked for the first time.
 */
export async function propose(desk: Desk, request: ProposeRequest): Promise<Proposal> {
  const { companyId, formId = randomUUID() } = request;
  const { database } = desk;
  const earlier = await selectByForm(database, companyId, formId);
  if (earlier !== undefined) return getProposal(database, companyId, earlier);
  const company = await getCompany(database, companyId);
  if (request.priceNumber !== undefined && request.priceNumber !== company.priceNumber)
    throw new PriceChanged();
  const content = await judge(desk, company, request.asked);
  const id = await database.transactionOf(companyId, (tx) => ask(tx, request, formId, content));
  const proposal = await getProposal(database, companyId, id);
  if (proposal.state !== "approved") return proposal;
  desk.onApproved(companyId);
  // A payroll may be long: a worker sees to it. So it does to the others, if this process does not come back.
  return proposal.kind === "payroll" ? proposal : carryOut(desk, companyId, id);
}

/** What could be known to be wrong is said now; the books have the last word when it is carried out. */
async function judge(
  { database, payments }: Desk,
  company: Company,
  asked: Asked,
): Promise<Content> {
  if (asked.kind === "refund") {
    const charge = await getCharge(payments, company.id, asked.chargeId);
    const amount = amountToRefund(charge, asked.amount, payments.refundPartsMax);
    return { kind: "refund", chargeId: asked.chargeId, amount };
  }
  const { kind, subCompanyId } = asked;
  if (subCompanyId !== null) await getActiveSubCompany(database, company.id, subCompanyId);
  const rows = asked.kind === "payroll" ? asked.rows : [{ ...asked, line: null }];
  refuseOutOfRange(company, rows);
  refuseRepeated(rows);
  if (asked.kind === "transfer") {
    const used = await findUsedReferences(database, company.id, [asked.reference]);
    const existing = used.get(asked.reference);
    if (existing !== undefined) throw DuplicateReference.single(asked.reference, existing.id);
  }
  return {
    kind,
    subCompanyId,
    price: company.priceNumber,
    rows: rows.map(({ line, msisdn, amount, reference, description }) => ({
      line,
      msisdn: toDigits(msisdn),
      amount,
      fee: feeOf(amount, company.transferFee),
      reference,
      description,
    })),
  };
}

function refuseOutOfRange({ transferAmount }: Company, rows: readonly AskedRow[]): void {
  const { min, max } = transferAmount;
  const wrong = rows.filter(({ amount }) => !(amount >= min && amount <= max));
  if (wrong.length === 0) return;
  throw invalidRequest(
    wrong.map(({ amount }) => amountOutOfRange(amount, min, max)),
    {},
  );
}

function refuseRepeated(rows: readonly AskedRow[]): void {
  const seen = new Set<string>();
  for (const [index, { reference }] of rows.entries()) {
    if (seen.has(reference)) throw DuplicateReference.inBatch([{ index }]);
    seen.add(reference);
  }
}

/** What a person's role has to permit, still, when it is asked for. */
const permissionFor = {
  transfer: "transfers.propose",
  payroll: "transfers.propose",
  refund: "refunds.propose",
} as const;

async function ask(
  tx: Tx,
  { companyId, by, title, asked, hands = [], within }: ProposeRequest,
  formId: string,
  content: Content,
): Promise<string> {
  await requirePermission(tx, companyId, by, permissionFor[content.kind]);
  // The list's lock: what a person pays out alone is counted one after the other, on any number of nodes.
  const id = await nextId(tx, companyId, "proposals");
  const earlier = await selectByForm(tx, companyId, formId);
  if (earlier !== undefined) return earlier;
  const { count, amount, fee } = totalsOf(content);
  const aloneLeft = await aloneLeftOf(tx, companyId, by.personId);
  const needsApproval = amount > aloneLeft;
  const bytes = writeContent(companyId, content);
  const contentHash = hashOf(bytes);
  const allHands = [...new Set([by.personId, ...hands])];
  await insertProposal(tx, companyId, {
    id,
    kind: content.kind,
    title: title.slice(0, 200),
    content: bytes,
    contentHash,
    madeBy: by.personId,
    hands: allHands,
    rowTotal: count,
    totalAmount: amount,
    totalFee: fee,
    price: content.kind === "refund" ? null : content.price,
    aloneLeft,
    needsApproval,
    fileHash: asked.kind === "payroll" ? asked.fileHash : null,
    formId,
  });
  await within?.(tx, id);
  await recordForCompany(tx, companyId, by, {
    action: "proposal.made",
    subject: toPublicId(proposalIdPrefix, id),
    to: {
      kind: content.kind,
      title,
      count,
      amount,
      fee,
      needsApproval,
      aloneLeft,
      hash: contentHash.toString("hex"),
      hands: digestOf("sha256", allHands.join(" "), "hex"),
    },
  });
  if (!needsApproval) await markProposalWork(tx, companyId);
  return id;
}
