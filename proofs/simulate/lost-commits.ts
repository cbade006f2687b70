/**
 * A database that goes back in time under running nodes: a failover to a server without the last commits, or a restore.
 * Its clients lose acknowledged orders, so these runs have other checkers.
 */
import type { Database } from "../../packages/ledger/src/storage/databases/database.ts";
import { createRestoreStore } from "../../packages/ledger/src/storage/stores/restore-store.ts";
import { keepAllRows } from "../../packages/server/src/testing/keep-all-rows.ts";
import { createSeededDraw } from "./random-draw.ts";
import type { World } from "./world.ts";

/**
 * Copies the data of a database and later returns the database to the copy, so that the commits in between are lost.
 */
export interface LostCommits {
  /**
   * Sometimes copies the data of a random database, for a later `maybeRestore`. Copies only while no transaction is
   * open.
   */
  maybeCopy(): Promise<void>;
  /** Sometimes returns the database to the copied data. Requests may be in progress, but no transaction is open. */
  maybeRestore(): Promise<void>;
}

const KEEP_RATE = 0.6;
const LOSE_RATE = 0.05;
const RESTORE_RATE = 0.4;
/** The tables whose rows a backup does not contain. A simulated restore empties them, and the nodes fill them again. */
const TABLES_WITHOUT_BACKUP = ["leases", "nodes"] as const;

/**
 * Creates the losses of a run. They have their own random numbers, so the other draws are the same as in a run without
 * losses.
 */
export function createLostCommits(
  world: World,
  given: { readonly seed: number; readonly databases: readonly Database[] },
): LostCommits {
  const draw = createSeededDraw(`lost commits:${given.seed}`);
  let kept: { readonly database: Database; readonly goBack: () => Promise<void> } | null = null;
  let restores = 0;

  const restore = async (database: Database): Promise<void> => {
    restores += 1;
    const times = { asOfMs: world.clockMs(), restoredAtMs: world.clockMs() };
    await createRestoreStore(database).begin(`restore-${restores}`, times);
    for (const table of TABLES_WITHOUT_BACKUP) await database.query(`delete from ${table}`, []);
  };
  const count = (name: string): void => {
    world.chronicle.next();
    world.chronicle.note(name);
    world.lastFaultTurn = world.chronicle.turn;
    world.count(name);
  };
  return {
    async maybeCopy() {
      if (kept !== null || !draw.chance(KEEP_RATE) || world.hasOpenTransaction()) return;
      const database = draw.pick(given.databases);
      // Only confirmed data may be copied. After a restore of unconfirmed data, the service would wait for a
      // confirmation again, and in a run only a start confirms.
      const mark = await createRestoreStore(database).mark();
      if (mark !== null && mark.confirmedAtMs === null) return;
      kept = { database, goBack: await keepAllRows(database) };
    },
    async maybeRestore() {
      if (kept === null || !draw.chance(LOSE_RATE) || world.hasOpenTransaction()) return;
      const { database, goBack } = kept;
      kept = null;
      await goBack();
      const isRestore = draw.chance(RESTORE_RATE);
      if (isRestore) await restore(database);
      count(isRestore ? "history.restore" : "history.lostCommits");
    },
  };
}
