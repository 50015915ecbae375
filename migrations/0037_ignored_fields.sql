-- compatible-from: 10
-- Which fields of a request nothing was done with, for the people who look through their requests. Releases before write none.

alter table request_log add column ignored_fields text;
