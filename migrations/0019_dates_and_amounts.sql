-- compatible-from: 10
-- How much of a batch was paid out and how much failed, beside how many. Fees are not part of either.

alter table batches
  add column completed_amount bigint not null default 0,
  add column failed_amount bigint not null default 0;

update batches b set completed_amount = t.completed, failed_amount = t.failed
from (
  select t.company_id, t.batch_id, coalesce(sum(t.amount) filter (where o.status = 'completed'), 0) as completed,
    coalesce(sum(t.amount) filter (where o.status = 'failed'), 0) as failed
  from transfers t
  join outcomes o on o.company_id = t.company_id and o.id = t.id
  where t.batch_id is not null
  group by t.company_id, t.batch_id
) as t
where b.company_id = t.company_id and b.id = t.batch_id;

alter table batches add constraint batches_amounts_fit check (
  completed_amount >= 0 and failed_amount >= 0 and completed_amount + failed_amount <= total_amount);
