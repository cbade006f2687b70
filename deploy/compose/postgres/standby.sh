#!/usr/bin/env bash
# Copies the primary when the standby's data folder is empty, then follows it.
set -euo pipefail
: "${PRIMARY_HOST:?}" "${PGDATA:?}"
secret=${REPLICATION_PASSWORD_FILE:-/run/secrets/replication_password}
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  export PGPASSWORD
  PGPASSWORD=$(cat "$secret")
  pg_basebackup --pgdata "$PGDATA" --host "$PRIMARY_HOST" --port "${PRIMARY_PORT:-5432}" --username replication \
    --slot standby --wal-method stream --write-recovery-conf --checkpoint fast
  unset PGPASSWORD
  chmod 0700 "$PGDATA"
  # The name that the primary waits for. The copy has the primary's settings, and nothing waits for a standby's commits.
  echo "cluster_name = 'standby'" >>"$PGDATA/postgresql.auto.conf"
fi
exec postgres "$@"
