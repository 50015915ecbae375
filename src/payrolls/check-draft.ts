import { findByFile } from "../approvals/find-proposals.ts";
import type { Proposal } from "../approvals/proposal.ts";
import { getCompany } from "../companies/find-company.ts";
import type { WalletPolicy } from "../customers/customer.ts";
import type { Database } from "../database/database.ts";
import type { Country } from "../kernel/countries.ts";
import type { PayoutColumns } from "../payouts/columns.ts";
import type { Finding } from "../payouts/findings.ts";
import type { Account } from "../payouts/paymaster.ts";
import { type Preparation, preparePayouts } from "../payouts/prepare-payouts.ts";
import { type Readings, readRows } from "../payouts/read-payouts.ts";
import type { TableRow } from "../spreadsheets/table.ts";
import type { PayrollDraft } from "./draft.ts";
import { accountOf, ownInquiry } from "./own-inquiry.ts";

/** Where drafts are checked, and what by. */
export interface Checking {
  readonly database: Database;
  readonly policy: WalletPolicy & { readonly country: Country };
}

/** A row with something wrong, as it stands in the file. */
export interface BadRow {
  readonly row: TableRow;
  readonly findings: readonly Finding[];
}

/** A draft as it stands now: read and checked by what `cauri payout import` reads and checks with. */
export interface CheckedDraft {
  readonly draft: PayrollDraft;
  readonly account: Account;
  /** The number of the price that its fees follow from. */
  readonly priceNumber: number;
  /** Undefined when the headings do not say enough. */
  readonly columns: PayoutColumns | undefined;
  /** Rows below the headings. */
  readonly rowTotal: number;
  /** Wrong with the file as a whole: its headings, or what it comes to. */
  readonly fileFindings: readonly Finding[];
  /** Rows with something wrong, left out or not. */
  readonly badRows: readonly BadRow[];
  readonly preparation: Preparation;
  readonly completedPhones: Readings;
  readonly readAmounts: Readings;
  /** Payrolls of the very same file, newest first. */
  readonly earlier: readonly Proposal[];
  /** Whether it can be handed in as it is. */
  readonly isReady: boolean;
}

/** Looks at everything anew: balances, references and people change while a draft lies there. */
export async function checkDraft(
  { database, policy }: Checking,
  companyId: string,
  draft: PayrollDraft,
): Promise<CheckedDraft> {
  const company = await getCompany(database, companyId);
  const account = accountOf(company, policy.country);
  const reading = readRows(draft.rows, draft.fileHash.toString("hex"), {
    country: account.country,
    allowRepeats: draft.allowsRepeats,
  });
  const inquiry = ownInquiry(database, policy, companyId);
  const preparation = await preparePayouts(inquiry, account, reading, {
    skipInvalid: draft.leavesOut,
  });
  const isOfARow = ({ line }: Finding) => line !== null && reading.columns !== undefined;
  const all = [...preparation.findings, ...preparation.leftOutFindings];
  return {
    draft,
    account,
    priceNumber: company.priceNumber,
    columns: reading.columns,
    rowTotal: Math.max(0, draft.rows.length - 1),
    fileFindings: preparation.findings.filter((finding) => !isOfARow(finding)),
    badRows: badRowsOf(draft.rows, all.filter(isOfARow)),
    preparation,
    completedPhones: reading.completedPhones,
    readAmounts: reading.readAmounts,
    earlier: (await findByFile(database, companyId, draft.fileHash)).filter(
      ({ id }) => id !== draft.proposalId,
    ),
    isReady:
      preparation.findings.length === 0 &&
      preparation.payouts.length > 0 &&
      !preparation.isContinued,
  };
}

function badRowsOf(rows: readonly TableRow[], findings: readonly Finding[]): BadRow[] {
  const byLine = new Map<number, Finding[]>();
  for (const finding of findings) {
    const line = finding.line ?? 0;
    byLine.set(line, [...(byLine.get(line) ?? []), finding]);
  }
  return rows.flatMap((row) => {
    const found = byLine.get(row.line);
    return found === undefined ? [] : [{ row, findings: found }];
  });
}
