-- compatible-from: 10
-- Charges are found by the number that paid them or tried to: along this index, newest first, however many the number has.
-- Its condition is true of every row, and only the statements that the index serves repeat it: see the indexes of transfers.

create index charge_transactions_by_payer on charge_transactions (company_id, msisdn, charge_id) where msisdn <> '';
