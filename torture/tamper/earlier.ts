/** Somebody whom the database has never seen. */
const stranger = "'01a1e9c7-0000-7000-8000-000000000001'::uuid";
const reader = "(select person_id from people where email = 'developer@alpha.example')";

/**
 * What an owner of the database did to the release 196ecda, several tables at once where it takes several, and what neither its audit
 * nor its `verify` saw. Each of these has to be noticed.
 */
export const earlier: Readonly<Record<string, readonly string[]>> = {
  "the decider of a payment is somebody else": [`update approvals set decided_by = ${stranger}`],
  "the decider of a payment is one who may not": [`update approvals set decided_by = ${reader}`],
  "a payment was decided at another time": [
    "update approvals set decided_at = decided_at - interval '1 hour'",
  ],
  "a decision has another comment": [
    "update approvals set comment = 'agreed' where comment is not null",
  ],
  "the maker approved, by another maker": [
    `update proposals p set made_by = ${stranger}, hands = array[${stranger}] where exists (
      select 1 from approvals a where a.proposal_id = p.id)`,
    `update approvals set hands = array[${stranger}]`,
  ],
  "a refused payment is approved": [
    "update approvals set verdict = 'approved' where verdict = 'refused'",
    "update proposal_states set state = 'approved', verdict = 'approved' where state = 'refused'",
  ],
  "a payment that waits is approved by a forged row": [
    `insert into approvals (company_id, proposal_id, verdict, content_hash, hands, decided_by)
      select p.company_id, p.id, 'approved', p.content_hash, p.hands, ${stranger}
      from proposals p join proposal_states s on s.company_id = p.company_id and s.proposal_id = p.id and s.state = 'waiting'`,
    `update proposal_states set state = 'approved', verdict = 'approved' where state = 'waiting'`,
  ],
  "an approval is gone, and was never needed": [
    "delete from approvals where verdict = 'approved'",
    `update proposals p set needs_approval = false, alone_left = 99999999 where exists (
      select 1 from proposal_states s where s.proposal_id = p.id and s.verdict = 'approved')`,
    "update proposal_states set needs_approval = false, verdict = null where verdict = 'approved'",
  ],
  "a payment of people's is erased, and looks like a key's": [
    "delete from proposal_parts",
    "delete from approvals",
    "delete from proposal_states",
    "delete from proposals",
  ],
  "the part of a payment is erased alone": ["delete from proposal_parts"],
  "who decided about what was held": [`update held_decisions set decided_by = ${stranger}`],
  "what was held was let go instead of refused": [
    "update held_decisions set verdict = 'approved' where verdict = 'refused'",
  ],
  "a held transfer goes without a decision": [
    `insert into pending_transfers select company_id, id from held_transfers where decision_id is null`,
    "delete from held_transfers where decision_id is null",
  ],
  "what keys may pay alone, with its entry": [
    "update books set keys_alone_max = 99999999 where keys_alone_max is not null",
    "delete from company_trail where action = 'company.changed' and changes like '%keysAloneMax%'",
  ],
  "what one person may pay alone": ["update approval_rules set alone_max = 99999999"],
  "the preparers of a draft": [
    `update payroll_drafts set hands = array[made_by, ${stranger}]
    where proposal_id is not null`,
  ],
  "entries about payments are erased": ["delete from company_trail where action like 'proposal.%'"],
  "entries about what was held are erased": [
    "delete from company_trail where action like 'held.%'",
  ],
  "entries about keys are erased": ["delete from company_trail where action like 'key.%'"],
  "entries about a freeze are erased": [
    "delete from company_trail where action in ('company.frozen', 'company.unfrozen') and company_id not in (select company_id from books where is_frozen)",
  ],
  "another operator did it": [
    "update company_trail set operator = 'somebody' where operator is not null",
  ],
  "the trail of customers is emptied": ["delete from customer_trail"],
  "the trail of people is emptied": ["delete from staff_trail"],
  "a key that was revoked is good again": [
    "update access_tokens set revoked_at = null where revoked_at is not null",
    "update secret_keys set revoked_at = null where revoked_at is not null",
  ],
  "a token that nobody issued": [
    "insert into access_tokens (token_hash, company_id, key_id) select sha256('mine'), company_id, key_id from access_tokens limit 1",
  ],
  "a reader is an owner": ["update memberships set role = 'owner' where role <> 'owner'"],
  "a person is an operator": ["update people set is_operator = true where not is_operator"],
  "a member whom nobody let in": [
    `insert into memberships (company_id, person_id, role)
      select company_id, (select person_id from people where is_operator limit 1), 'owner' from companies limit 1`,
  ],
  "another password": [
    "update people set password = 'scrypt$4$8$1$AAAA$AAAA' where password is not null",
  ],
  "a second factor is gone": ["update people set totp_sealed = null where totp_sealed is not null"],
  "a ledger key more": ["insert into ledger_keys values (md5('forged'), sha256('forged'), now())"],
  "the ceiling of a wallet": ["update customers set balance_max = 99000000"],
  "how far somebody is identified": [
    "update customers set kyc_status = 'complete' where kyc_status <> 'complete'",
  ],
  "a wallet is not frozen any more": [
    "update customers set is_frozen = false where is_frozen",
    "update wallets set is_frozen = false where is_frozen",
  ],
  "a day's kinds are swapped": [
    "update day_totals set events = array[events[2], events[1]] || events[3:] where cardinality(events) > 1",
  ],
  "a day's counts": ["update day_totals set counts = array[counts[1] + 1] || counts[2:]"],
  "a day's fees": ["update day_totals set fees = array[fees[1] + 1] || fees[2:]"],
  "a day's sums are gone": [
    "delete from day_totals d where exists (select 1 from day_totals i where i.company_id = d.company_id and i.day > d.day)",
  ],
  "events that nobody was told of": ["update event_cursors set last_event = last_event + 1000"],
  "deliveries are erased": ["delete from deliveries"],
  "a webhook leads elsewhere": ["update webhooks set url = 'https://evil.example'"],
  "a webhook is gone": ["delete from webhooks"],
  "an idempotency key leads to something else": [
    `update idempotency_keys set made_id = ${stranger}`,
  ],
  "an idempotency key leads nowhere": [
    "update idempotency_keys set made_id = '00000000-0000-0000-0000-000000000000'",
  ],
  "a company is called otherwise": ["update companies set name = 'Evil'"],
  "a sub-company is called otherwise": ["update sub_companies set name = 'Evil'"],
  "a payment's payer is changed everywhere": [
    "update wallets set balance = balance + 5000 where msisdn = '2250711111111'",
    "update charge_transactions set msisdn = '2250744444444' where type = 'payment' and status = 'completed'",
  ],
  "the time of an outcome": ["update outcomes set ended_at = ended_at - interval '2 minutes'"],
  "the time of a funding": ["update fundings set created_at = created_at - interval '2 minutes'"],
};
