-- compatible-from: 10
-- no-transaction
-- How far a company's charges are bound is asked for each company once a minute, and answered by the newest of these entries.

create index concurrently company_trail_bound_charges on company_trail (company_id, id) where action = 'charges.bound';
