import { type UnixMs, unixMs } from "@propgate/core";
import type { Queryable } from "../databases/database.ts";
import { createSettingStore } from "./setting-store.ts";

/** The last restore of a database from a backup: its times, and whether an operator has confirmed it. */
export interface RestoreMark {
  /** The moment of the backup. Everything that happened after it is missing. */
  readonly asOfMs: UnixMs;
  readonly restoredAtMs: UnixMs;
  /** When an operator confirmed the restore; null while the data may only be read. */
  readonly confirmedAtMs: UnixMs | null;
}

/** Stores the incarnation of a database, which each restore replaces, and the last restore. */
export interface RestoreStore {
  /** The id of the incarnation; null before the first restore. */
  incarnation(): Promise<string | null>;
  /** The last restore; null when the database was never restored. */
  mark(): Promise<RestoreMark | null>;
  /** Begins a new incarnation. Its data may only be read until `confirm` is called. */
  begin(incarnation: string, restore: Omit<RestoreMark, "confirmedAtMs">): Promise<void>;
  confirm(now: UnixMs): Promise<void>;
  /** Marks the payouts that are unpaid in the backup, because they may have been paid since it was taken. */
  markPayouts(): Promise<void>;
}

const INCARNATION = "data.incarnation";
const RESTORE = "data.restore";

export function createRestoreStore(database: Queryable): RestoreStore {
  const settings = createSettingStore(database);
  const mark: RestoreStore["mark"] = async () => parseMark(await settings.get(RESTORE));
  const write = (one: RestoreMark) => settings.set(RESTORE, JSON.stringify(one));
  return {
    incarnation: () => settings.get(INCARNATION),
    mark,
    async begin(incarnation, restore) {
      await settings.set(INCARNATION, incarnation);
      await write({ ...restore, confirmedAtMs: null });
    },
    async confirm(now) {
      const found = await mark();
      if (found !== null && found.confirmedAtMs === null) {
        await write({ ...found, confirmedAtMs: now });
      }
    },
    async markPayouts() {
      await database.query(
        `insert into restored_payouts (account_id, payout_id)
         select account_id, payout_id from payouts where status <> 'paid' on conflict do nothing`,
        [],
      );
    },
  };
}

/** The number of keys that are neither revoked nor expired. */
export async function countUsableKeys(database: Queryable, now: UnixMs): Promise<number> {
  const [row] = await database.query<{ readonly keys: number }>(
    `select count(*)::int as keys from keys
     where revoked_at_ms is null and (expires_at_ms is null or expires_at_ms > $1)`,
    [now],
  );
  return row?.keys ?? 0;
}

/** Parses the setting, which only this store writes. */
function parseMark(text: string | null): RestoreMark | null {
  if (text === null) return null;
  const { asOfMs, restoredAtMs, confirmedAtMs } = JSON.parse(text) as RestoreMark;
  return {
    asOfMs: unixMs(asOfMs),
    restoredAtMs: unixMs(restoredAtMs),
    confirmedAtMs: confirmedAtMs === null ? null : unixMs(confirmedAtMs),
  };
}
