-- compatible-from: 10
-- The trail is chained, as postings are. A worker gives each entry its number and its hash soon after the commit, and signs the last one
-- with the operator's key. Entries of releases before get theirs like all others. They are given once, and change nothing else.

alter table company_trail add column number bigint, add column hash bytea;
alter table staff_trail add column number bigint, add column hash bytea;
alter table customer_trail add column number bigint, add column hash bytea;
alter table installation_trail add column number bigint, add column hash bytea;

create index company_trail_by_number on company_trail (company_id, number) where number is not null;
create index company_trail_unchained on company_trail (company_id, id) where number is null;
create index staff_trail_by_number on staff_trail (number) where number is not null;
create index staff_trail_unchained on staff_trail (id) where number is null;
create index customer_trail_by_number on customer_trail (number) where number is not null;
create index customer_trail_unchained on customer_trail (id) where number is null;
create index installation_trail_by_number on installation_trail (number) where number is not null;
create index installation_trail_unchained on installation_trail (id) where number is null;

create function refuse_change_but_chaining() returns trigger
language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.number is null and old.hash is null and new.number is not null and new.hash is not null
    and to_jsonb(new) - 'number' - 'hash' = to_jsonb(old) - 'number' - 'hash' then
    return new;
  end if;
  raise exception '% is append-only: % is refused', tg_table_name, lower(tg_op) using errcode = 'CA001';
end
$$;

drop trigger company_trail_append_only on company_trail;
create trigger company_trail_append_only before update or delete on company_trail
  for each row execute function refuse_change_but_chaining();
drop trigger staff_trail_append_only on staff_trail;
create trigger staff_trail_append_only before update or delete on staff_trail
  for each row execute function refuse_change_but_chaining();
drop trigger customer_trail_append_only on customer_trail;
create trigger customer_trail_append_only before update or delete on customer_trail
  for each row execute function refuse_change_but_chaining();
drop trigger installation_trail_append_only on installation_trail;
create trigger installation_trail_append_only before update or delete on installation_trail
  for each row execute function refuse_change_but_chaining();

-- The last entry of each company's trail that is chained, signed by the operator.
create table trail_heads (
  company_id uuid not null,
  number bigint not null,
  hash bytea not null,
  key_id text not null,
  signature bytea not null,

  constraint trail_heads_pk primary key (company_id),
  constraint trail_heads_company_id_fkey foreign key (company_id) references companies (company_id)
);

-- The same for what is no company's: the people of the console, the customer book and the installation as a whole. Reference group.
create table shared_trail_heads (
  trail text not null,
  number bigint not null,
  hash bytea not null,
  key_id text not null,
  signature bytea not null,

  constraint shared_trail_heads_pk primary key (trail),
  constraint shared_trail_heads_known check (trail in ('staff', 'customers', 'installation'))
);
