-- Credits wallets: the credits are sorted by wallet, and several to one wallet respect its ceiling one after the other.
-- Answers for each why it was refused, or null where the money is in the wallet. The ceilings and the numbers that
-- always succeed and always fail (in staging) are the caller's to say.
--
-- Wallets that somebody else holds are named in busy, and then nothing has been written: the caller decides whether to go
-- on without them, or to wait for them (p_wait), as long as lock_timeout allows.
create or replace function credit_wallets(
  p_event posting_event,
  p_company uuid,
  p_msisdns text[],
  p_subjects uuid[],
  p_amounts bigint[],
  p_sub_company_names text[],
  p_sub_company_logos text[],
  p_descriptions text[],
  p_wait boolean,
  p_ceiling_complete bigint,
  p_ceiling_other bigint,
  p_succeeding_test text,
  p_failing_test text,
  out refusals failure_reason[],
  out busy text[]
)
language plpgsql
as $$
declare
  v_wanted text[] := array(
    select distinct x.msisdn from unnest(p_msisdns) as x(msisdn) where x.msisdn is distinct from p_failing_test);
  v_company_name text;
  v_posted_at timestamptz;
  v_wallets text[];
  v_balances bigint[];
  v_ceilings bigint[];
  v_added bigint[];
  v_at integer := 1;
begin
  select c.name, b.posted_at into v_company_name, v_posted_at
  from companies c join books b on b.company_id = c.company_id where c.company_id = p_company;
  -- Test money comes from nowhere, so its wallet is made when it is first needed.
  if p_succeeding_test = any (v_wanted) then
    insert into wallets as w (msisdn, may_overdraw) values (p_succeeding_test, true) on conflict (msisdn) do nothing;
  end if;
  -- In the order of the numbers, so that two who share people wait for each other and never deadlock.
  if p_wait then
    perform 1 from wallets w where w.msisdn = any (v_wanted) order by w.msisdn for update;
  end if;
  select array_agg(l.msisdn), array_agg(l.balance), array_agg(l.ceiling)
  into v_wallets, v_balances, v_ceilings
  from (
    select w.msisdn, w.balance, case
      -- Read from the row that is locked, so that a freeze that committed before is seen: no amount fits any more.
      when w.is_frozen then -4000000000000000000
      when w.msisdn = p_succeeding_test then 4000000000000000000
      when c.kyc_status is not null then coalesce(c.balance_max,
        case when c.kyc_status = 'complete' then p_ceiling_complete else p_ceiling_other end)
      end as ceiling
    from wallets w
    left join lateral (
      select i.kyc_status, i.balance_max from customers i where i.msisdn = w.msisdn limit 1
    ) as c on true
    where w.msisdn = any (v_wanted)
    order by w.msisdn
    for update of w skip locked
  ) as l;
  if coalesce(cardinality(v_wallets), 0) < cardinality(v_wanted) then
    busy := array(
      select w.msisdn from wallets w
      where w.msisdn = any (v_wanted) and w.msisdn <> all (coalesce(v_wallets, '{}')));
    if cardinality(busy) > 0 then
      return;
    end if;
    busy := null;
  end if;

  refusals := array_fill(null::failure_reason, array[cardinality(p_msisdns)]);
  -- Usually nobody is credited twice and all of it fits: then wallets and credits are the same list, place by place.
  if cardinality(v_wallets) = cardinality(p_msisdns) and not exists (
    select 1 from unnest(v_wallets, p_msisdns, v_balances, p_amounts, v_ceilings)
      as x(wallet, msisdn, balance, amount, ceiling)
    where (x.wallet = x.msisdn and x.balance + x.amount <= x.ceiling) is not true)
  then
    v_added := p_amounts;
  else
    -- Both lists are in the order of the numbers, so one walk along them finds every credit its wallet.
    v_added := array_fill(0::bigint, array[coalesce(cardinality(v_wallets), 0)]);
    for i in 1 .. cardinality(p_msisdns) loop
      while v_wallets[v_at] < p_msisdns[i] loop
        v_at := v_at + 1;
      end loop;
      if v_wallets[v_at] is distinct from p_msisdns[i] or v_ceilings[v_at] is null then
        refusals[i] := 'SERVICE_ACCOUNT_NOT_FOUND';
      elsif v_balances[v_at] + v_added[v_at] + p_amounts[i] > v_ceilings[v_at] then
        refusals[i] := 'TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT';
      else
        v_added[v_at] := v_added[v_at] + p_amounts[i];
      end if;
    end loop;
  end if;

  insert into wallet_entries as e (
    msisdn, subject_id, event, amount, company_id, created_at, company_name, sub_company_name, sub_company_logo_url,
    description)
  select x.msisdn, x.subject_id, p_event, x.amount, p_company, greatest(now(), v_posted_at), v_company_name,
    x.sub_company_name, x.sub_company_logo, x.description
  from unnest(p_msisdns, p_subjects, p_amounts, p_sub_company_names, p_sub_company_logos, p_descriptions, refusals)
    as x(msisdn, subject_id, amount, sub_company_name, sub_company_logo, description, refusal)
  where x.refusal is null;
  update wallets as w set balance = w.balance + x.added
  from unnest(v_wallets, v_added) as x(msisdn, added)
  where w.msisdn = x.msisdn and x.added > 0;
end
$$;
