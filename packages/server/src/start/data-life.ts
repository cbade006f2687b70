/**
 * A restore begins a new life of the data, in which the changes since the backup are missing. So the service only reads
 * the data until an operator has confirmed the restore. A process that began with an earlier life of the data ends.
 */

import { CannotStart, type Clock, type Job, type Log } from "@propgate/base";
import {
  createRestoreStore,
  type Database,
  type PerShard,
  perShard,
  type RestoreMark,
} from "@propgate/ledger";

/**
 * The present life of the data (the time since the last restore, if there was one), and whether an operator has
 * confirmed the restore.
 */
export interface DataLife {
  /** The restore that is not confirmed yet, the first one if several databases have one; null when there is none. */
  unconfirmedRestore(): RestoreMark | null;
  /** True while the data may only be read. @rule D13.readOnly */
  isReadOnly(): boolean;
  /**
   * Confirms every unconfirmed restore and returns the first one; null when there is none. Other nodes see the
   * confirmation within a second.
   */
  confirm(): Promise<RestoreMark | null>;
  /** The job that checks whether the data were restored meanwhile, and whether another node has confirmed a restore. */
  readonly job: Job;
  /** Resolves when the process must end, because the database was restored while it ran. */
  readonly ended: Promise<CannotStart>;
}

const EVERY_MS = 1_000;

/** Reads the life of the data at the start of a process, and confirms a restore if `confirms` is set. */
export async function openDataLife(options: {
  readonly databases: PerShard<Database>;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether this start confirms an unconfirmed restore. */
  readonly confirms: boolean;
}): Promise<DataLife> {
  const { databases, clock, log } = options;
  const stores = perShard(databases, createRestoreStore);
  const incarnations = () => Promise.all(stores.map((store) => store.incarnation()));
  const incarnationsAtStart = await incarnations();
  let end: (why: CannotStart) => void = () => undefined;
  const ended = new Promise<CannotStart>((resolve) => {
    end = resolve;
  });
  let hasEnded = false;
  let waiting: RestoreMark | null = null;

  const readMarks = async (): Promise<void> => {
    const marks = await Promise.all(stores.map((store) => store.mark()));
    waiting = marks.find((mark) => mark !== null && mark.confirmedAtMs === null) ?? null;
  };
  const confirm: DataLife["confirm"] = async () => {
    await readMarks();
    const confirmed = waiting;
    const now = clock.now();
    await Promise.all(stores.map((store) => store.confirm(now)));
    await readMarks();
    return confirmed === null ? null : { ...confirmed, confirmedAtMs: now };
  };

  if (options.confirms) await confirm();
  else await readMarks();
  if (waiting !== null) {
    log.warn({ ...(waiting as RestoreMark) }, "the data were restored and may only be read");
  }
  return {
    unconfirmedRestore: () => waiting,
    isReadOnly: () => hasEnded || waiting !== null,
    confirm,
    ended,
    job: {
      name: "life of the data",
      everyMs: EVERY_MS,
      // A restore makes the database unavailable, so checks fail while it runs. They are repeated every second, so that
      // the restore is found within a second after its end.
      retryMs: EVERY_MS,
      async run() {
        const now = await incarnations();
        // A restore has replaced the data with which this process began. @rule D13.incarnation decides
        if (now.some((incarnation, number) => incarnation !== incarnationsAtStart[number])) {
          hasEnded = true;
          end(
            new CannotStart("The database was restored while this process ran on it", {
              fix: "Stop every node before a restore. Look at the restored data, then start again.",
            }),
          );
          return;
        }
        await readMarks();
      },
    },
  };
}
