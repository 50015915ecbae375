-- compatible-from: 10
-- What this database is, and what opens its secrets. Reference group: one row, or one for each purpose.
--
-- What must never happen: that test money passes for real, and that secrets are sealed with a master key that the
-- other nodes do not have.

-- Staging or production. Once a service has started on it, or it has a company or a customer, for ever.
create table installation (
  is_only boolean not null default true,
  environment text not null,
  is_settled boolean not null default false,  -- a service has started on it
  recorded_at timestamptz not null default now(),

  constraint installation_pk primary key (is_only),
  constraint installation_is_only_one check (is_only),
  constraint installation_environment_known check (environment in ('staging', 'production'))
);

-- Which master key seals, by its fingerprint. Whoever seals something holds this row until the commit, so that
-- nothing is sealed with a key that is just being replaced.
create table vault (
  is_only boolean not null default true,
  master_key text not null,
  retiring_key text,           -- the key before it, while secrets may still be sealed with that one
  changed_at timestamptz not null default now(),

  constraint vault_pk primary key (is_only),
  constraint vault_is_only_one check (is_only),
  constraint vault_keys_are_fingerprints check (master_key ~ '^[0-9a-f]{16}$' and retiring_key ~ '^[0-9a-f]{16}$'),
  constraint vault_key_retires_for_another check (retiring_key <> master_key)
);

-- Keys for one purpose each, such as marking payment links, sealed with the master key: they stay the same when the
-- master key is another.
create table purpose_keys (
  purpose text not null,
  sealed bytea not null,

  constraint purpose_keys_pk primary key (purpose)
);
