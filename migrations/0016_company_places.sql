-- compatible-from: 10
-- Where a company's payers are: whose phone numbers are meant when the country code is missing, and whose time the
-- pages tell. Null: as the installation has it.

alter table companies
  add column country text,
  add column time_zone text,
  add constraint companies_country_of_the_union check (
    country in ('BJ', 'BF', 'CI', 'GW', 'ML', 'NE', 'SN', 'TG')),
  add constraint companies_time_zone_length check (length(time_zone) between 1 and 64);
