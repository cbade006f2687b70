import type { Stopwatch } from "@propgate/base";
import { type Instruments, type PairId, pairId } from "@propgate/core";
import type { SourceWarning } from "@propgate/market";
import type { BusDropReason } from "./bus-message.ts";

/**
 * Records the pairs whose quotes arrive and are all dropped, so that their prices do not change. @rule D12.droppedPairs
 */
export interface DroppedPairs {
  /** Records that a quote was dropped. The last part of the subject names its pair. */
  recordDropped(subject: string, kind: BusDropReason): void;
  /** Records that a quote of the pair was used, which ends the pair's warning. */
  recordUsed(pair: PairId): void;
  /** One warning for each pair that had a quote dropped in the last minute and has had none used since. */
  warnings(): readonly SourceWarning[];
}

const SHOWN_FOR_MS = 60_000;

/**
 * Creates the record. A pair has a warning from its first dropped quote until one of its quotes is used, and at most
 * until a minute after its last dropped quote. @rule D12.droppedPairs decides
 */
export function createDroppedPairs(options: {
  readonly instruments: Instruments;
  readonly clock: Stopwatch;
}): DroppedPairs {
  const { instruments, clock } = options;
  const pairs = new Map<PairId, { kind: BusDropReason; count: number; lastMs: number }>();
  return {
    recordDropped(subject, kind) {
      const pair = pairId(subject.slice(subject.lastIndexOf(".") + 1));
      if (!instruments.has(pair)) return;
      const count = (pairs.get(pair)?.count ?? 0) + 1;
      pairs.set(pair, { kind, count, lastMs: clock.nowMs() });
    },
    recordUsed: (pair) => void pairs.delete(pair),
    warnings() {
      const sinceMs = clock.nowMs() - SHOWN_FOR_MS;
      return [...pairs]
        .filter(([, { lastMs }]) => lastMs >= sinceMs)
        .map(([pair, { kind, count }]) => ({
          source: "quote bus",
          reason: `the quotes of ${pair} are dropped (${kind})`,
          count,
          first: null,
        }));
    },
  };
}
