-- compatible-from: 10
-- How each audit ended. One that found differences must be told until a later one is clean, whatever is restarted meanwhile, so nobody
-- can take its row back. last_audit is what the release before writes and reads.

create table audits (
  number bigint not null,
  begun_at timestamptz not null,
  ended_at timestamptz not null,
  is_full boolean not null,      -- everything was looked at, and not only what came since an earlier one
  differences integer not null,
  checks jsonb not null,         -- by name of the check: how many differences it found
  operator text not null,        -- the account that ran it

  constraint audits_pk primary key (number),
  constraint audits_of_something check (number > 0 and differences >= 0 and ended_at >= begun_at)
);

create trigger audits_append_only before update or delete on audits
  for each row execute function refuse_change();
create trigger audits_not_truncated before truncate on audits
  for each statement execute function refuse_change();
revoke update, delete, truncate on audits from public;

insert into audits (number, begun_at, ended_at, is_full, differences, checks, operator)
select 1, ended_at - make_interval(secs => seconds), ended_at, true, differences, '{}', 'an earlier release' from last_audit;
