-- What the chain has of a posting beside its subject and amount: what its line of a statement shows of it, as JSON with the names of the
-- statement's columns, and a digest of what is not shown (p_hidden). What there is none of is left out. src/statements/chain.ts makes the
-- same text from a line. Short, and each parameter used once, so that PostgreSQL puts it into the statements that call it.
create or replace function facts_text(
  p_fee bigint, p_charge uuid, p_reference text, p_external_id text, p_msisdn text, p_sub_company uuid, p_batch uuid, p_memo text,
  p_hidden text
) returns text
language sql stable
as $$
  select '{"fee":' || p_fee || coalesce(',"chargeId":"' || p_charge || '"', '')
    || coalesce(',"reference":' || to_json(nullif(p_reference, ''))::text, '')
    || coalesce(',"externalId":' || to_json(nullif(p_external_id, ''))::text, '')
    || coalesce(',"msisdn":' || to_json(nullif(p_msisdn, ''))::text, '')
    || coalesce(',"subCompanyId":"subco_' || replace(p_sub_company::text, '-', '') || '"', '')
    || coalesce(',"batchId":"bat_' || replace(p_batch::text, '-', '') || '"', '')
    || coalesce(',"memo":' || to_json(nullif(p_memo, ''))::text, '')
    || coalesce(',"hidden":"' || encode(sha256(convert_to(p_hidden, 'UTF8')), 'hex') || '"', '') || '}'
$$;

-- Tells which posting of a set was changed. It proves nothing, so any hash does. p_seed is a hash of what all postings of the set have in common.
create or replace function posting_mark(p_seed bigint, p_number bigint, p_subject uuid, p_amount bigint, p_facts text) returns integer
language sql immutable
as $$
  select (hashint8extended(p_amount, uuid_hash_extended(p_subject,
    coalesce(hashtextextended(p_facts, 0), 0) # p_seed # p_number)) >> 32)::integer
$$;
