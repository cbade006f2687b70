import type { Stopwatch } from "@propgate/base";
import type { LaneQueue } from "../storage/lane-store.ts";
import type { LaneDatabase } from "../storage/webhook-stores.ts";

/**
 * Finds the queues that no commit of this node reports: those that other nodes have extended, and those of lanes that
 * failed with an error.
 */
export interface QueueWatch {
  /**
   * Call it before a look at all queues. It notes the present places, so that queues that grow during the look are
   * found afterwards.
   */
  begin(): Promise<void>;
  /**
   * The queues to look at. Empty until `EVERY_MS` have passed since the last search; null when a look at all queues is
   * due.
   */
  next(): Promise<readonly LaneQueue[] | null>;
  /** Keeps a queue for the next search, which returns it again. */
  keep(queue: LaneQueue): void;
  /** Makes a look at all queues due. */
  forget(): void;
}

/** How often the queues that other nodes have extended are searched. */
const EVERY_MS = 5_000;

export function createQueueWatch({
  databases,
  steadyClock,
}: {
  readonly databases: readonly Pick<LaneDatabase, "grown">[];
  readonly steadyClock: Stopwatch;
}): QueueWatch {
  /** Up to where the queues of each database were searched; null when a look at all queues is due. */
  let places: readonly bigint[] | null = null;
  let lookedMs = 0;
  let kept: LaneQueue[] = [];
  const read = async (from: readonly bigint[] | null): Promise<readonly LaneQueue[]> => {
    lookedMs = steadyClock.nowMs();
    const all = await Promise.all(
      databases.map(({ grown }, index) => grown.since(from?.[index] ?? null)),
    );
    places = all.map(({ place }) => place);
    return all.flatMap(({ queues }) => queues);
  };
  return {
    async begin() {
      kept = [];
      await read(null);
    },
    async next() {
      if (places === null) return null;
      if (steadyClock.nowMs() - lookedMs < EVERY_MS) return [];
      const before = kept;
      kept = [];
      return [...before, ...(await read(places))];
    },
    keep: (queue) => kept.push(queue),
    forget() {
      places = null;
      kept = [];
    },
  };
}
