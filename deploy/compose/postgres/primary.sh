#!/usr/bin/env bash
# Runs once, when the primary's data folder is new: the role of the standby, and commits that wait for it.
set -euo pipefail
password=$(cat /run/secrets/replication_password)
psql --username postgres --dbname propgate --set ON_ERROR_STOP=1 --set password="$password" <<'SQL'
create role replication with replication login password :'password';
select pg_create_physical_replication_slot('standby');
-- Both take effect when the server starts again, after this script. A commit during it would wait for ever.
alter system set synchronous_standby_names = 'ANY 1 (standby)';
-- A standby that is away longer must be made again, before the primary's disk is full.
alter system set max_slot_wal_keep_size = '4GB';
SQL
echo "host replication replication samenet scram-sha-256" >>"$PGDATA/pg_hba.conf"
