-- compatible-from: 10
-- The people who work with the console: who they are, for whom, and which browsers they are signed in with. They are
-- no company's rows, because one person may work for several, and none of them is a customer. Reference group: some
-- rows per business, whatever its traffic. What is counted against guessing stands by itself (subject group).
--
-- What must never happen: that a link, a code of the second factor or a recovery code is good twice, that somebody
-- signs in whose membership has ended, or that a secret can be read here.

create type staff_role as enum ('owner', 'preparer', 'approver', 'reader', 'developer');

create table people (
  person_id uuid not null,
  email text not null,           -- in lower case
  password text,                 -- scrypt and its parameters; null until one is chosen by a link
  totp_sealed bytea,             -- sealed with the master key and bound to the person; null: no second factor
  totp_step bigint not null default 0, -- of the newest code that was used: none is good twice
  is_operator boolean not null default false,
  language text,                 -- chosen by hand
  created_at timestamptz not null default now(),

  constraint people_pk primary key (person_id),
  constraint people_email_once unique (email),
  constraint people_email_in_lower_case check (email = lower(email) and length(email) between 3 and 254),
  constraint people_language_known check (language in ('fr', 'en'))
);

create table memberships (
  company_id uuid not null,
  person_id uuid not null references people (person_id),
  role staff_role not null,
  created_at timestamptz not null default now(),

  constraint memberships_pk primary key (company_id, person_id)
);
create index memberships_by_person on memberships (person_id);

-- A link that is good once. For an invitation: to join a company (or the operators, without one). For a person who has
-- lost the second factor: to choose a password and a second factor anew.
create table staff_links (
  token_hash bytea not null,
  link_id uuid not null,         -- by which people name it to withdraw it
  purpose text not null,
  email text not null,
  company_id uuid,               -- null: to join the operators, or a reset
  role staff_role,
  invited_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,

  constraint staff_links_pk primary key (token_hash),
  constraint staff_links_id_once unique (link_id),
  constraint staff_links_purpose_known check (purpose in ('join', 'operate', 'reset')),
  constraint staff_links_to_somewhere check (
    (purpose = 'join') = (company_id is not null) and (purpose = 'join') = (role is not null))
);
create index staff_links_by_company on staff_links (company_id, link_id) where company_id is not null;
create index staff_links_by_email on staff_links (email);
create index staff_links_by_age on staff_links (expires_at) where expires_at > '-infinity';

create table staff_sessions (
  token_hash bytea not null,
  session_id uuid not null,      -- by which it is listed and ended
  person_id uuid not null references people (person_id),
  company_id uuid,               -- for whom the person works in it just now; null: for the operator
  is_open boolean not null,      -- false while the second factor is missing
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  address text not null,
  device text not null,          -- what the browser says it is
  notice text,                   -- what the next page has to say, once

  constraint staff_sessions_pk primary key (token_hash),
  constraint staff_sessions_id_once unique (session_id),
  constraint staff_sessions_short check (
    length(address) <= 64 and length(device) <= 200 and length(notice) <= 2000)
);
create index staff_sessions_by_person on staff_sessions (person_id);
create index staff_sessions_by_age on staff_sessions (created_at) where created_at > '-infinity';

create table recovery_codes (
  person_id uuid not null references people (person_id),
  code_hash bytea not null,
  used_at timestamptz,

  constraint recovery_codes_pk primary key (person_id, code_hash)
);

-- Browsers in which a person has signed in, by a cookie that says nothing else.
create table staff_devices (
  person_id uuid not null references people (person_id),
  device_hash bytea not null,
  seen_at timestamptz not null default now(),

  constraint staff_devices_pk primary key (person_id, device_hash)
);
create index staff_devices_by_age on staff_devices (seen_at) where seen_at > '-infinity';

-- Tries to sign in, by whom they are counted against: a person, a browser, an address.
create table login_counts (
  subject text not null,
  since timestamptz not null,
  tries integer not null,

  constraint login_counts_pk primary key (subject),
  constraint login_counts_not_negative check (tries >= 0)
);
create index login_counts_by_age on login_counts (since) where since > '-infinity';

-- What happened to a person, whichever companies it works for.
create table staff_trail (
  person_id uuid not null,
  id uuid not null,
  operator text,
  by_person uuid,
  address text,
  via text not null,
  action text not null,
  changes text,

  constraint staff_trail_pk primary key (person_id, id),
  constraint staff_trail_by_somebody check ((operator is null) <> (by_person is null)),
  constraint staff_trail_short check (length(changes) <= 20000)
);
create index staff_trail_by_time on staff_trail (id);
create trigger staff_trail_append_only before update or delete on staff_trail
  for each row execute function refuse_change();
create trigger staff_trail_not_truncated before truncate on staff_trail
  for each statement execute function refuse_change();
revoke update, delete, truncate on staff_trail from public;

-- Conditional for the planner's sake, as are those of transfers: a company's own entries are read by the primary key.
drop index company_trail_by_time;
create index company_trail_by_time on company_trail (id) where action > '';

-- People change a company's things too. (Nodes of the release before never write the new column.)
alter table company_trail add column person_id uuid;
alter table company_trail drop constraint company_trail_by_somebody;
alter table company_trail add constraint company_trail_by_somebody check (
  num_nonnulls(operator, key_id, person_id) = 1) not valid;
