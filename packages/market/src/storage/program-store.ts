import { type UnixMs, unixMs } from "@propgate/core";
import type { Queryable } from "@propgate/ledger";

/** A stored version of a program. It never changes. */
export interface ProgramRow {
  readonly id: string;
  readonly version: number;
  /** The program as JSON. */
  readonly document: string;
  readonly addedAtMs: UnixMs;
}

export interface ProgramStore {
  /** All versions of all programs, by id, then by version. */
  list(): Promise<readonly ProgramRow[]>;
  /** Adds the rows that are new and leaves existing rows unchanged. Durable when it resolves. */
  addMissing(rows: readonly ProgramRow[]): Promise<void>;
  /**
   * Adds a row when it is the next version of its id. False, without a change, when it is not. Durable when it
   * resolves.
   */
  addNext(row: ProgramRow): Promise<boolean>;
}

interface StoredRow {
  readonly id: string;
  readonly version: number;
  readonly document: string;
  readonly added_at_ms: string;
}

export function createProgramStore(database: Queryable): ProgramStore {
  return {
    async list() {
      const rows = await database.query<StoredRow>(
        "select id, version, document, added_at_ms from programs order by id, version",
        [],
      );
      return rows.map(({ added_at_ms, ...row }) => ({
        ...row,
        addedAtMs: unixMs(Number(added_at_ms)),
      }));
    },
    // Every node inserts in the same order, so that concurrent starts cannot deadlock.
    async addMissing(rows) {
      await database.query(
        `insert into programs (id, version, document, added_at_ms)
         select * from unnest($1::text[], $2::integer[], $3::text[], $4::bigint[])
         order by 1, 2 on conflict do nothing`,
        [
          rows.map((row) => row.id),
          rows.map((row) => row.version),
          rows.map((row) => row.document),
          rows.map((row) => row.addedAtMs),
        ],
      );
    },
    // When two nodes add the same version, the primary key accepts only one.
    async addNext({ id, version, document, addedAtMs }) {
      const rows = await database.query(
        `insert into programs (id, version, document, added_at_ms)
         select $1::text, $2::integer, $3, $4::bigint
         where $2 = (select coalesce(max(version), 0) + 1 from programs where id = $1)
         on conflict do nothing returning version`,
        [id, version, document, addedAtMs],
      );
      return rows.length === 1;
    },
  };
}
