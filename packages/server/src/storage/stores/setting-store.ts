import type { Queryable } from "../database.ts";

/** Small durable facts by name. */
export interface SettingStore {
  get(name: string): Promise<string | null>;
  /** Durable when it resolves. */
  set(name: string, value: string): Promise<void>;
}

export function settingStore(database: Queryable): SettingStore {
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
  };
}
