-- compatible-from: 10
-- Who decides about money, people or keys becomes so by two powers: one owner asks, and a second owner or the operator confirms.
-- A membership exists only once it is confirmed; what waits stands in a table of its own.
-- (Nodes of the release before let in by one power alone: it holds from the moment the last of them has gone.)
--
-- What must never happen: that somebody confirms what they asked for, what concerns themselves, or what was asked for by a person
-- who let them in; that such a person's payment is approved by them; or that a request is decided twice.

create type access_request_kind as enum ('membership', 'role', 'alone_max', 'keys_alone_max');
create type access_request_state as enum (
  'open',
  'confirmed',    -- and in force since then
  'refused',      -- by somebody else
  'withdrawn',    -- by whoever asked, or because they or the person concerned have left
  'expired');

-- Reference group, like the people themselves: some rows per business, whatever its traffic.
create table access_requests (
  id uuid not null,              -- of a membership: the link's by which the person came
  company_id uuid not null,
  kind access_request_kind not null,
  person_id uuid references people (person_id), -- whom it concerns; null: a rule of the company
  from_role staff_role,
  to_role staff_role,
  from_amount bigint,            -- of a rule, in francs; null: no limit
  to_amount bigint,
  requested_by uuid not null references people (person_id),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  state access_request_state not null default 'open',
  decided_by uuid references people (person_id),
  decided_operator text,         -- the account on the operator's machine
  introducers uuid[] not null default '{}', -- those who let in whoever confirmed
  decided_at timestamptz,
  reason text,

  constraint access_requests_pk primary key (id),
  constraint access_requests_of_a_person_or_a_rule check (
    (kind in ('membership', 'role')) = (person_id is not null)
    and (person_id is not null) = (to_role is not null)
    and (kind = 'role') = (from_role is not null)
    and (person_id is null or (from_amount is null and to_amount is null))),
  constraint access_requests_amounts check (
    from_amount >= 0 and to_amount >= 0 and (kind <> 'alone_max' or (from_amount is not null and to_amount is not null))),
  constraint access_requests_for_another check (person_id is distinct from requested_by),
  constraint access_requests_confirmed_by_another check (
    state <> 'confirmed' or decided_by is null
    or (decided_by <> requested_by and decided_by is distinct from person_id
      and not introducers && array[requested_by] and not introducers && array_remove(array[person_id], null))),
  constraint access_requests_decided_by_somebody check (
    state not in ('confirmed', 'refused') or num_nonnulls(decided_by, decided_operator) = 1),
  constraint access_requests_decided_at check ((state = 'open') = (decided_at is null)),
  constraint access_requests_short check (length(reason) <= 1000 and cardinality(introducers) <= 10000)
);
create unique index access_requests_one_for_a_person on access_requests (company_id, person_id, kind)
  where state = 'open' and person_id is not null;
create unique index access_requests_one_for_a_rule on access_requests (company_id, kind)
  where state = 'open' and person_id is null;
create index access_requests_by_person on access_requests (person_id, id) where person_id is not null;
create index access_requests_by_requester on access_requests (requested_by, id) where state = 'open';
create index access_requests_open on access_requests (id) where state = 'open';

create trigger access_requests_decided_once before update on access_requests
  for each row
  when (old.state <> 'open' or old.id <> new.id or old.company_id <> new.company_id or old.kind <> new.kind
    or old.person_id is distinct from new.person_id or old.requested_by <> new.requested_by
    or old.to_role is distinct from new.to_role or old.to_amount is distinct from new.to_amount
    or old.expires_at <> new.expires_at)
  execute function refuse_change();
create trigger access_requests_kept before delete on access_requests
  for each row execute function refuse_change();
create trigger access_requests_not_truncated before truncate on access_requests
  for each statement execute function refuse_change();
revoke delete, truncate on access_requests from public;

-- Who let this member in, or raised the role, and who had let those in; nobody for a member that the operator let in.
alter table memberships add column introduced_by uuid[] not null default '{}';
-- Changes of people, roles, keys and rules that an owner has not acknowledged.
alter table memberships add column unseen_changes integer not null default 0;
alter table memberships add constraint memberships_counts check (unseen_changes >= 0) not valid;

-- As far as it is known, for those who are there already.
do $$
declare
  entry record;
begin
  for entry in
    select t.company_id, t.subject, t.person_id from company_trail t
    where t.action in ('member.invited', 'member.role_changed') and t.person_id is not null
  loop
    update memberships as m set introduced_by = array_append(array_remove(m.introduced_by, entry.person_id), entry.person_id)
    where m.company_id = entry.company_id and m.person_id <> entry.person_id
      and m.person_id = (select p.person_id from people p where p.email = entry.subject);
  end loop;
end;
$$;

-- Whoever decides names those who let them in: none of them had a hand in it.
alter table approvals add column introducers uuid[] not null default '{}';
alter table approvals add constraint approvals_not_of_introducers check (not introducers && hands) not valid;
alter table held_decisions add column introducers uuid[] not null default '{}';
alter table held_decisions add constraint held_decisions_not_of_introducers check (not introducers && hands) not valid;

-- What was withdrawn because its maker has left says so.
alter table proposal_states drop constraint proposal_states_problems;
alter table proposal_states add constraint proposal_states_problems check (
  state = 'withdrawn' or (state in ('stopped', 'lapsed')) = (problem is not null)) not valid;

create index staff_links_by_inviter on staff_links (invited_by);

-- What owners are told.
create index company_trail_changes on company_trail (company_id, id) where action in (
  'member.invited', 'member.invitation_withdrawn', 'member.joined', 'member.role_changed', 'member.removed',
  'access.requested', 'access.confirmed', 'access.refused', 'access.withdrawn',
  'key.issued', 'key.replaced', 'key.revoked', 'company.changed', 'person.reset');
