-- compatible-from: 10
-- A company may want a person to see what its keys pay out. Such a transfer is accepted as ever, its money is reserved, and it is
-- held: it does not come into the queue before another person has let it go. (Nodes of the release before accept through the same
-- function, so they hold too; what is held they neither list as pending nor show to anybody.)

-- What keys may pay out within a day without a person, fees included; null: as much as there is. Here, because whoever accepts
-- has to lock this row anyway.
alter table books add column keys_alone_max bigint;
alter table books add constraint books_keys_alone_max check (keys_alone_max between 0 and 9007199254740991);

-- What keys have paid out so, by the hour in which it was accepted.
create table keys_alone_hours (
  company_id uuid not null references companies (company_id),
  hour timestamptz not null,
  francs bigint not null,

  constraint keys_alone_hours_pk primary key (company_id, hour),
  constraint keys_alone_hours_positive check (francs > 0)
) with (fillfactor = 50);

-- What people have decided, about exactly what is named by its hash. Nobody decides who has made a key by which it could have come.
create table held_decisions (
  company_id uuid not null references companies (company_id),
  id uuid not null,             -- its time is when it was decided
  verdict approval_verdict not null,
  content_hash bytea not null,  -- of the transfers, in their order: id, number, amount, fee
  row_count integer not null,
  total_amount bigint not null,
  total_fee bigint not null,
  hands uuid[] not null,        -- who has made the keys
  decided_by uuid not null,
  comment text,

  constraint held_decisions_pk primary key (company_id, id),
  constraint held_decisions_by_another check (not decided_by = any (hands)),
  constraint held_decisions_refused_with_words check (verdict = 'approved' or length(comment) > 0),
  constraint held_decisions_comment_short check (length(comment) <= 1000),
  constraint held_decisions_bounded check (row_count between 1 and 10000 and octet_length(content_hash) = 32),
  constraint held_decisions_amounts check (total_amount > 0 and total_fee >= 0)
);

-- What was held, and who decided about it. A row waits as long as it has no decision; it gets one, once, and stays.
create table held_transfers (
  company_id uuid not null,
  id uuid not null,             -- the transfer's
  decision_id uuid,

  constraint held_transfers_pk primary key (company_id, id),
  constraint held_transfers_decision foreign key (company_id, decision_id) references held_decisions (company_id, id)
);
create index held_transfers_waiting on held_transfers (company_id, id) where decision_id is null;
create index held_transfers_by_decision on held_transfers (company_id, decision_id, id) where decision_id is not null;

-- Who has made a key is in the trail.
create index company_trail_keys on company_trail (company_id, subject) where action = 'key.issued';

create trigger held_decisions_append_only before update or delete on held_decisions
  for each row execute function refuse_change();
create trigger held_decisions_not_truncated before truncate on held_decisions
  for each statement execute function refuse_change();
revoke update, delete, truncate on held_decisions from public;

create trigger held_transfers_kept before delete on held_transfers
  for each row execute function refuse_change();
create trigger held_transfers_decided_once before update on held_transfers
  for each row
  when (old.decision_id is not null or new.decision_id is null or old.company_id <> new.company_id or old.id <> new.id)
  execute function refuse_change();
create trigger held_transfers_not_truncated before truncate on held_transfers
  for each statement execute function refuse_change();
revoke delete, truncate on held_transfers from public;
