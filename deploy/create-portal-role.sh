#!/bin/sh
# Makes the role that the portals work with (docs/operations.md, Two roles), with the variables of PostgreSQL's image.
set -eu
psql --no-psqlrc --set ON_ERROR_STOP=1 --set password="$PORTAL_DATABASE_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role portal login password :'password';
SQL
