import type { Stopwatch } from "@propgate/base";
import type { LaneQueue } from "../storage/lane-store.ts";
import type { LaneDatabase } from "../storage/webhook-stores.ts";

/** Finds the queues that no commit of this node reports: those of other nodes, and of lanes that broke off. */
export interface QueueWatch {
  /** Call it before a look at all queues, so that what grows during the look is found. */
  begin(): Promise<void>;
  /** The queues to look at now, every few seconds; null when a look at all queues is due. */
  next(): Promise<readonly LaneQueue[] | null>;
  /** The queue is among the next ones again. */
  keep(queue: LaneQueue): void;
  /** A look at all queues is due. */
  forget(): void;
}

/** How often the commits of other nodes are looked for. */
const EVERY_MS = 5_000;

export function createQueueWatch({
  databases,
  steadyClock,
}: {
  readonly databases: readonly Pick<LaneDatabase, "grown">[];
  readonly steadyClock: Stopwatch;
}): QueueWatch {
  /** The place of each database; null before the first look at all queues. */
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
