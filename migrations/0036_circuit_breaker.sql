-- One outage of a receiver opens its circuit breaker once. What must never happen: that requests which were under way
-- together count as an outage each, so that a receiver which was away for seconds hears nothing for minutes.
-- Nodes of the release before call functions that have other parameters now: they stop serving.

alter table endpoints
  add column opened_at timestamptz,    -- since when the circuit breaker is open; null: closed
  add column probe_claim uuid,         -- the claim of the single request that tries the endpoint; only its outcome counts
  add column probe_at timestamptz,     -- when an endpoint that fails is tried before anything is due; null: it does not fail
  add column recovered_at timestamptz, -- when the last outage ended: what failed before may be tried at once
  add column tries_until timestamptz,  -- until when the bucket of requests to an unproved address is paid for
  add column test_status_code integer, -- what the test event was answered; null: no answer, or no test yet
  add column test_error text;          -- why no answer came

update endpoints set opened_at = now() where failures >= 10;

alter table endpoints
  add constraint endpoints_test_error_short check (length(test_error) <= 500);
