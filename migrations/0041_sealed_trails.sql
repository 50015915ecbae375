-- compatible-from: 10
-- A seal says how far the trails were when the day was sealed: the company's, and that of the installation. Releases before say nothing.

alter table seals
  add column trail_number bigint,
  add column trail_hash bytea,
  add column installation_number bigint,
  add column installation_hash bytea,
  add constraint seals_trails_all_or_none check (
    num_nonnulls(trail_number, trail_hash, installation_number, installation_hash) in (0, 4)) not valid;
