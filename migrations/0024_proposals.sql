-- compatible-from: 10
-- Payments that people make. What must never happen: that somebody pays out alone what needs two, that something else is paid
-- than what was approved, or that it is paid twice. So what is asked for stands here word for word, with its hash, and never
-- changes; an approval names that hash and nobody who had a hand in it; and how far it was carried out is written in the
-- transaction that moves the money.

create type proposal_kind as enum ('transfer', 'refund', 'payroll');
create type proposal_state as enum (
  'waiting',      -- for another person
  'refused',      -- by that person
  'withdrawn',    -- by whoever asked
  'approved',     -- or small enough for one person: it is being carried out
  'stopped',      -- approved, and something stands in the way: it goes on when somebody says so
  'lapsed',       -- what it was judged by has changed: the rest has to be asked for again
  'carried_out');
create type approval_verdict as enum ('approved', 'refused');

-- What one person may pay out alone within a day. Without a row: nothing. Only the operator changes it.
create table approval_rules (
  company_id uuid not null references companies (company_id),
  alone_max bigint not null,

  constraint approval_rules_pk primary key (company_id),
  constraint approval_rules_amount check (alone_max >= 0)
);

-- What was asked for: none of it ever changes.
create table proposals (
  company_id uuid not null references companies (company_id),
  id uuid not null,              -- its time is when it was asked for
  kind proposal_kind not null,
  title text not null,
  content bytea not null,        -- what is to be done, as text: a line of what it comes to, then a line for each row
  content_hash bytea not null,
  made_by uuid not null,         -- who asked for it
  hands uuid[] not null,         -- everybody who had a part in it, that person among them
  row_count integer not null,
  total_amount bigint not null,
  total_fee bigint not null,
  price integer,                 -- the number of the price it was judged by; a refund has none
  alone_left bigint not null,    -- what that person could still pay out alone
  needs_approval boolean not null,
  file_hash bytea,               -- of the spreadsheet it was made from
  form_id uuid not null,         -- of the form that asked: sent twice, it asks once

  constraint proposals_pk primary key (company_id, id),
  constraint proposals_asked_once unique (company_id, form_id),
  constraint proposals_as_reviewed unique (company_id, id, content_hash, hands),
  constraint proposals_as_carried_out unique (company_id, id, needs_approval, row_count),
  constraint proposals_hash_of_content check (content_hash = sha256(content)),
  constraint proposals_maker_had_a_hand check (made_by = any (hands) and cardinality(hands) <= 1000),
  constraint proposals_bounded check (
    octet_length(content) <= 33554432 and length(title) between 1 and 200 and row_count between 1 and 100000),
  constraint proposals_amounts check (total_amount > 0 and total_fee >= 0 and alone_left >= 0),
  constraint proposals_judged_by_a_price check ((price is null) = (kind = 'refund')),
  constraint proposals_alone_only_below_the_limit check (needs_approval or total_amount <= alone_left)
);
-- Conditional for the planner's sake, as are those of transfers.
create index proposals_made_alone on proposals (company_id, made_by, id) where not needs_approval;
create index proposals_by_file on proposals (company_id, file_hash, id) where file_hash is not null;
create index proposals_by_kind on proposals (company_id, kind, id);

-- One decision for each, of exactly what is named by its hash, by somebody who had no hand in it.
create table approvals (
  company_id uuid not null,
  proposal_id uuid not null,
  verdict approval_verdict not null,
  content_hash bytea not null,
  hands uuid[] not null,
  decided_by uuid not null,
  comment text,
  decided_at timestamptz not null default now(),

  constraint approvals_pk primary key (company_id, proposal_id),
  constraint approvals_verdict unique (company_id, proposal_id, verdict),
  constraint approvals_of_what_was_reviewed foreign key (company_id, proposal_id, content_hash, hands)
    references proposals (company_id, id, content_hash, hands),
  constraint approvals_by_another check (not decided_by = any (hands)),
  constraint approvals_refused_with_words check (verdict = 'approved' or length(comment) > 0),
  constraint approvals_comment_short check (length(comment) <= 1000)
);

