/**
 * Every table belongs to one group. The groups say how a database is split by company (shard-database.ts), and what may be
 * joined, referred to and written together so that it can be (test/sharding.test.ts).
 */
export const tableGroups = {
  /** Rows of one company, which are on one node: `company_id` leads every key. */
  company: [
    "adjustments",
    "approval_rules",
    "approvals",
    "attempts",
    "batches",
    "books",
    "charge_transactions",
    "charges",
    "checkout_browsers",
    "checkouts",
    "claims",
    "companies",
    "company_trail",
    "day_totals",
    "deliveries",
    "endpoints",
    "event_cursors",
    "event_runs",
    "former_idempotency_keys",
    "fundings",
    "held_decisions",
    "held_transfers",
    "idempotency_keys",
    "key_details",
    "keys_alone_hours",
    "list_ends",
    "logos",
    "outcomes",
    "payroll_drafts",
    "pending_transfers",
    "postings",
    "prices",
    "proposal_gaps",
    "proposal_parts",
    "proposal_states",
    "proposals",
    "quotas",
    "replays",
    "request_log",
    "seals",
    "secret_keys",
    "settling",
    "statement_progress",
    "statement_totals",
    "sub_companies",
    "trail_heads",
    "transfers",
    "webhooks",
    "withdrawals",
    "work",
  ],
  /** Rows of one person, by number. A set of transfers locks many people's wallets at once, so they are all on one node. */
  customer: [
    "code_recipients",
    "customer_trail",
    "known_browsers",
    "one_time_codes",
    "wallet_entries",
    "wallet_sessions",
    "wallets",
  ],
  /** Counts by subject, which nothing else is joined to. A message is counted under several at once. */
  subject: ["login_counts", "message_counts"],
  /** Small, changed seldom, and read or written together with rows of a company: every node has a copy. */
  reference: [
    "access_requests",
    "access_tokens",
    "banners",
    "customers",
    "installation_trail",
    "ledger_key_bindings",
    "ledger_keys",
    "memberships",
    "passkey_challenges",
    "passkeys",
    "people",
    "purpose_keys",
    "recovery_codes",
    "shared_trail_heads",
    "staff_devices",
    "staff_links",
    "staff_sessions",
    "staff_trail",
    "vault",
  ],
  /** What programs record about themselves, and nothing else writes together with it. */
  own: [
    "audit_checkpoints",
    "audits",
    "installation",
    "last_audit",
    "schema_functions",
    "schema_migrations",
    "turns",
  ],
} as const;

export type TableGroup = keyof typeof tableGroups;

const groupOfTable = new Map(
  Object.entries(tableGroups).flatMap(([group, tables]) =>
    tables.map((table): [string, TableGroup] => [table, group as TableGroup]),
  ),
);

/** Undefined: of none. */
export function groupOf(table: string): TableGroup | undefined {
  return groupOfTable.get(table);
}
