import { toPublicId } from "../../../kernel/ids.ts";
import { listPostings } from "../../../ledger/find-postings.ts";
import type { Posting } from "../../../ledger/posting.ts";
import type { Context, Outcome } from "../../context.ts";
import { toPostingValue } from "../../describe-history.ts";
import { findClock } from "../../find-clock.ts";
import { toFrancs, toTable } from "../../table.ts";

export interface PostingOptions {
  readonly limit: number;
  readonly before?: number;
}

export async function listPostingsCommand(
  context: Context,
  companyId: string,
  { limit, before }: PostingOptions,
): Promise<Outcome> {
  const { database } = context;
  const clock = await findClock(context, companyId);
  const postings = await listPostings(database, companyId, { before, limit });
  const last = postings.at(-1);
  return {
    value: postings.map(toPostingValue),
    text: [
      toTable([
        ["NUMBER", "TIME", "EVENT", "FROM", "TO", "AMOUNT", "BALANCE", "SUBJECT"],
        ...postings.map((posting) => [
          String(posting.number),
          clock.showExactly(posting.createdAt),
          posting.event,
          posting.debit,
          posting.credit,
          toFrancs(posting.amount),
          posting.availableAfter === null ? "" : toFrancs(posting.availableAfter),
          subjectOf(posting),
        ]),
      ]),
      "",
      clock.note,
      ...(last !== undefined && last.number > 1 && postings.length === limit
        ? [`What is older: add --before ${last.number}`]
        : []),
    ].join("\n"),
  };
}

/** A transfer as `transfer show` takes it. What else moves money has no command of its own. */
function subjectOf({ event, subjectId }: Posting): string {
  return event.startsWith("transfer.") ? toPublicId("txn", subjectId) : subjectId;
}
