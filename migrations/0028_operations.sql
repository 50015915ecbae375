-- compatible-from: 10
-- What operators of the console see and say.

-- How the last audit ended, for whoever looks later than it was told. One row.
create table last_audit (
  subject text not null,
  ended_at timestamptz not null,
  differences integer not null,
  seconds double precision not null,

  constraint last_audit_pk primary key (subject),
  constraint last_audit_of_the_books check (subject = 'books')
);

-- What an operator says on every page of the console, until a moment that is given with it. One row: what was said
-- before stands in the trail of the person who said it.
create table banners (
  place text not null,
  severity text not null,
  text_fr text not null,
  text_en text not null,
  person_id uuid not null references people (person_id),
  shown_at timestamptz not null,
  ends_at timestamptz not null,

  constraint banners_pk primary key (place),
  constraint banners_in_the_console check (place = 'console'),
  constraint banners_severity_known check (severity in ('info', 'warning', 'outage')),
  constraint banners_say_something check (
    length(text_fr) between 1 and 500 and length(text_en) between 1 and 500)
);

-- Addresses that fail, of all companies: few, and not looked for among those that do not. What changes with each attempt
-- is not in it.
create index endpoints_failing on endpoints (failing_since) where failing_since is not null;
