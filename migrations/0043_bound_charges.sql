-- compatible-from: 10
-- How far a company's charges are bound is answered by the newest of these entries.

create index company_trail_bound_charges on company_trail (company_id, id) where action = 'charges.bound';