-- Where each of them stands. Nothing is carried out that needs an approval and has none.
create table proposal_states (
  company_id uuid not null,
  proposal_id uuid not null,
  needs_approval boolean not null,
  row_count integer not null,
  state proposal_state not null,
  verdict approval_verdict,
  done_rows integer not null default 0,  -- from the first on: made, or passed over
  problem text,                  -- what stands in the way, or what has changed
  changed_at timestamptz not null default now(),

  constraint proposal_states_pk primary key (company_id, proposal_id),
  constraint proposal_states_of_a_proposal foreign key (company_id, proposal_id, needs_approval, row_count)
    references proposals (company_id, id, needs_approval, row_count),
  constraint proposal_states_decided foreign key (company_id, proposal_id, verdict)
    references approvals (company_id, proposal_id, verdict),
  constraint proposal_states_decided_only_when_needed check (verdict is null or needs_approval),
  constraint proposal_states_refused_by_somebody check ((state = 'refused') = (verdict is not distinct from 'refused')),
  constraint proposal_states_paid_only_when_approved check (
    not needs_approval or verdict is not distinct from 'approved'
    or (state in ('waiting', 'refused', 'withdrawn', 'lapsed') and done_rows = 0)),
  constraint proposal_states_done check (
    done_rows between 0 and row_count and (state = 'carried_out') = (done_rows = row_count)),
  constraint proposal_states_problems check ((state in ('stopped', 'lapsed')) = (problem is not null))
) with (fillfactor = 50);
create index proposal_states_waiting on proposal_states (company_id, proposal_id) where state = 'waiting';
create index proposal_states_to_carry_out on proposal_states (company_id, proposal_id) where state = 'approved';

-- What was made of a proposal, written in the transaction that made it.
create table proposal_parts (
  company_id uuid not null,
  proposal_id uuid not null,
  first_row integer not null,    -- counted from 0
  row_count integer not null,    -- of the proposal's rows, those that were passed over among them
  made_id uuid not null,         -- a batch, a transfer or a refund
  made_at timestamptz not null default now(),

  constraint proposal_parts_pk primary key (company_id, proposal_id, first_row),
  constraint proposal_parts_made_once unique (company_id, made_id),
  constraint proposal_parts_of_a_proposal foreign key (company_id, proposal_id) references proposals (company_id, id),
  constraint proposal_parts_rows check (first_row >= 0 and row_count > 0)
);

-- Rows that were passed over, and why: somebody has used their reference meanwhile.
create table proposal_gaps (
  company_id uuid not null,
  proposal_id uuid not null,
  row integer not null,
  reason text not null,

  constraint proposal_gaps_pk primary key (company_id, proposal_id, row),
  constraint proposal_gaps_of_a_proposal foreign key (company_id, proposal_id) references proposals (company_id, id)
);

-- Spreadsheets that somebody is working on. What they ask for is read from the cells each time; nothing here pays.
create table payroll_drafts (
  company_id uuid not null references companies (company_id),
  id uuid not null,
  name text not null,
  file_hash bytea not null,      -- of the file as it was sent: rows without a reference get theirs from it
  cells bytea not null,          -- packed with gzip: a line of JSON for each row, with where it stands in the file
  version integer not null default 1,  -- counted up with every change of what it asks for
  made_by uuid not null,
  hands uuid[] not null,
  sub_company_id uuid,
  leaves_out boolean not null default false,    -- rows with something wrong, instead of waiting until they are mended
  allows_repeats boolean not null default false,
  retry_of uuid,                 -- the payroll whose failures it makes good
  proposal_id uuid,              -- what was made of it last
  changed_at timestamptz not null default now(),

  constraint payroll_drafts_pk primary key (company_id, id),
  constraint payroll_drafts_proposal foreign key (company_id, proposal_id) references proposals (company_id, id),
  constraint payroll_drafts_bounded check (octet_length(cells) <= 16777216 and length(name) between 1 and 200),
  constraint payroll_drafts_hands check (made_by = any (hands) and cardinality(hands) <= 1000)
);
create index payroll_drafts_by_age on payroll_drafts (company_id, changed_at) where changed_at > '-infinity';
create index payroll_drafts_open on payroll_drafts (company_id, id) where proposal_id is null;
create index payroll_drafts_by_proposal on payroll_drafts (company_id, proposal_id) where proposal_id is not null;

create trigger proposals_append_only before update or delete on proposals
  for each row execute function refuse_change();
create trigger proposals_not_truncated before truncate on proposals
  for each statement execute function refuse_change();
create trigger approvals_append_only before update or delete on approvals
  for each row execute function refuse_change();
create trigger approvals_not_truncated before truncate on approvals
  for each statement execute function refuse_change();
create trigger proposal_parts_append_only before update or delete on proposal_parts
  for each row execute function refuse_change();
create trigger proposal_parts_not_truncated before truncate on proposal_parts
  for each statement execute function refuse_change();
