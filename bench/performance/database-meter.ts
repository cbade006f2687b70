import pg from "pg";
import { processCpuMs } from "../child.ts";

/** The use of PostgreSQL so far. Only the difference between two readings means something. */
export interface DatabaseReading {
  /**
   * The processor time of all sessions of this database except the meter's own; NaN when the server runs on another
   * machine.
   */
  readonly cpuMs: number;
  /** The bytes of WAL of the whole cluster, to which no other program may write during a measurement. */
  readonly walBytes: number;
  /** The bytes of journal and receipts with their indexes, which are kept for ever. */
  readonly keptBytes: number;
  /**
   * The bytes of nonces with their indexes. The service later merges the nonces of former days into blocks, which take
   * fewer bytes.
   */
  readonly nonceBytes: number;
}

export interface DatabaseMeter {
  read(): Promise<DatabaseReading>;
  /** Runs a statement, such as one that fills tables. */
  run(statement: string): Promise<void>;
  /** The first column of the first row of a statement, as a number. */
  count(statement: string): Promise<number>;
  text(statement: string): Promise<string>;
  close(): Promise<void>;
}

const SESSIONS = `select pid from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
const WAL = "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8";
const bytesOf = (tables: string): string =>
  `select coalesce(sum(pg_total_relation_size(oid)), 0)::float8 from pg_class
   where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname ~ '${tables}'`;

/** Opens a meter of a database's costs, which reads them in a session of its own. */
export async function openDatabaseMeter(databaseUrl: string): Promise<DatabaseMeter> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const first = async (statement: string): Promise<unknown> => {
    const { rows } = await client.query<unknown[]>({ text: statement, rowMode: "array" });
    return rows[0]?.[0];
  };
  const count = async (statement: string): Promise<number> => Number((await first(statement)) ?? 0);
  // When a session ends, a sum over the remaining sessions falls. Therefore the increase of each session is added up.
  const cpuMsBySession = new Map<number, number>();
  let cpuMs = 0;
  return {
    async read() {
      const { rows } = await client.query<{ pid: number }>(SESSIONS);
      for (const { pid } of rows) {
        const ms = processCpuMs(pid);
        cpuMs += ms - (cpuMsBySession.get(pid) ?? 0);
        cpuMsBySession.set(pid, ms);
      }
      return {
        cpuMs,
        walBytes: await count(WAL),
        keptBytes: await count(bytesOf("^(journal|receipt)")),
        nonceBytes: await count(bytesOf("nonce")),
      };
    },
    async run(statement) {
      await client.query(statement);
    },
    count,
    async text(statement) {
      const value = await first(statement);
      return typeof value === "string" ? value : "";
    },
    async close() {
      await client.end();
    },
  };
}
