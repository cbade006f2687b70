import type { Queryable } from "../databases/database.ts";

/** Stores small values of an installation under names, such as the hash of the last catalogue. */
export interface SettingStore {
  get(name: string): Promise<string | null>;
  /** Stores the value. It is durable when the promise resolves. */
  set(name: string, value: string): Promise<void>;
  /** Stores the value if the name has none, atomically over all nodes. Returns the stored value. */
  setOnce(name: string, value: string): Promise<string>;
  /** Adds 1 to the setting's number, or to `above` when that is greater, atomically over all nodes. Returns the sum. */
  increment(name: string, above?: number): Promise<number>;
}

export function createSettingStore(database: Queryable): SettingStore {
  return {
    async get(name) {
      const rows = await database.query<{ value: string }>(
        "select value from settings where name = $1",
        [name],
      );
      return rows[0]?.value ?? null;
    },
    async set(name, value) {
      await database.query(
        `insert into settings (name, value) values ($1, $2)
         on conflict (name) do update set value = excluded.value`,
        [name, value],
      );
    },
    async setOnce(name, value) {
      await database.query(
        "insert into settings (name, value) values ($1, $2) on conflict (name) do nothing",
        [name, value],
      );
      const rows = await database.query<{ value: string }>(
        "select value from settings where name = $1",
        [name],
      );
      return rows[0]?.value ?? value;
    },
    async increment(name, above = 0) {
      const rows = await database.query<{ value: string }>(
        `insert into settings (name, value) values ($1, ($2::bigint + 1)::text)
         on conflict (name) do update
         set value = (greatest(settings.value::bigint, $2::bigint) + 1)::text
         returning value`,
        [name, above],
      );
      return Number(rows[0]?.value);
    },
  };
}
