import type { Clock, Timer } from "@propgate/base";
import { type Instruments, isOpen, type PairId } from "@propgate/core";
import {
  BEFORE_FIRST_QUOTE,
  type DecidedQuotes,
  isLater,
  type QuoteBarrier,
  type QuotePosition,
} from "@propgate/ledger";
import type { QuoteBoard } from "./quote-board.ts";
import type { NumberedQuote } from "./quotes/numbered-quote.ts";

/** Finds up to which epoch and number this node has received the quotes of the feed. */
export interface ReceivedQuotes {
  /** All quotes of the newest feed up to this epoch and number have arrived. */
  readonly reached: QuotePosition;
  /** The number up to which all quotes of an epoch have arrived; 0 when this is not known. */
  reachedIn(epoch: number): number;
}

export interface QuoteBarrierOptions {
  readonly board: Pick<QuoteBoard, "isHalted" | "origin" | "restored" | "onQuote">;
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly timer: Timer;
  /** The bus of several nodes; null in a process that makes its quotes itself. */
  readonly bus: ReceivedQuotes | null;
  /** The epoch of the quotes that this process makes. */
  readonly epoch: () => number;
  /** The first quote of each pair that has arrived and is not on the board yet. */
  readonly firstWaiting: () => readonly NumberedQuote[];
}

interface Wait {
  readonly quotes: DecidedQuotes;
  readonly end: (isReached: boolean) => void;
}

const CHECK_EVERY_MS = 10;

/** Creates the barrier of this process. It compares the quotes of a decision with the quotes that the board shows. */
export function createQuoteBarrier(options: QuoteBarrierOptions): QuoteBarrier {
  const { board, clock, timer } = options;
  const waits = new Set<Wait>();
  let isLooking = false;
  /**
   * The epoch of the newest feed of which the board has shown a quote, and the time at which it showed that feed's
   * first quote. Quotes of earlier feeds are older.
   */
  let newest = { epoch: 0, sinceMs: 0 };
  const isUnderWay = ({ place, isDecidedHere }: DecidedQuotes): boolean =>
    !isDecidedHere && stateOf(options, place) === "underWay";
  const lostEpoch = ({ place, lostEpoch: known, isDecidedHere }: DecidedQuotes): number => {
    const isLost = !isDecidedHere && stateOf(options, place) === "lost";
    return isLost ? Math.max(known, place.epoch) : known;
  };
  const allows = (quotes: DecidedQuotes): boolean => {
    if (isUnderWay(quotes)) return false;
    const epoch = lostEpoch(quotes);
    if (epoch === 0) return true;
    const newerForMs = epoch < newest.epoch ? clock.now() - newest.sinceMs : 0;
    return !showsUpTo(options, { epoch, newerForMs }, quotes.pairs());
  };

  const look = (): void => {
    for (const wait of waits) {
      if (!allows(wait.quotes)) continue;
      waits.delete(wait);
      wait.end(true);
    }
  };
  const lookAgain = (): void => {
    isLooking = waits.size > 0;
    if (!isLooking) return;
    timer.after(CHECK_EVERY_MS, () => {
      look();
      lookAgain();
    });
  };
  board.onQuote(({ pair }) => {
    const { epoch } = shownPlace(board, pair);
    if (epoch > newest.epoch) newest = { epoch, sinceMs: clock.now() };
    // The check runs as a microtask: then the remaining quotes of the present wave are back in the waiting queue, where
    // `firstWaiting` finds them.
    if (waits.size > 0) queueMicrotask(look);
  });

  return {
    allows,
    lostEpoch,
    wait: (quotes, forMs) =>
      new Promise((resolve) => {
        const wait: Wait = { quotes, end: resolve };
        waits.add(wait);
        timer.after(forMs, () => {
          if (waits.delete(wait)) resolve(false);
        });
        if (!isLooking) lookAgain();
      }),
  };
}

/**
 * Whether the quotes up to the epoch and number in `place` are on the board, have yet to arrive, or were lost with the
 * processes that had them.
 */
function stateOf(
  options: QuoteBarrierOptions,
  place: QuotePosition,
): "shown" | "underWay" | "lost" {
  const { bus } = options;
  if (bus === null) return hasOwnQuotes(options, place) ? "shown" : "lost";
  if (options.firstWaiting().some((first) => mayLackQuote(options, first, place)))
    return "underWay";
  if (place.epoch >= bus.reached.epoch) return isLater(place, bus.reached) ? "underWay" : "shown";
  return place.number > bus.reachedIn(place.epoch) ? "lost" : "shown";
}

/**
 * True when the board may lack a quote up to the epoch and number in `place`. There are two cases. The pair's first
 * waiting quote is not later than `place`. Or this waiting quote is later, but merging has removed quotes before it,
 * which may be up to `place`, and the quote on the board is from before `place`.
 */
function mayLackQuote(
  { board }: QuoteBarrierOptions,
  first: NumberedQuote,
  place: QuotePosition,
): boolean {
  if (!isLater(first, place)) return true;
  const shown = shownPlace(board, first.pair);
  const isNext = shown.epoch === first.epoch && shown.number === first.previous;
  return !isNext && isLater(place, shown);
}

function shownPlace(board: QuoteBarrierOptions["board"], pair: PairId): QuotePosition {
  return board.origin(pair) ?? board.restored.get(pair) ?? BEFORE_FIRST_QUOTE;
}

/**
 * Whether this process has all quotes up to `place`, when there is no bus. It has every quote of its own epoch, because
 * it makes them. Of an earlier epoch it has the quotes up to the newest one that was stored and restored.
 */
function hasOwnQuotes({ board, epoch }: QuoteBarrierOptions, place: QuotePosition): boolean {
  if (place.epoch === epoch() || place.number === 0) return true;
  for (const restored of board.restored.values()) {
    if (restored.epoch === place.epoch && restored.number >= place.number) return true;
  }
  return false;
}

/**
 * True when the board shows no quote of one of these pairs that is newer than the lost epoch, while a lost quote of the
 * pair could still be fresh. Three kinds of pairs do not count: those with a closed market, halted ones, and those
 * whose lost quotes must be stale. Such a pair may get no newer quote for a long time, and exits of the account's other
 * pairs must not wait for one. Its quotes only value positions. @rule D13.judges
 */
function showsUpTo(
  { board, instruments, clock }: QuoteBarrierOptions,
  lost: { readonly epoch: number; readonly newerForMs: number },
  pairs: Iterable<PairId>,
): boolean {
  const now = clock.now();
  for (const pair of pairs) {
    const instrument = instruments.get(pair);
    if (instrument === undefined || !isOpen(instrument.session, now)) continue;
    if (lost.newerForMs > instrument.staleAfterMs) continue;
    if (board.isHalted(pair)) continue;
    if (shownPlace(board, pair).epoch <= lost.epoch) return true;
  }
  return false;
}
