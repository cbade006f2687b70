import type { Job } from "@propgate/base";
import type { Database } from "./database.ts";

const CHECKPOINT_EVERY_MS = 5_000;
const VACUUM_EVERY_MS = 60_000;
/**
 * A checkpoint is made when the write-ahead log since the last checkpoint is longer than this. A start after a crash
 * replays little more than this many bytes.
 */
const LOG_BYTES_MAX = 64 * 1024 * 1024;

const LOG_BYTES =
  "select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) as bytes from pg_control_checkpoint()";

/**
 * Tables that need vacuum or new statistics. The limits are the same as for a server's autovacuum by default, except
 * that 1,000 rows instead of 50 must have changed in a small table, and that inserts alone cause no vacuum.
 */
const DUE_TABLES = `
select * from (
  select format('%I', s.relname) as "table",
    s.n_dead_tup > 1000 + s.n_live_tup / 5 or age(c.relfrozenxid) > 200000000 as "needsVacuum",
    s.n_mod_since_analyze > 1000 + s.n_live_tup / 10 as "needsAnalyze"
  from pg_stat_user_tables s join pg_class c on c.oid = s.relid
  where s.schemaname = current_schema() and c.relkind = 'r'
) tables
where "needsVacuum" or "needsAnalyze" order by "table"`;

interface DueTable {
  readonly table: string;
  readonly needsVacuum: boolean;
  readonly needsAnalyze: boolean;
}

/**
 * Jobs for the background work of the embedded database: checkpoints, vacuum and statistics. A PostgreSQL server has
 * processes of its own for this work, so for a server the list is empty. Other statements wait for the work on one
 * table at most.
 */
export function embeddedMaintenanceJobs(database: Database): readonly Job[] {
  if (database.kind === "postgres") return [];
  return [
    {
      name: "database checkpoint",
      everyMs: CHECKPOINT_EVERY_MS,
      async run() {
        const [log] = await database.query<{ readonly bytes: string }>(LOG_BYTES, []);
        if (Number(log?.bytes ?? 0) > LOG_BYTES_MAX) await database.query("checkpoint");
      },
    },
    {
      name: "database vacuum",
      everyMs: VACUUM_EVERY_MS,
      async run() {
        for (const due of await database.query<DueTable>(DUE_TABLES, [])) {
          await database.query(`${maintenanceSql(due)} ${due.table}`);
        }
      },
    },
  ];
}

function maintenanceSql({ needsVacuum, needsAnalyze }: DueTable): string {
  if (!needsVacuum) return "analyze";
  return needsAnalyze ? "vacuum (analyze)" : "vacuum";
}
