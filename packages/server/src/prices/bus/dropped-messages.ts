import type { Stopwatch } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Rejection } from "./bus-message.ts";

/** Counts dropped messages and logs each kind once a minute. */
export interface DroppedMessages {
  count(kind: Rejection, subject: string): void;
  counts(): ReadonlyMap<Rejection, number>;
}

const LOG_EVERY_MS = 60_000;

export function createDroppedMessages(options: {
  readonly clock: Stopwatch;
  readonly log: Pick<Log, "warn">;
}): DroppedMessages {
  const counts = new Map<Rejection, number>();
  const loggedAtMs = new Map<Rejection, number>();
  return {
    count(kind, subject) {
      const dropped = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, dropped);
      const nowMs = options.clock.nowMs();
      const before = loggedAtMs.get(kind);
      if (before !== undefined && nowMs - before < LOG_EVERY_MS) return;
      loggedAtMs.set(kind, nowMs);
      options.log.warn({ kind, subject, dropped }, "messages of the quote bus were dropped");
    },
    counts: () => counts,
  };
}
