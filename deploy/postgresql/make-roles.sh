#!/bin/sh
# Makes the database and its two roles in a PostgreSQL that was just set up. The image of compose.yaml runs it once, as its superuser;
# elsewhere: sudo -u postgres env CAURI_PASSWORD_FILE=… CAURI_OWNER_PASSWORD_FILE=… deploy/postgresql/make-roles.sh
# cauri_owner owns the tables and migrates. cauri serves: it reads and writes rows, and can neither change a table nor switch off a trigger.
# Neither is a superuser, which may read files of the server and start programs there. Another name than cauri, of small letters: CAURI_DATABASE.
set -eu
name=${CAURI_DATABASE:-cauri}
# As text in SQL. psql gets it by its standard input, so that no password is among anybody's arguments.
quoted() { printf "'%s'" "$(sed "s/'/''/g" "$1")"; }
psql --no-psqlrc -v ON_ERROR_STOP=1 -d postgres <<SQL
create role ${name}_owner login nosuperuser nocreatedb nocreaterole noreplication password $(quoted "$CAURI_OWNER_PASSWORD_FILE");
create role $name login nosuperuser nocreatedb nocreaterole noreplication password $(quoted "$CAURI_PASSWORD_FILE");
-- Statistics, for the alerts about standbys and for what a migration waits for; no table.
grant pg_read_all_stats to $name, ${name}_owner;
create database $name owner ${name}_owner;
revoke connect, temporary on database $name from public;
grant connect, temporary on database $name to $name;
\connect $name
-- Of whatever the owner makes from now on, also of the tables of months and days.
alter default privileges for role ${name}_owner in schema public grant select, insert, update, delete on tables to $name;
alter default privileges for role ${name}_owner in schema public grant usage, select on sequences to $name;
SQL
