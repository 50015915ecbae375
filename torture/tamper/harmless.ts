/**
 * What nothing notices, by the reason why nothing has to. `*` is a whole table; a name in brackets is what was done to a row. It has to
 * fit on a page.
 */
export const harmless: readonly {
  readonly why: string;
  readonly places: Readonly<Record<string, readonly string[]>>;
}[] = [
  {
    why: "When work is done. A wrong value delays it or has it tried or told again, and never pays: what is done is decided by the rows that the work is about.",
    places: {
      books: ["last_ms", "last_count"],
      claims: ["*"],
      deliveries: ["*"],
      endpoints: ["*"],
      event_cursors: ["*"],
      list_ends: ["*"],
      replays: ["*"],
      settling: ["*"],
      statement_progress: ["seal_after", "totalled_to"],
      turns: ["*"],
      webhooks: ["endpoint_id", "from_event"],
      work: ["*"],
    },
  },
  {
    why: "Limits against too many requests, codes and messages. A wrong count lets more or fewer through.",
    places: { code_recipients: ["*"], login_counts: ["*"], message_counts: ["*"], quotas: ["*"] },
  },
  {
    why: "Good only with a key that the database has not: what is changed opens and proves nothing, or is made again by whoever opens the key.",
    places: {
      audit_checkpoints: ["*"],
      ledger_key_bindings: ["*"],
      one_time_codes: ["*"],
      purpose_keys: ["*"],
      secret_keys: ["sealed"],
      vault: ["*"],
    },
  },
  {
    why: "What pages show and remember, and how a draft is filled in before somebody hands it in. No payment is decided by it: what is paid is what a person has seen.",
    places: {
      banners: ["*"],
      checkout_browsers: ["*"],
      checkouts: ["*"],
      key_details: ["*"],
      known_browsers: ["*"],
      logos: ["*"],
      memberships: ["unseen_changes"],
      passkey_challenges: ["*"],
      passkeys: ["passkey_id", "name", "counter", "used_at"],
      payroll_drafts: [
        "name",
        "cells",
        "version",
        "sub_company_id",
        "leaves_out",
        "allows_repeats",
        "retry_of",
        "proposal_id",
        "(delete)",
        "(swap)",
      ],
      people: ["totp_step"],
      staff_devices: ["*"],
      wallet_sessions: ["*"],
    },
  },
  {
    why: "Records of what happened, which nothing else follows from: requests, attempts, audits that were run, what was left out, migrations and the environment (which the program compares at each start).",
    places: {
      attempts: ["*"],
      audits: ["*"],
      installation: ["*"],
      last_audit: ["*"],
      proposal_gaps: ["*"],
      proposals: ["price", "file_hash", "form_id"],
      request_log: ["*"],
      schema_functions: ["*"],
      schema_migrations: ["*"],
    },
  },
  {
    why: "Under which key a request is answered again. Another one is refused, or done as a new request, which its own reference still admits once.",
    places: {
      former_idempotency_keys: ["*"],
      idempotency_keys: ["key", "request_hash", "response", "(delete)"],
    },
  },
  {
    why: "Of links that are used up, sessions that are over and requests that were taken back: they open nothing. (A link that is good, an open session that nobody began and a request that was decided are noticed. Whoever takes over an open session reads under its person's name until it ends, and pays nothing without a code.)",
    places: {
      access_requests: ["from_amount", "expires_at"],
      staff_links: ["*"],
      staff_sessions: ["*"],
    },
  },
  {
    why: "Times that are shown. Those by which something is decided are noticed; others may be some moments off, as two clocks are.",
    places: {
      access_requests: ["created_at", "decided_at"],
      companies: ["created_at"],
      customers: ["created_at", "updated_at"],
      idempotency_keys: ["created_at"],
      memberships: ["created_at"],
      passkeys: ["created_at"],
      payroll_drafts: ["changed_at"],
      people: ["created_at"],
      prices: ["after_posting"],
      proposal_parts: ["made_at"],
      proposal_states: ["changed_at"],
      seals: ["sealed_at"],
      sub_companies: ["created_at", "updated_at"],
      webhooks: ["created_at", "updated_at"],
    },
  },
  {
    why: "Texts that a company or the operator has written, given back as they are; and why something that moved no money failed.",
    places: {
      outcomes: ["failed_sub_company_id"],
      wallet_entries: ["company_name", "sub_company_name", "sub_company_logo_url", "description"],
    },
  },
  {
    why: "Of a company, person, transfer or batch that there is not, a name without a sum, an empty wallet, or a wallet of staging with its test money (in production none may be overdrawn, which is noticed): no money is in it.",
    places: {
      approval_rules: ["(insert)"],
      day_totals: ["events"],
      held_transfers: ["(insert)"],
      memberships: ["(insert)"],
      statement_progress: ["(insert)"],
      statement_totals: ["events", "(insert)"],
      trail_heads: ["(insert)"],
      wallets: ["may_overdraw", "(delete)"],
    },
  },
];
