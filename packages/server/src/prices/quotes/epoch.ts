import type { Queryable } from "../../storage/databases/database.ts";
import { createSettingStore } from "../../storage/stores/setting-store.ts";

/** The newest epoch of a feed on the database. */
export const EPOCH_SETTING = "prices.epoch";

/**
 * The epoch of a feed that starts now: greater than every earlier one on this database and on its
 * tape, so a number that a reader has seen never comes again with the same epoch. A tape may be
 * ahead of a database that was restored from a backup.
 */
export function nextEpoch(database: Queryable, lastOnTape = 0): Promise<number> {
  return createSettingStore(database).increment(EPOCH_SETTING, lastOnTape);
}
