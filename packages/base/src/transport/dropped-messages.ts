import type { Stopwatch } from "../clock.ts";
import type { Log } from "../log.ts";

/** Counts dropped messages, and logs each kind at most once a minute. */
export interface DroppedMessages<Kind extends string> {
  count(kind: Kind, subject: string): void;
  counts(): ReadonlyMap<Kind, number>;
}

const LOG_EVERY_MS = 60_000;

/** Makes the counter. `text` is the message of each log line, which also has the kind, the subject and the count. */
export function createDroppedMessages<Kind extends string>(options: {
  readonly clock: Stopwatch;
  readonly log: Pick<Log, "warn">;
  readonly text: string;
}): DroppedMessages<Kind> {
  const counts = new Map<Kind, number>();
  const loggedAtMs = new Map<Kind, number>();
  return {
    count(kind, subject) {
      const dropped = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, dropped);
      const nowMs = options.clock.nowMs();
      const before = loggedAtMs.get(kind);
      if (before !== undefined && nowMs - before < LOG_EVERY_MS) return;
      loggedAtMs.set(kind, nowMs);
      options.log.warn({ kind, subject, dropped }, options.text);
    },
    counts: () => counts,
  };
}
