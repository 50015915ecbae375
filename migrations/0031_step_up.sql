-- compatible-from: 10
-- When the person of a session last proved to be there with all that person has: the second factor, or, without one, the
-- password. Null in sessions that older nodes opened: these are asked again.
--
-- What must never happen: that a session which somebody finds open, or steals, is enough to make keys, let people in or freeze
-- a company.

alter table staff_sessions add column proved_at timestamptz;

alter table passkey_challenges drop constraint passkey_challenges_purpose_known;
alter table passkey_challenges add constraint passkey_challenges_purpose_known check (
  purpose in ('sign_in', 'second_step', 'add', 'create', 'remove', 'approve', 'refuse', 'step_up'));
