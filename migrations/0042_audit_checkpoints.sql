-- compatible-from: 10
-- How everything stood when an audit had found nothing wrong, signed with the operator's key: the next audit continues from there.
-- Nobody who lacks the key can move a checkpoint. One that is taken away makes the next audit look at more, never at less.

create table audit_checkpoints (
  audit_number bigint not null,       -- of audits
  full_audit bigint not null,         -- the last one that looked at everything, on which this one rests
  content text not null,              -- JSON, see src/audits/take-checkpoint.ts
  key_id text not null,               -- of ledger_keys
  signature bytea not null,           -- of the text in src/audits/checkpoint.ts

  constraint audit_checkpoints_pk primary key (audit_number),
  constraint audit_checkpoints_rest_on_a_full_one check (full_audit > 0 and full_audit <= audit_number)
);

create trigger audit_checkpoints_append_only before update or delete on audit_checkpoints
  for each row execute function refuse_change();
create trigger audit_checkpoints_not_truncated before truncate on audit_checkpoints
  for each statement execute function refuse_change();
revoke update, delete, truncate on audit_checkpoints from public;

-- An audit that continues finds entries that came since by their time, and by nothing else those that belong to nothing. Entries are
-- written in the order of time, so ranges of pages tell enough: 24 kB for a million, and writing costs nothing.
create index wallet_entries_by_time on wallet_entries using brin (created_at);
