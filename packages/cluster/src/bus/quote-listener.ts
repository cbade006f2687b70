import type { Clock, Stopwatch } from "@propgate/base";
import type { Instruments, PairId } from "@propgate/core";
import { comparePlaces, isLater, NO_PLACE, type QuotePlace } from "@propgate/ledger";
import type { NumberedQuote, ReceivedPlaces } from "@propgate/market";
import type { Answer, Head, QuoteMessage, Rejection } from "./bus-message.ts";
import type { PairPlace } from "./quote-history.ts";
import { createReceivedNumbers } from "./received-numbers.ts";

/** Max time by which a quote may be ahead of this node's clock: clocks of nodes differ. */
const CLOCKS_DIFFER_MS = 5_000;
/** A feed that is silent for longer counts as gone. */
export const SILENT_MS = 3_000;

export interface QuoteListenerOptions {
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly steadyClock: Stopwatch;
  /** The newest epoch that a node was given as the feed; null when there was none. */
  readonly feedEpoch: () => Promise<number | null>;
  readonly deliver: (quote: NumberedQuote) => void;
  /**
   * Reports to the feed the last number that this node has in the newest epoch, and requests the missing quotes of
   * these pairs.
   */
  readonly request: (pairs: readonly PairPlace[], place: QuotePlace) => void;
  /** Counts a heartbeat of an epoch that no feed has. */
  readonly drop: (kind: Rejection) => void;
  readonly onFault: (cause: unknown) => void;
}

/**
 * Delivers the quotes of the newest feed, each pair's in order and none twice. A pair whose messages have a gap waits
 * for the feed's answer, which has the quotes of the gap, merged. A new epoch counts as a gap of every pair.
 */
export interface QuoteListener {
  /** Each returns why the message is dropped; null when it was used, or will be part of a later answer. */
  quote(message: QuoteMessage): Rejection | null;
  heartbeat(head: Head): Rejection | null;
  answer(answer: Answer): Rejection | null;
  /** Requests the missing quotes again; call it every second. */
  requestAgain(): void;
  /** The quotes that were delivered, or merged away by an answer. */
  readonly received: ReceivedPlaces;
  /** True while no message from a feed arrives. */
  readonly isSilent: boolean;
  /** Why the quotes here are behind the feed's; null when they are not, or for a moment only. */
  problem(): string | null;
}

/** 0 for a place of another epoch. */
function numberIn(epoch: number, place: QuotePlace): number {
  return place.epoch === epoch ? place.number : 0;
}

function isFuture({ receivedAtMs }: NumberedQuote, clock: Clock): boolean {
  return receivedAtMs > clock.now() + CLOCKS_DIFFER_MS;
}

export function createQuoteListener(options: QuoteListenerOptions): QuoteListener {
  const { instruments, clock, steadyClock } = options;
  let epoch = 0;
  const received = createReceivedNumbers();
  let heardAtMs: number | null = null;
  let isConfirming = false;
  let behindSinceMs: number | null = null;
  const last = new Map<PairId, QuotePlace>();
  const behind = new Set<PairId>();

  const place = (): QuotePlace => ({ epoch, number: numberIn(epoch, received.reached) });
  const request = (): void => {
    if (behind.size === 0) return;
    behindSinceMs ??= steadyClock.nowMs();
    const lacking = [...behind].map((pair) => ({ pair, after: last.get(pair) ?? null }));
    options.request(lacking, place());
  };
  const missAll = (): void => {
    for (const pair of instruments.keys()) behind.add(pair);
    request();
  };
  const confirm = async (head: Head): Promise<void> => {
    if (isConfirming) return;
    isConfirming = true;
    const isGiven = await isGivenToFeed(head, options);
    isConfirming = false;
    if (!isGiven) return;
    epoch = head.epoch;
    received.begin(epoch);
    heardAtMs = steadyClock.nowMs();
    missAll();
  };
  const deliver = (quote: NumberedQuote): void => {
    last.set(quote.pair, { epoch: quote.epoch, number: quote.number });
    if (quote.epoch === epoch) received.add(quote.number);
    options.deliver(quote);
  };
  /** The pair's last number in this epoch, as the feed's next message names it. */
  const lastNumber = (pair: PairId): number => numberIn(epoch, last.get(pair) ?? NO_PLACE);
  const rejectionOf = (quote: NumberedQuote): Rejection | null => {
    // A new epoch is being confirmed after its first heartbeat.
    if (quote.epoch !== epoch) return quote.epoch > epoch && isConfirming ? null : "epoch";
    const before = lastNumber(quote.pair);
    if (quote.number <= before) return quote.number === before ? "twice" : "order";
    return isFuture(quote, clock) ? "future" : null;
  };
  const covered = (pairs: readonly PairId[], upTo: number): void => {
    received.cover(pairs, upTo);
    for (const pair of pairs) {
      behind.delete(pair);
      // From now on, this node wants every quote of the pair.
      if (!last.has(pair)) last.set(pair, NO_PLACE);
    }
    if (behind.size > 0) return;
    behindSinceMs = null;
    received.addCovered(instruments.keys());
  };
  const isSilent = (): boolean => heardAtMs === null || steadyClock.nowMs() - heardAtMs > SILENT_MS;

  return {
    quote({ quote }) {
      const rejection = rejectionOf(quote);
      if (rejection !== null) return rejection;
      // The answer has it.
      if (quote.epoch > epoch || behind.has(quote.pair)) return null;
      if (quote.previous === lastNumber(quote.pair)) {
        deliver(quote);
        return null;
      }
      behind.add(quote.pair);
      request();
      return null;
    },
    heartbeat(head) {
      // Late, or of a feed that counts epochs or quotes again from before: its quotes are dropped here.
      if (comparePlaces(head, place()) < 0) options.request([], place());
      if (head.epoch < epoch) return "epoch";
      if (head.epoch > epoch) {
        void confirm(head);
        return null;
      }
      heardAtMs = steadyClock.nowMs();
      // The newest quotes of some pair were lost, and no later one shows it.
      if (behind.size === 0 && head.number > received.reached.number) missAll();
      return null;
    },
    answer({ head, pairs, quotes }) {
      if (head.epoch !== epoch) return "epoch";
      if (quotes.some((quote) => isFuture(quote, clock))) return "future";
      for (const quote of quotes) {
        if (isLater(quote, last.get(quote.pair) ?? NO_PLACE)) deliver(quote);
      }
      covered(pairs, head.number);
      return null;
    },
    received,
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

/** An epoch counts only when the database has given it to a feed. */
async function isGivenToFeed({ epoch }: Head, options: QuoteListenerOptions): Promise<boolean> {
  try {
    if ((await options.feedEpoch()) === epoch) return true;
    options.drop("epoch");
  } catch (cause) {
    options.onFault(cause);
  }
  return false;
}
