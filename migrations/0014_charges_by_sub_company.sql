-- compatible-from: 10
-- Charges of one sub-company are found along an index of their own, whatever else they are looked for by. Charges
-- without a sub-company are in neither. Each condition is true of every such charge, and only the statements that
-- the index serves repeat it: see the indexes of transfers.

create index charges_by_sub_company on charges (company_id, sub_company_id, id)
  where sub_company_id is not null and expires_at > '-infinity';
create index charges_by_sub_company_and_status on charges (company_id, sub_company_id, status, id)
  where sub_company_id is not null and updated_at > '-infinity';
