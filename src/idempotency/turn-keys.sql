-- Forgets the older generation of keys whole and begins a new one, if the older one's youngest key has reached p_age. Answers
-- whether it did; somebody else who is at it is not waited for.
--
-- No key can be in both, nor be missed: the exclusive locks wait for every transaction that has looked at a key or kept one,
-- and whoever looks afterwards sees what those have committed. They are not waited for longer than p_wait_ms (55P03), because
-- everybody else would queue up behind: the caller tries again.
create or replace function turn_idempotency_keys(p_age interval, p_wait_ms integer) returns boolean
language plpgsql
-- As the owner of the tables: the role of the service may neither make nor drop one.
security definer set search_path = public, pg_temp
as $$
declare
  v_turned_at timestamptz;
  v_now timestamptz;
begin
  insert into turns as t (subject, turned_at) values ('idempotency keys', now()) on conflict (subject) do nothing;
  select t.turned_at into v_turned_at from turns t where t.subject = 'idempotency keys' for update skip locked;
  if v_turned_at is null or v_turned_at > now() - p_age then
    return false;
  end if;
  perform set_config('lock_timeout', p_wait_ms::text, true);
  lock table idempotency_keys, former_idempotency_keys in access exclusive mode;
  truncate former_idempotency_keys;
  alter table idempotency_keys rename to turning_idempotency_keys;
  alter table former_idempotency_keys rename to idempotency_keys;
  alter table turning_idempotency_keys rename to former_idempotency_keys;
  v_now := clock_timestamp();
  update turns as t set turned_at = v_now where t.subject = 'idempotency keys';
  return true;
end
$$;
