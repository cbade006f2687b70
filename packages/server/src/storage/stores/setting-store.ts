import type { Queryable } from "../databases/database.ts";

/** Small durable values by name. */
export interface SettingStore {
  get(name: string): Promise<string | null>;
  /** Durable when it resolves. */
  set(name: string, value: string): Promise<void>;
  /** Stores the value if the name has none, atomically over all nodes; returns the stored value. */
  setOnce(name: string, value: string): Promise<string>;
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
  };
}
