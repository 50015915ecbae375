import { getCompany } from "../../../companies/find-company.ts";
import { listPostings } from "../../../ledger/find-postings.ts";
import type { Context, Outcome } from "../../context.ts";
import { toPostingValue } from "../../describe-history.ts";
import { toFrancs, toTable } from "../../table.ts";

export interface PostingOptions {
  readonly limit: number;
  readonly before?: number;
}

export async function listPostingsCommand(
  { database }: Context,
  companyId: string,
  { limit, before }: PostingOptions,
): Promise<Outcome> {
  await getCompany(database, companyId);
  const postings = await listPostings(database, companyId, { before, limit });
  const last = postings.at(-1);
  return {
    value: postings.map(toPostingValue),
    text: [
      toTable([
        ["NUMBER", "TIME", "EVENT", "FROM", "TO", "AMOUNT", "BALANCE", "SUBJECT"],
        ...postings.map((posting) => [
          String(posting.number),
          posting.createdAt.toISOString(),
          posting.event,
          posting.debit,
          posting.credit,
          toFrancs(posting.amount),
          posting.availableAfter === null ? "" : toFrancs(posting.availableAfter),
          posting.subjectId,
        ]),
      ]),
      ...(last !== undefined && last.number > 1 && postings.length === limit
        ? ["", `What is older: add --before ${last.number}`]
        : []),
    ].join("\n"),
  };
}
