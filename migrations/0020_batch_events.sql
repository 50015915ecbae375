-- compatible-from: 10
-- Companies are told when a batch has ended, and a batch knows what its completed transfers cost beside their amounts.

alter type topic add value 'batches/completed';

alter table batches add column completed_fee bigint not null default 0;

update batches b set completed_fee = t.fee
from (
  select t.company_id, t.batch_id, sum(t.fee) as fee
  from transfers t
  join outcomes o on o.company_id = t.company_id and o.id = t.id
  where t.batch_id is not null and o.status = 'completed'
  group by t.company_id, t.batch_id
) as t
where b.company_id = t.company_id and b.id = t.batch_id;

alter table batches add constraint batches_fee_fits check (completed_fee between 0 and total_fee);
