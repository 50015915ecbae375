-- compatible-from: 10
-- Passkeys of the people of the console, and what their authenticators are asked to sign. Reference group, like the people
-- themselves: some rows per person, whatever the traffic.
--
-- What must never happen: that an answer to a challenge is good twice, later than it may be, for another person, in another
-- browser or for something else than it was asked for; or that a copied authenticator goes unnoticed.

create table passkeys (
  credential_id bytea not null,  -- as the authenticator names it
  passkey_id uuid not null,      -- by which its person names it
  person_id uuid not null references people (person_id),
  name text not null,
  public_key bytea not null,     -- COSE
  counter bigint not null,       -- signatures as the authenticator counts them; 0: it does not
  created_at timestamptz not null default now(),
  used_at timestamptz,

  constraint passkeys_pk primary key (credential_id),
  constraint passkeys_id_once unique (passkey_id),
  constraint passkeys_short check (
    octet_length(credential_id) between 1 and 1023 and octet_length(public_key) between 1 and 2000
    and length(name) between 1 and 60),
  constraint passkeys_counter_not_negative check (counter >= 0)
);
create index passkeys_by_person on passkeys (person_id);

-- Deleted by the transaction that accepts the answer.
create table passkey_challenges (
  challenge_hash bytea not null,
  purpose text not null,
  person_id uuid references people (person_id), -- null: whoever signs in
  holder bytea not null,         -- hash of what the browser has that asked for it: its session, or its cookie
  subject text not null,         -- what exactly it is for: a proposal and its hash, a passkey, the name of a new one
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,

  constraint passkey_challenges_pk primary key (challenge_hash),
  constraint passkey_challenges_purpose_known check (
    purpose in ('sign_in', 'second_step', 'add', 'create', 'remove', 'approve', 'refuse')),
  constraint passkey_challenges_of_somebody check ((purpose = 'sign_in') = (person_id is null)),
  constraint passkey_challenges_short check (length(subject) <= 200)
);
create index passkey_challenges_by_person on passkey_challenges (person_id) where person_id is not null;
create index passkey_challenges_by_holder on passkey_challenges (holder);
create index passkey_challenges_by_age on passkey_challenges (expires_at) where expires_at > '-infinity';
