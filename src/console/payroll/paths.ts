import { proposalIdPrefix } from "../../approvals/proposal.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { draftIdPrefix } from "../../payrolls/draft.ts";

export const payrollPath = "/console/payroll";

export function draftPath({ id }: { readonly id: string }): string {
  return `${payrollPath}/drafts/${toPublicId(draftIdPrefix, id)}`;
}

export function runPath({ id }: { readonly id: string }): string {
  return `${payrollPath}/${toPublicId(proposalIdPrefix, id)}`;
}

export function approvalPath({ id }: { readonly id: string }): string {
  return `/console/approvals/${toPublicId(proposalIdPrefix, id)}`;
}
