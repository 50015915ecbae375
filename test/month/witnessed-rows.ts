/** Any row of a table: what it is called, the condition that finds it, and changes that something else contradicts. */
interface Rows {
  readonly table: string;
  readonly which?: string;
  /** The text by which the audit names the row. */
  readonly place: string;
  /** Of each column another value; a column that is an id gets the one that is given. */
  readonly columns: Readonly<Record<string, string>>;
  readonly mayDelete: boolean;
}

const aMoment = (column: string) => `${column} + interval '1 ms'`;
const later = (column: string) => `${column} + interval '2 days'`;
export const more = (column: string) => `${column} + 1`;
export const flipped = (column: string) => `set_byte(${column}, 3, get_byte(${column}, 3) # 64)`;
const ofCompany = "'company ' || company_id";

/** What postings hang on. The company's own rows are named by the company. */
export const witnessedRows: readonly Rows[] = [
  {
    table: "transfers",
    place: "id::text",
    columns: {
      id: ":new",
      amount: more("amount"),
      fee: more("fee"),
      msisdn: "msisdn || '7'",
      msisdn_has_plus: "not msisdn_has_plus",
      reference: "reference || '7'",
      description: "concat(description, '7')",
      metadata: "concat(metadata, '7')",
    },
    mayDelete: true,
  },
  {
    table: "outcomes",
    place: "id::text",
    columns: { id: ":new", ended_at: aMoment("ended_at") },
    mayDelete: true,
  },
  {
    table: "outcomes",
    which: "status = 'failed'",
    place: "id::text",
    columns: { failure_reason: "'INTERNAL_ERROR'" },
    mayDelete: false,
  },
  {
    table: "outcomes",
    which: "status = 'completed'",
    place: "id::text",
    columns: {
      "(status, failure_reason, failed_msisdn)": "row('failed', 'UNKNOWN_ERROR', '2250700000000')",
    },
    mayDelete: false,
  },
  {
    table: "fundings",
    place: "id::text",
    columns: {
      id: ":new",
      amount: more("amount"),
      created_at: aMoment("created_at"),
      memo: "concat(memo, '7')",
    },
    mayDelete: true,
  },
  {
    table: "withdrawals",
    place: "id::text",
    columns: {
      id: ":new",
      amount: more("amount"),
      created_at: aMoment("created_at"),
      memo: "concat(memo, '7')",
    },
    mayDelete: true,
  },
  {
    table: "adjustments",
    place: "id::text",
    columns: { id: ":new", amount: more("amount"), created_at: later("created_at") },
    mayDelete: true,
  },
  {
    table: "batches",
    place: "id::text",
    columns: { total_amount: more("total_amount"), total_fee: more("total_fee") },
    mayDelete: false,
  },
  {
    table: "charges",
    place: "id::text",
    columns: {
      "(amount, paid)": "row(amount + 1, paid + 1)",
      fee: more("fee"),
      fee_rate_ppm: more("fee_rate_ppm"),
    },
    mayDelete: false,
  },
  {
    table: "charge_transactions",
    which: "status = 'completed'",
    place: "id::text",
    columns: {
      id: ":new",
      amount: more("amount"),
      fee: more("fee"),
      msisdn_given: "msisdn_given || '7'",
      created_at: aMoment("created_at"),
    },
    mayDelete: true,
  },
  {
    table: "charge_transactions",
    which: "type = 'refund'",
    place: "id::text",
    columns: { reason: "concat(reason, '7')" },
    mayDelete: false,
  },
  {
    table: "wallet_entries",
    place: "subject_id::text",
    columns: { subject_id: ":new", amount: more("amount") },
    mayDelete: true,
  },
  {
    table: "prices",
    place: ofCompany,
    columns: {
      number: "number + 5",
      transfer_fee_rate_ppm: more("transfer_fee_rate_ppm"),
      charge_fee_rate_ppm: more("charge_fee_rate_ppm"),
    },
    mayDelete: true,
  },
  {
    table: "event_runs",
    which: "topic::text like 'transactions/%'",
    place: "subject_ids[1]::text",
    columns: { "subject_ids[1]": ":new" },
    mayDelete: false,
  },
  {
    table: "event_runs",
    which: "payloads is not null",
    place: "'event ' || last_number - cardinality(subject_ids) + 1 || ' of company'",
    columns: {
      "payloads[1]": "overlay(payloads[1] placing 'x' from 20 for 1)",
      "subject_ids[1]": ":new",
    },
    mayDelete: false,
  },
  { table: "event_runs", place: "'event ' || last_number", columns: {}, mayDelete: true },
  {
    table: "books",
    place: "company_id::text",
    columns: {
      "(available, external)": "row(available + 1, external - 1)",
      "(fees, paid_out)": "row(fees + 1, paid_out - 1)",
      last_posting: more("last_posting"),
      last_event: more("last_event"),
      chain: flipped("chain"),
      chained_after: more("chained_after"),
      posted_at: later("posted_at"),
      price: "price - 1",
    },
    mayDelete: true,
  },
  {
    table: "seals",
    place: "day::text",
    columns: {
      day: "day + 100",
      until: later("until"),
      number: more("number"),
      balance: more("balance"),
      hash: flipped("hash"),
      signature: flipped("signature"),
    },
    mayDelete: true,
  },
  {
    table: "statement_progress",
    place: ofCompany,
    columns: { sealed_to: more("sealed_to") },
    mayDelete: false,
  },
];
