import type { Stopwatch } from "@propgate/base";
import type { LaneQueue } from "../storage/lane-store.ts";
import type { LaneDatabase } from "../storage/webhook-stores.ts";

/**
 * Finds the queues that no commit of this node reports: those that other nodes have extended, and those of lanes that
 * failed with an error. A database that fails is left out, so that it does not delay the lanes of the other databases.
 */
export interface QueueWatch {
  /**
   * The databases that work. The failing ones are remembered: when one of them works again, a scan of all queues is
   * due.
   */
  workingDatabases(): readonly LaneDatabase[];
  /**
   * Call it before a scan of all queues. It notes the present transaction of each database, so that the next search
   * finds the queues that grow during the scan.
   */
  begin(): Promise<void>;
  /**
   * The queues that have grown. Empty until `EVERY_MS` have passed since the last search; null when a scan of all
   * queues is due.
   */
  findQueues(): Promise<readonly LaneQueue[] | null>;
  /** Keeps a queue for the next search, which returns it again. */
  keepForNextSearch(queue: LaneQueue): void;
  /** Makes a scan of all queues due. */
  forget(): void;
}

/** The time between two searches for queues that other nodes have extended. */
const EVERY_MS = 5_000;

export function createQueueWatch({
  databases,
  isAtFault,
  steadyClock,
}: {
  readonly databases: readonly LaneDatabase[];
  /** Whether the database with this number fails. */
  readonly isAtFault: (database: number) => boolean;
  readonly steadyClock: Stopwatch;
}): QueueWatch {
  /** The transaction up to which each database was searched; null when a scan of all queues is due. */
  let transactions: ReadonlyMap<LaneDatabase, bigint> | null = null;
  const leftOut = new Set<number>();
  let lookedMs = 0;
  let kept: LaneQueue[] = [];
  const working = (): readonly LaneDatabase[] =>
    databases.filter((_, number) => {
      if (isAtFault(number)) leftOut.add(number);
      return !isAtFault(number);
    });
  /** The queues that have grown since these transactions; null when a database has lost its transaction. */
  const read = async (from: typeof transactions): Promise<readonly LaneQueue[] | null> => {
    lookedMs = steadyClock.nowMs();
    const all = await Promise.all(
      working().map(
        async (one) => [one, await one.grown.findSince(from?.get(one) ?? null)] as const,
      ),
    );
    transactions = new Map(all.map(([one, { transactionId }]) => [one, transactionId]));
    // A failover may lose the last commits. The database then gives their transaction ids to new transactions.
    const isBack = all.some(([one, { transactionId }]) => transactionId < (from?.get(one) ?? 0n));
    return isBack ? null : all.flatMap(([, { queues }]) => queues);
  };
  const forget = (): void => {
    transactions = null;
    kept = [];
  };
  return {
    workingDatabases: working,
    async begin() {
      kept = [];
      await read(null);
    },
    async findQueues() {
      if ([...leftOut].some((number) => !isAtFault(number))) {
        leftOut.clear();
        forget();
      }
      if (transactions === null) return null;
      if (steadyClock.nowMs() - lookedMs < EVERY_MS) return [];
      const grown = await read(transactions);
      if (grown === null) {
        forget();
        return null;
      }
      const before = kept;
      kept = [];
      return [...before, ...grown];
    },
    keepForNextSearch: (queue) => kept.push(queue),
    forget,
  };
}
