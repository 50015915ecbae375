-- compatible-from: 10
-- What keeps one company from growing without end at everybody's cost, and from sending a stream of requests to an
-- address that never said yes.

-- How much of a limit a company has spent in the window that began at since. A company's row of a limit is its lock.
create table quotas (
  company_id uuid not null references companies (company_id),
  name text not null,
  since timestamptz not null,
  spent integer not null,

  constraint quotas_pk primary key (company_id, name)
) with (fillfactor = 50);

-- An address is asked once, with a test event (tested_at), and gets a few requests a minute until it has answered
-- one of them with 2xx (proved_at). Addresses from before are trusted.
alter table endpoints
  add column tested_at timestamptz default now(),
  add column proved_at timestamptz default now();
alter table endpoints
  alter column tested_at drop default,
  alter column proved_at drop default;

-- Sub-companies are never deleted, so their number only has to be counted up.
insert into quotas (company_id, name, since, spent)
select company_id, 'sub_companies', now(), count(*) from sub_companies group by company_id;

-- A logo that no sub-company names any more is former since that moment; a few of them are kept for histories.
alter table logos add column former_since timestamptz;
create index logos_former on logos (company_id, former_since) where former_since is not null;
create index sub_companies_by_logo on sub_companies (company_id, md5(logo_url));
update logos l set former_since = now()
where not exists (
  select 1 from sub_companies s
  where s.company_id = l.company_id and md5(s.logo_url) = md5(l.url) and s.logo_url = l.url);
