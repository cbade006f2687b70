import type { LaneQueue } from "../storage/lane-store.ts";

/** The queues whose lanes may have something to send since they were last scanned. */
export interface QueuesToScan {
  add(queue: LaneQueue): void;
  /**
   * Call it when more lanes are due than one scan returns. When all known queues have been taken, the next scan is of
   * all queues.
   */
  expectMore(): void;
  /** Returns the queues to scan next and forgets them; null for a scan of all queues, which `ofAll` forces. */
  take(ofAll: boolean): readonly LaneQueue[] | null;
  forget(): void;
}

export function createQueuesToScan(): QueuesToScan {
  const queues = new Map<string, LaneQueue>();
  let areMoreExpected = false;
  const forget = (): void => {
    queues.clear();
    areMoreExpected = false;
  };
  return {
    add(queue) {
      queues.set(queue.accountId ?? `alerts ${queue.ownerId ?? ""}`, queue);
    },
    expectMore() {
      areMoreExpected = true;
    },
    take(ofAll) {
      if (ofAll || (queues.size === 0 && areMoreExpected)) {
        forget();
        return null;
      }
      const taken = [...queues.values()];
      queues.clear();
      return taken;
    },
    forget,
  };
}
