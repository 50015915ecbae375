import type { Queryable } from "../database/database.ts";
import { type Page, type PageRequest, toPage } from "../kernel/page.ts";
import { type Content, readContent } from "./content.ts";
import { ProposalNotFound } from "./errors.ts";
import { type Gap, type Part, selectGaps, selectParts, selectProposalOf } from "./parts-store.ts";
import type { Proposal, ProposalKind } from "./proposal.ts";
import {
  countWaiting,
  selectByFile,
  selectByForm,
  selectContent,
  selectProposal,
  selectProposalPage,
} from "./store.ts";

export type { Gap, Part } from "./parts-store.ts";

export async function getProposal(
  database: Queryable,
  companyId: string,
  id: string | undefined,
): Promise<Proposal> {
  const proposal = id === undefined ? undefined : await selectProposal(database, companyId, id);
  if (proposal === undefined) throw new ProposalNotFound();
  return proposal;
}

/** Word for word, as it is hashed. */
export async function getContentBytes(
  database: Queryable,
  companyId: string,
  id: string,
): Promise<Buffer> {
  const bytes = await selectContent(database, companyId, id);
  if (bytes === undefined) throw new ProposalNotFound();
  return bytes;
}

export async function getContent(
  database: Queryable,
  companyId: string,
  id: string,
): Promise<Content> {
  return readContent(await getContentBytes(database, companyId, id));
}

export interface ProposalFilter {
  readonly kind?: ProposalKind | undefined;
  /** Only what waits for a decision. */
  readonly isWaiting?: boolean | undefined;
}

export function proposalList(companyId: string, { kind, isWaiting }: ProposalFilter) {
  return { name: `proposals ${kind ?? ""} ${isWaiting === true}`, companyId };
}

export async function listProposals(
  database: Queryable,
  companyId: string,
  filter: ProposalFilter,
  request: PageRequest,
): Promise<Page<Proposal>> {
  return toPage(
    proposalList(companyId, filter),
    request,
    await selectProposalPage(database, companyId, filter, request),
  );
}

const waitingShownMax = 100;

/** How many wait for a decision; a hundred stands for more. */
export async function countWaitingProposals(
  database: Queryable,
  companyId: string,
): Promise<number> {
  return countWaiting(database, companyId, waitingShownMax);
}

/** What a form has asked for already, if it was sent before. */
export async function findByForm(
  database: Queryable,
  companyId: string,
  formId: string,
): Promise<Proposal | undefined> {
  const id = await selectByForm(database, companyId, formId);
  return id === undefined ? undefined : selectProposal(database, companyId, id);
}

const earlierShownMax = 5;

/** Earlier payrolls of the very same file, newest first. */
export async function findByFile(
  database: Queryable,
  companyId: string,
  fileHash: Buffer,
): Promise<Proposal[]> {
  return selectByFile(database, companyId, fileHash, earlierShownMax);
}

/** What was made of it so far. */
export async function findParts(
  database: Queryable,
  companyId: string,
  proposalId: string,
): Promise<Part[]> {
  return selectParts(database, companyId, proposalId);
}

/** Rows that were passed over. */
export async function findGaps(
  database: Queryable,
  companyId: string,
  proposalId: string,
): Promise<Gap[]> {
  return selectGaps(database, companyId, proposalId);
}

/** What a person asked for that led to this batch, transfer or refund; undefined: no person made it. */
export async function findProposalOf(
  database: Queryable,
  companyId: string,
  madeId: string,
): Promise<Proposal | undefined> {
  const id = await selectProposalOf(database, companyId, madeId);
  return id === undefined ? undefined : selectProposal(database, companyId, id);
}
