/**
 * A database that goes back under running nodes: a failover to a server without the last commits, or a restore. Its
 * clients lose what was acknowledged, so such runs have checkers of their own.
 */
import type { Database } from "../../packages/ledger/src/storage/databases/database.ts";
import { createRestoreStore } from "../../packages/ledger/src/storage/stores/restore-store.ts";
import { keepMoment } from "../../packages/server/src/testing/kept-moment.ts";
import { seededDraw } from "./draw.ts";
import type { World } from "./world.ts";

export interface LostCommits {
  /** Sometimes copies the present data, while nothing is in progress, to go back to later. */
  keep(): Promise<void>;
  /** Sometimes goes back to the kept moment, while requests are in progress. */
  lose(): Promise<void>;
}

const KEEP_RATE = 0.6;
const LOSE_RATE = 0.05;
const RESTORE_RATE = 0.4;
/** Tables that a backup does not have and nodes depend on. */
const FORGOTTEN = ["leases", "nodes"] as const;

/** It has its own random numbers, so the rest of the run is the same without it. */
export function createLostCommits(
  world: World,
  given: { readonly seed: number; readonly databases: readonly Database[] },
): LostCommits {
  const draw = seededDraw(`lost commits:${given.seed}`);
  let kept: { readonly database: Database; readonly goBack: () => Promise<void> } | null = null;
  let restores = 0;

  const restore = async (database: Database): Promise<void> => {
    restores += 1;
    const times = { asOfMs: world.clockMs(), restoredAtMs: world.clockMs() };
    await createRestoreStore(database).begin(`restore-${restores}`, times);
    for (const table of FORGOTTEN) await database.query(`delete from ${table}`, []);
  };
  const count = (name: string): void => {
    world.chronicle.next();
    world.chronicle.note(name);
    world.lastFaultTurn = world.chronicle.turn;
    world.count(name);
  };
  return {
    async keep() {
      if (kept !== null || !draw.chance(KEEP_RATE) || world.hasOpenTransaction()) return;
      const database = draw.pick(given.databases);
      // After going back behind a confirmation the data wait for it again, and here only a start confirms.
      const mark = await createRestoreStore(database).mark();
      if (mark !== null && mark.confirmedAtMs === null) return;
      kept = { database, goBack: await keepMoment(database) };
    },
    async lose() {
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
