import type { Job } from "@propgate/base";
import type { Database } from "./database.ts";

const CHECKPOINT_EVERY_MS = 5_000;
const VACUUM_EVERY_MS = 60_000;
/** Log after which a checkpoint follows, so a start after a crash replays little more. */
const LOG_BYTES_MAX = 64 * 1024 * 1024;

const LOG_BYTES =
  "select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) as bytes from pg_control_checkpoint()";

/** The thresholds of a server's autovacuum, with more rows before a small table counts. */
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
 * The background work of a PostgreSQL server, for the embedded database, which has no processes for it: checkpoints,
 * vacuum and statistics. A server does its own. Other statements wait for one table at most.
 */
export function embeddedUpkeep(database: Database): readonly Job[] {
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
          await database.query(`${workOf(due)} ${due.table}`);
        }
      },
    },
  ];
}

function workOf({ needsVacuum, needsAnalyze }: DueTable): string {
  if (!needsVacuum) return "analyze";
  return needsAnalyze ? "vacuum (analyze)" : "vacuum";
}
