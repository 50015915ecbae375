const idleInTransactionMaxMs = 5_000;
/** The server's own verdict on a late statement comes first; only a silent server is given up from here. */
const silenceMarginMs = 3_000;

/** What a connection may take for one statement, by the server's clock and by ours. Undefined: as long as it takes. */
export function timeLimits(statementTimeoutMs: number | undefined) {
  if (statementTimeoutMs === undefined) return {};
  return {
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + Math.min(statementTimeoutMs, silenceMarginMs),
    // A transaction whose client fell silent holds the company's money: for a moment, not for hours.
    idle_in_transaction_session_timeout: Math.min(statementTimeoutMs, idleInTransactionMaxMs),
  };
}
