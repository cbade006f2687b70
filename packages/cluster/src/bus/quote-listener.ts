import type { Clock, Stopwatch } from "@propgate/base";
import type { Instruments, PairId } from "@propgate/core";
import {
  BEFORE_FIRST_QUOTE,
  compareQuotePositions,
  isLater,
  type QuotePosition,
} from "@propgate/ledger";
import type { NumberedQuote, ReceivedQuotes } from "@propgate/market";
import type { BusDropReason, BusHead, MissedQuotesAnswer, QuoteMessage } from "./bus-message.ts";
import type { PairPlace } from "./quote-history.ts";
import { createReceivedNumbers } from "./received-numbers.ts";

/** The maximum time by which a quote may be ahead of this node's clock, because the clocks of nodes differ. */
const CLOCK_SKEW_MAX_MS = 5_000;
/** A feed that has sent no heartbeat for longer than this counts as gone. */
export const SILENT_MS = 3_000;

export interface QuoteListenerOptions {
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly steadyClock: Stopwatch;
  /** Reads the newest epoch that the database has given to a feed; null when there was no feed yet. */
  readonly feedEpoch: () => Promise<number | null>;
  readonly deliver: (quote: NumberedQuote) => void;
  /**
   * Sends the feed the place (epoch and number) up to which this node has all quotes of the newest epoch, and requests
   * the missing quotes of these pairs. The list may be empty.
   */
  readonly request: (pairs: readonly PairPlace[], place: QuotePosition) => void;
  /** Counts a dropped heartbeat: its epoch is not the newest one that the database has given to a feed. */
  readonly drop: (kind: BusDropReason) => void;
  readonly onFault: (cause: unknown) => void;
}

/**
 * Delivers the quotes of the newest feed: in order within each pair, and none twice. When quotes of a pair are missing,
 * its later quotes are not delivered until the feed's answer, which has the missing ones, merged. After the start of a
 * new epoch, every pair waits for such an answer.
 */
export interface QuoteListener {
  /**
   * This method and the next two return why the message is dropped. They return null when the message is used, or when
   * a later answer will have its quote.
   */
  takeQuote(message: QuoteMessage): BusDropReason | null;
  takeHeartbeat(head: BusHead): BusDropReason | null;
  takeAnswer(answer: MissedQuotesAnswer): BusDropReason | null;
  /** Requests the missing quotes again; call it every second. */
  requestAgain(): void;
  /**
   * The places up to which this node has received every quote: the quote itself, or a later quote of an answer into
   * which it was merged.
   */
  readonly receivedPlaces: ReceivedQuotes;
  /** True when no heartbeat of the feed has arrived for longer than `SILENT_MS`. */
  readonly isSilent: boolean;
  /** Why this node's quotes are behind the feed's; null when they are not, or not yet for longer than `SILENT_MS`. */
  problem(): string | null;
}

/** The number of the place; 0 when the place belongs to another epoch. */
function numberIn(epoch: number, place: QuotePosition): number {
  return place.epoch === epoch ? place.number : 0;
}

function isFuture({ receivedAtMs }: NumberedQuote, clock: Clock): boolean {
  return receivedAtMs > clock.now() + CLOCK_SKEW_MAX_MS;
}

function lastOf(last: ReadonlyMap<PairId, QuotePosition>, pair: PairId): QuotePosition {
  return last.get(pair) ?? BEFORE_FIRST_QUOTE;
}

