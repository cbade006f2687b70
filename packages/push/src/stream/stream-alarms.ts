import type { Timer } from "@propgate/base";
import { LIMITS } from "@propgate/contract";
import type { EventDesk, UntilOver } from "@propgate/ledger";
import type { StreamRequest } from "@propgate/wire";

/**
 * `over`: the client is gone or the service stops. `key`: the key is no longer allowed. `age`: the stream's life is
 * over.
 */
export type StreamEnding = "over" | "key" | "age";

/** The reasons to wake a stream. They keep that something is due, and nothing that is to be sent. */
export interface StreamAlarms {
  /** Resolves when something is due. */
  next(): Promise<void>;
  ending(): StreamEnding | null;
  /** Calls the listener when the stream ends. */
  readonly untilEnding: UntilOver;
  /** True when the account has a version after this one, once for each. */
  takeNewer(sequence: number): boolean;
  isMarkDue(): boolean;
  /** A mark was sent, so the next one is due later. */
  marked(): void;
  /** True when quotes are due: at first, and then once in each period. */
  takeQuotes(): boolean;
  /** The key is allowed after all, so it is watched again. */
  watchKey(): void;
  stop(): void;
}

/** @rule D9.streamMarks D9.streamEnds */
export function createStreamAlarms(options: {
  readonly request: StreamRequest;
  readonly events: Pick<EventDesk, "follow">;
  readonly timer: Timer;
}): StreamAlarms {
  const { request, events, timer } = options;
  const bell = createBell();
  const listeners = new Set<() => void>();
  let ending: StreamEnding | null = null;
  let newest = 0;
  let areQuotesDue = request.pairs.length > 0;

  const end = (how: StreamEnding) => (): void => {
    ending ??= how;
    bell.ring();
    for (const listener of listeners) listener();
  };
  const watchKey = (): (() => void) => request.keyInUse.onEnded(end("key"));
  const mark = createAlarm(timer, LIMITS.streamMarkMs, () => bell.ring());
  const quotes = createAlarm(timer, request.everyMs, () => {
    areQuotesDue = true;
    bell.ring();
  });
  let stopWatchingKey = watchKey();
  const stops = [
    request.untilOver(end("over")),
    timer.after(LIMITS.streamLifeMs, end("age")),
    events.follow(request.accountId, (version) => {
      if (version <= newest) return;
      newest = version;
      bell.ring();
    }),
  ];
  mark.set();

  return {
    next: () => bell.rung(),
    ending: () => ending,
    untilEnding(listener) {
      if (ending !== null) listener();
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    takeNewer(sequence) {
      const isNewer = newest > sequence;
      if (isNewer) newest = 0;
      return isNewer;
    },
    isMarkDue: () => mark.isDue(),
    marked: () => mark.set(),
    takeQuotes() {
      const areDue = areQuotesDue;
      areQuotesDue = false;
      if (areDue) quotes.set();
      return areDue;
    },
    watchKey() {
      if (ending === "key") ending = null;
      stopWatchingKey();
      stopWatchingKey = watchKey();
    },
    stop() {
      mark.clear();
      quotes.clear();
      stopWatchingKey();
      for (const one of stops) one();
    },
  };
}

/** A timer that is due until it is set again. */
function createAlarm(timer: Timer, ms: number, onDue: () => void) {
  let isDue = false;
  let cancel = (): void => undefined;
  return {
    isDue: () => isDue,
    set(): void {
      cancel();
      isDue = false;
      cancel = timer.after(ms, () => {
        isDue = true;
        onDue();
      });
    },
    clear: () => cancel(),
  };
}

/** Several rings before one wait count as one. */
function createBell() {
  let isRung = false;
  let wake: (() => void) | null = null;
  return {
    ring(): void {
      isRung = true;
      wake?.();
    },
    async rung(): Promise<void> {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      wake = null;
      isRung = false;
    },
  };
}
