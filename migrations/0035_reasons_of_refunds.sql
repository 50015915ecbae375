-- compatible-from: 10
-- The reason of a refund, as its caller wrote it. The release before this one writes none.
--
-- What must never happen: that a payment has one, or that one is longer than what is shown.

alter table charge_transactions add column reason text;
alter table charge_transactions add constraint charge_transactions_reason_of_refund
  check (reason is null or (type = 'refund' and char_length(reason) between 1 and 255)) not valid;
