-- compatible-from: 10
-- Who changed what, and who may move no money. (Nodes of the release before keep no trail, and let a frozen wallet pay:
-- both hold from the moment the last of them has gone. A frozen company is refused by the functions they share.)

-- Everything that the operator or the holder of a key has changed, written in the transaction that changed it. There
-- are two tables because a company and a customer may live on different machines one day.
create table company_trail (
  company_id uuid not null references companies (company_id),
  id uuid not null,            -- its time is when it was written, by the database's clock
  operator text,               -- the account on the operator's machine, for what came by the command line
  key_id uuid,                 -- the key, for what came by a request; never its token
  address text,                -- where that request came from
  via text not null,           -- the command, or the route
  action text not null,        -- what happened, such as 'webhook.deleted'
  subject text not null,       -- to what, as the API and the command line name it
  changes text,                -- JSON: {"field": {"from": …, "to": …}}

  constraint company_trail_pk primary key (company_id, id),
  constraint company_trail_by_somebody check ((operator is null) <> (key_id is null)),
  constraint company_trail_short check (length(changes) <= 20000)
);
create index company_trail_by_time on company_trail (id);

create table customer_trail (
  msisdn text not null,
  id uuid not null,
  operator text not null,
  via text not null,
  action text not null,
  changes text,

  constraint customer_trail_pk primary key (msisdn, id),
  constraint customer_trail_short check (length(changes) <= 20000)
);
create index customer_trail_by_time on customer_trail (id);

create trigger company_trail_append_only before update or delete on company_trail
  for each row execute function refuse_change();
create trigger company_trail_not_truncated before truncate on company_trail
  for each statement execute function refuse_change();
revoke update, delete, truncate on company_trail from public;

create trigger customer_trail_append_only before update or delete on customer_trail
  for each row execute function refuse_change();
create trigger customer_trail_not_truncated before truncate on customer_trail
  for each statement execute function refuse_change();
revoke update, delete, truncate on customer_trail from public;

-- A freeze stands on the row that whoever moves the money has to lock. So it needs no look of its own, and the one that
-- committed first is always seen.
alter table books add column is_frozen boolean not null default false;
alter table wallets add column is_frozen boolean not null default false;
-- Frozen by the operator. A customer whose identification was rejected is frozen without it: wallets.is_frozen says both.
alter table customers add column is_frozen boolean not null default false;
update wallets set is_frozen = true
where msisdn in (select c.msisdn from customers c where c.kyc_status = 'rejected');

-- The operator's own name for a funding: it happens once, for ever.
alter table fundings add column reference text;
alter table fundings add constraint fundings_reference_given check (reference <> '');
create unique index fundings_reference_once on fundings (company_id, reference) where reference <> '';
