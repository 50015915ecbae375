-- compatible-from: 10
-- What all lines up to the end of a sealed day sum to, by event: written with the day's seal. Whoever draws three months
-- reads ninety rows, after a year as after ten, and however much is posted on a day. Days that an older node seals
-- meanwhile get theirs with the next day of their company.

create table day_totals (
  company_id uuid not null,
  day date not null,           -- as in seals
  events text[] not null,
  counts bigint[] not null,
  amounts bigint[] not null,
  fees bigint[] not null,

  constraint day_totals_pk primary key (company_id, day),
  constraint day_totals_of_a_seal foreign key (company_id, day) references seals (company_id, day)
);

create trigger day_totals_append_only before update or delete on day_totals
  for each row execute function refuse_change();
create trigger day_totals_not_truncated before truncate on day_totals
  for each statement execute function refuse_change();
revoke update, delete, truncate on day_totals from public;