export function createQuoteListener(options: QuoteListenerOptions): QuoteListener {
  const { instruments, clock, steadyClock } = options;
  let epoch = 0;
  const received = createReceivedNumbers();
  let lastHeartbeatAtMs = Number.NEGATIVE_INFINITY;
  let isConfirming = false;
  let behindSinceMs: number | null = null;
  const last = new Map<PairId, QuotePosition>();
  const behind = new Set<PairId>();

  const place = (): QuotePosition => ({ epoch, number: numberIn(epoch, received.reached) });
  const request = (): void => {
    if (behind.size === 0) return;
    behindSinceMs ??= steadyClock.nowMs();
    const lacking = [...behind].map((pair) => ({ pair, after: last.get(pair) ?? null }));
    options.request(lacking, place());
  };
  const requestAllPairs = (): void => {
    for (const pair of instruments.keys()) behind.add(pair);
    request();
  };
  const confirm = async (head: BusHead): Promise<void> => {
    if (isConfirming) return;
    isConfirming = true;
    const isGiven = await isGivenToFeed(head, options);
    isConfirming = false;
    if (!isGiven) return;
    epoch = head.epoch;
    received.beginEpoch(epoch);
    lastHeartbeatAtMs = steadyClock.nowMs();
    requestAllPairs();
  };
  const deliver = (quote: NumberedQuote): void => {
    last.set(quote.pair, { epoch: quote.epoch, number: quote.number });
    if (quote.epoch === epoch) received.add(quote.number);
    options.deliver(quote);
  };
  /** The number of the pair's newest quote in this epoch, 0 without one; its next quote names it as `previous`. */
  const lastNumber = (pair: PairId): number => numberIn(epoch, lastOf(last, pair));
  const rejectionOf = (quote: NumberedQuote): BusDropReason | null => {
    // The quotes of an epoch that is being confirmed are not used and not counted as dropped: an answer will have them.
    if (quote.epoch !== epoch) return quote.epoch > epoch && isConfirming ? null : "epoch";
    const before = lastNumber(quote.pair);
    if (quote.number <= before) return quote.number === before ? "twice" : "order";
    return isFuture(quote, clock) ? "future" : null;
  };
  const recordAnswered = (pairs: readonly PairId[], upTo: number): void => {
    received.recordAnswered(pairs, upTo);
    for (const pair of pairs) {
      behind.delete(pair);
      // With a place, the next answer has every later quote of the pair, and without one only its newest quote.
      if (!last.has(pair)) last.set(pair, BEFORE_FIRST_QUOTE);
    }
    if (behind.size > 0) return;
    behindSinceMs = null;
    received.advanceReached(instruments.keys());
  };
  const isSilent = () => steadyClock.nowMs() - lastHeartbeatAtMs > SILENT_MS;

  return {
    takeQuote({ quote }) {
      const rejection = rejectionOf(quote);
      if (rejection !== null) return rejection;
      // The requested answer will have this quote.
      if (quote.epoch > epoch || behind.has(quote.pair)) return null;
      if (quote.previous === lastNumber(quote.pair)) deliver(quote);
      else {
        behind.add(quote.pair);
        request();
      }
      return null;
    },
    takeHeartbeat(head) {
      // Either the heartbeat is late, or the feed numbers its quotes from an earlier number again. In the second case,
      // the place that this node sends shows the feed that its epoch was used before.
      if (compareQuotePositions(head, place()) < 0) options.request([], place());
      if (head.epoch < epoch) return "epoch";
      if (head.epoch > epoch) {
        void confirm(head);
        return null;
      }
      lastHeartbeatAtMs = steadyClock.nowMs();
      // The newest published quote has not arrived; it may be of any pair.
      if (behind.size === 0 && head.number > received.reached.number) requestAllPairs();
      return null;
    },
    takeAnswer({ head, pairs, quotes }) {
      if (head.epoch !== epoch) return "epoch";
      if (quotes.some((quote) => isFuture(quote, clock))) return "future";
      for (const quote of quotes) {
        if (isLater(quote, lastOf(last, quote.pair))) deliver(quote);
      }
      recordAnswered(pairs, head.number);
      return null;
    },
    receivedPlaces: received,
    get isSilent() {
      return isSilent();
    },
    requestAgain() {
      if (!isSilent()) request();
    },
    problem() {
      if (isSilent()) return "no node sends prices";
      if (behindSinceMs === null || steadyClock.nowMs() - behindSinceMs <= SILENT_MS) return null;
      return `the newest quotes of ${behind.size} pairs are missing`;
    },
  };
}

/**
 * True when the head's epoch is the newest one that the database has given to a feed; false also when that cannot be
 * read.
 */
async function isGivenToFeed({ epoch }: BusHead, options: QuoteListenerOptions): Promise<boolean> {
  try {
    if ((await options.feedEpoch()) === epoch) return true;
    options.drop("epoch");
  } catch (cause) {
    options.onFault(cause);
  }
  return false;
}
