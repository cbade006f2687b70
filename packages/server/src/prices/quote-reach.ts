import { type Instruments, isFresh, isOpen, type PairId } from "@propgate/core";
import type { Clock, Timer } from "../base/clock.ts";
import { isLater, type QuotePlace } from "../storage/rows/quote-place.ts";
import type { DecidedQuotes, QuoteReach } from "../trading/executor-port.ts";
import type { QuoteBoard } from "./quote-board.ts";

/** How far a node has received the quotes of the feed. */
export interface ReceivedPlaces {
  /** All quotes of the newest feed up to this place have come. */
  readonly reached: QuotePlace;
  /** All quotes of the feed before it up to this place have come. */
  readonly formerReached: QuotePlace;
}

export interface QuoteReachOptions {
  readonly board: Pick<QuoteBoard, "quotes" | "origin" | "restoredPlace" | "onQuote">;
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly timer: Timer;
  /** The bus of several nodes; null in a process that makes its own quotes. */
  readonly bus: ReceivedPlaces | null;
  /** The epoch of this process's own quotes. */
  readonly epoch: () => number;
  /** The first place among the quotes that came and are not shown; null without one. */
  readonly firstWaiting: () => QuotePlace | null;
}

interface Wait {
  readonly quotes: DecidedQuotes;
  readonly end: (isReached: boolean) => void;
}

const LOOK_EVERY_MS = 10;

/** The reach of this process's board. */
export function createQuoteReach(options: QuoteReachOptions): QuoteReach {
  const { board, bus, timer } = options;
  const waits = new Set<Wait>();
  let isLooking = false;
  const has = (quotes: DecidedQuotes): boolean =>
    bus === null ? hasOwn(options, quotes) : hasFrom(bus, options, quotes);

  const look = (): void => {
    for (const wait of waits) {
      if (!has(wait.quotes)) continue;
      waits.delete(wait);
      wait.end(true);
    }
  };
  const lookAgain = (): void => {
    isLooking = waits.size > 0;
    if (!isLooking) return;
    timer.after(LOOK_EVERY_MS, () => {
      look();
      lookAgain();
    });
  };
  board.onQuote(() => {
    // Later in the turn: the quotes behind this one wait again by then.
    if (waits.size > 0) queueMicrotask(look);
  });

  return {
    has,
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
 * A process alone decides by its own board, so it has every quote of its own epoch that an account was decided at.
 * Of the quotes of an earlier process, it has the stored ones.
 */
function hasOwn(options: QuoteReachOptions, { place, pairs }: DecidedQuotes): boolean {
  const epoch = options.epoch();
  if (place.epoch === epoch || !isLater(place, options.board.restoredPlace)) return true;
  return !showsOlder(options, epoch, pairs);
}

function hasFrom(
  bus: ReceivedPlaces,
  options: QuoteReachOptions,
  { place, pairs }: DecidedQuotes,
): boolean {
  const { reached, formerReached } = bus;
  const waiting = options.firstWaiting();
  if (waiting !== null && !isLater(waiting, place)) return false;
  if (place.epoch >= reached.epoch) return !isLater(place, reached);
  return !isLater(place, formerReached) || !showsOlder(options, reached.epoch, pairs);
}

/**
 * True while the board shows a quote of an earlier feed whose pair may have had later ones that never came here, and
 * that orders fill at, or that values a position. A pair whose market is closed gets no newer quote until it opens, and
 * the account must not wait so long.
 */
function showsOlder(
  { board, instruments, clock }: QuoteReachOptions,
  epoch: number,
  pairs: ReadonlySet<PairId>,
): boolean {
  const now = clock.now();
  for (const [pair, quote] of board.quotes) {
    if ((board.origin(pair)?.epoch ?? 0) >= epoch) continue;
    const instrument = instruments.get(pair);
    if (instrument === undefined) continue;
    if (isFresh(quote, instrument, now)) return true;
    if (pairs.has(pair) && isOpen(instrument.session, now)) return true;
  }
  return false;
}
