-- compatible-from: 10
-- Which keys are the operator's, and what was done to the installation as a whole. Both are in the reference group: a few rows in years.
--
-- What must never happen: that a key which somebody has put into ledger_keys counts as the operator's. So each key that does has a
-- code here that only the holder of the sealed private key can make. Releases before make none; the key that signs is bound when it is
-- opened, any older one by `cauri ledger-key bind`.

create table ledger_key_bindings (
  key_id text not null,        -- of ledger_keys
  predecessor text,            -- the key before; null: it is the first
  mac bytea not null,          -- HMAC-SHA-256 of the key and its predecessor, see src/statements/key-bindings.ts

  constraint ledger_key_bindings_pk primary key (key_id)
);

create table installation_trail (
  id uuid not null,
  operator text not null,
  via text not null,
  action text not null,
  subject text not null,
  changes text,

  constraint installation_trail_pk primary key (id),
  constraint installation_trail_short check (length(changes) <= 20000)
);
create trigger installation_trail_append_only before update or delete on installation_trail
  for each row execute function refuse_change();
create trigger installation_trail_not_truncated before truncate on installation_trail
  for each statement execute function refuse_change();
revoke update, delete, truncate on installation_trail from public;

-- Keys from before have their entries as of then. That says when a key came, and not whose it is. Ids are in the order of time: version 7.
insert into installation_trail (id, operator, via, action, subject)
select (lpad(to_hex((extract(epoch from created_at) * 1000)::bigint), 12, '0') || '70008000' || left(md5(id), 12))::uuid,
  'an earlier release', 'migrate', 'ledger_key.created', id
from ledger_keys;
