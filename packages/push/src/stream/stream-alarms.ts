import type { Timer } from "@propgate/base";
import { LIMITS } from "@propgate/contract";
import type { EventDesk, OnRequestEnd } from "@propgate/ledger";
import type { StreamRequest } from "@propgate/wire";

/**
 * Why a stream ends. `over`: the client is gone or the service stops. `key`: the key may have lost its permission.
 * `age`: the stream has reached its maximum age.
 */
export type StreamEnding = "over" | "key" | "age";

/**
 * Wakes a stream when something is due. It only remembers that events, quotes, a mark or the end are due. It does not
 * hold the data to send.
 */
export interface StreamAlarms {
  /** Resolves when something has become due since the previous call. */
  next(): Promise<void>;
  /** Why the stream ends; null while it continues. */
  ending(): StreamEnding | null;
  /** Calls the listener when the stream ends, or immediately when it has already ended. */
  readonly untilEnding: OnRequestEnd;
  /**
   * True when a version of the account greater than `sequence` was reported, or one smaller than the version of an
   * earlier report. In the second case the journal may have lost lines. Each report counts once.
   */
  takeNewer(sequence: number): boolean;
  /** True when no mark was sent for the period of marks. */
  isMarkDue(): boolean;
  /** Call it when a mark was sent; the next one is due a period later. */
  postponeMark(): void;
  /** True when quotes are due: at first, and then once in each period. */
  takeQuotes(): boolean;
  /** Call it when the key still has its permission: an ending `key` is cancelled and the key is watched again. */
  watchKey(): void;
  /** Cancels all timers and subscriptions. */
  stop(): void;
}

/** Makes the alarms of one stream, which run until `stop`. @rule D9.streamMarks D9.streamEnds D9.streamQuotes */
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
  let lastReported = 0;
  let isBack = false;
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
      if (version === lastReported) return;
      isBack ||= version < lastReported;
      lastReported = version;
      newest = Math.max(newest, version);
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
      const isDue = newest > sequence || isBack;
      if (isDue) newest = 0;
      isBack = false;
      return isDue;
    },
    isMarkDue: () => mark.isDue(),
    postponeMark: () => mark.set(),
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

/** A repeatable alarm: it becomes due `ms` after `set`, and stays due until it is set again. */
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

/** Wakes a waiting caller. Several rings before one wait count as one. */
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
