import { balanceMax as balanceLimit } from "../kernel/amount.ts";
import { isMsisdn, msisdnProblem, toDigits } from "../kernel/msisdn.ts";
import { matchColumns } from "../spreadsheets/match-columns.ts";
import { readTable } from "../spreadsheets/read-table.ts";
import type { TableRow } from "../spreadsheets/table.ts";
import { type Customer, type KycStatus, kycStatuses } from "./customer.ts";

/** What a row of a file says of a person; what it leaves empty stays as it is. */
export interface CustomerRow {
  readonly line: number;
  readonly msisdn: string;
  readonly change: Partial<Omit<Customer, "msisdn">>;
}

/** What is wrong with a row, and what to do about it. The book is the operator's, so it is said in English. */
export interface RowProblem {
  readonly line: number;
  readonly message: string;
}

export interface CustomerFile {
  readonly rows: readonly CustomerRow[];
  readonly problems: readonly RowProblem[];
}

/** In English and French, as `plainHeading` makes them. */
const customerHeadings = {
  msisdn: ["msisdn", "phone", "phone number", "telephone", "numero de telephone", "tel"],
  firstName: ["first name", "firstname", "prenom", "prenoms"],
  lastName: ["last name", "lastname", "nom", "nom de famille"],
  kyc: ["kyc", "kyc status", "statut kyc", "identification"],
  limit: ["limit", "plafond", "balance max"],
} as const;

const nameMax = 100;
/** What cannot be kept: controls, and half of a surrogate pair. */
const notKept = /[\p{Cc}\ud800-\udfff]/u;

/** Reads a file of people: CSV or .xlsx, headings in any order, other columns ignored. */
export async function readCustomers(
  bytes: AsyncIterable<Buffer>,
  name: string,
): Promise<CustomerFile> {
  const rows: CustomerRow[] = [];
  const problems: RowProblem[] = [];
  const lines = new Map<string, number>();
  let columns: Partial<Record<keyof typeof customerHeadings, number>> | undefined;
  for await (const row of readTable(bytes, name)) {
    if (columns === undefined) {
      const matched = matchColumns(row.cells, customerHeadings);
      problems.push(...headerProblems(row.line, matched));
      if (problems.length > 0) break;
      ({ columns } = matched);
      continue;
    }
    const { msisdn, change, messages } = readRow(columns, row);
    const first = lines.get(msisdn);
    if (first !== undefined)
      messages.push(`${msisdn} stands in line ${first} too; keep one of them.`);
    lines.set(msisdn, first ?? row.line);
    problems.push(...messages.map((message) => ({ line: row.line, message })));
    if (messages.length === 0) rows.push({ line: row.line, msisdn, change });
  }
  return { rows, problems };
}

function headerProblems(
  line: number,
  { columns, repeated }: ReturnType<typeof matchColumns<keyof typeof customerHeadings>>,
): RowProblem[] {
  return [
    ...(columns.msisdn === undefined
      ? [{ line, message: 'no column is called "msisdn" (or "telephone").' }]
      : []),
    ...repeated.map((field) => ({ line, message: `more than one column is called ${field}.` })),
  ];
}

function readRow(
  columns: Partial<Record<keyof typeof customerHeadings, number>>,
  { cells }: TableRow,
) {
  const messages: string[] = [];
  const cell = (field: keyof typeof customerHeadings) => {
    const place = columns[field];
    return place === undefined ? "" : (cells[place] ?? "").trim();
  };
  const typed = cell("msisdn").replaceAll(/[\s\u00a0\u202f().-]/g, "");
  const problem = msisdnProblem(typed);
  if (problem !== undefined) messages.push(`the phone number ${problem.en}`);
  else if (!isMsisdn(typed))
    messages.push(
      "the phone number is not 8 to 15 digits with country code (format the column as text: spreadsheets shorten long numbers).",
    );
  const names = { firstName: cell("firstName"), lastName: cell("lastName") };
  for (const [field, value] of Object.entries(names))
    if (value.length > nameMax || notKept.test(value))
      messages.push(
        `${field} is longer than ${nameMax} characters, or holds one that cannot be kept.`,
      );
  const kyc = cell("kyc").toLowerCase();
  if (kyc !== "" && !kycStatuses.some((status) => status === kyc))
    messages.push(`kyc is none of ${kycStatuses.join(", ")}.`);
  const limit = cell("limit").replaceAll(/[\s\u00a0\u202f_]/g, "");
  if (limit !== "" && !(/^\d{1,16}$/.test(limit) && Number(limit) <= balanceLimit))
    messages.push("limit is not a whole number of francs, such as 300000.");
  const change = {
    ...(names.firstName === "" ? {} : { firstName: names.firstName }),
    ...(names.lastName === "" ? {} : { lastName: names.lastName }),
    ...(kyc === "" ? {} : { kycStatus: kyc as KycStatus }),
    ...(limit === "" ? {} : { balanceMax: Number(limit) }),
  };
  return { msisdn: toDigits(typed), change, messages };
}
