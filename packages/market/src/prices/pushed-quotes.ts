import { type Clock, type SerialQueue, yieldToEventLoop } from "@propgate/base";
import { type Instruments, isFresh, type PairId } from "@propgate/core";
import type { QuoteBoard } from "./quote-board.ts";
import type { NumberedQuote } from "./quotes/numbered-quote.ts";
import { createWaitingQuotes, type WaitingQuotes } from "./quotes/waiting-quotes.ts";
import type { Settlements } from "./settlements.ts";
import type { AccountWatch, Nominations } from "./watch/account-watch.ts";

/** How far the board is behind the quotes of the feed. */
export interface BoardLag {
  /** The number of accepted quotes that the board has not shown yet. */
  readonly waiting: number;
  /** The time since the longest waiting quote was received; 0 when none waits. */
  readonly oldestMs: number;
  /** How many quotes merging has removed since the start. */
  readonly mergedAway: number;
}

/** The queue of the quotes of live feeds, which do not wait for accounts to settle. */
export interface PushedQuotes {
  /** Takes the quote without waiting. It is shown after the earlier quotes of its pair have settled. */
  push(quote: NumberedQuote): void;
  /** Settles the quotes that wait at this moment. Call it only in a task of the queue `turns`. */
  settleWaiting(): Promise<void>;
  /**
   * Separates the quotes pushed before this call from later ones. Later ones wait until the returned function has
   * settled the earlier ones. Call the returned function only in a task of the queue `turns`.
   */
  cut(): () => Promise<void>;
  readonly isEmpty: boolean;
  /** The first waiting quote of each pair. */
  firstQuotes(): readonly NumberedQuote[];
  lag(): BoardLag;
}

export interface PushedQuotesOptions {
  readonly board: QuoteBoard;
  readonly watch: Pick<AccountWatch, "nominate">;
  readonly settlements: Pick<Settlements, "whenNoneHoldsAll">;
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly turns: SerialQueue;
  /** Resolves when these settlements have ended; without an argument, when all nominated accounts have settled. */
  readonly whenSettled: (some?: readonly Promise<void>[]) => Promise<void>;
  readonly onFault: (cause: unknown) => void;
}

/** The maximum number of quotes that are shown before the process yields to other work. */
const SHOWN_MAX = 256;

export function createPushedQuotes(options: PushedQuotesOptions): PushedQuotes {
  const { clock, turns, whenSettled } = options;
  let mergedAway = 0;
  const newQueue = () =>
    createWaitingQuotes((removed) => {
      mergedAway += removed;
    });
  let waiting = newQueue();
  /** The quotes pushed before each cut that is not settled yet, in the order of the cuts. */
  const cuts: WaitingQuotes[] = [];
  /** The quotes that `settleWaiting` is settling; empty while it does not run. */
  let earlier = newQueue();
  const held = new Map<PairId, Promise<void>>();
  let hasTurn = false;

  const all = (): readonly WaitingQuotes[] => [earlier, ...cuts, waiting];
  const isEmpty = (): boolean => waiting.size === 0 && cuts.every(({ size }) => size === 0);
  /** Holds back the pair's next quote until the accounts that its present quote affects have settled at it. */
  const hold = (pair: PairId, settlements: readonly Promise<void>[]): void => {
    const released = whenSettled(settlements)
      .catch(options.onFault)
      .then(() => {
        held.delete(pair);
        if (!isEmpty()) scheduleShowing();
      });
    held.set(pair, released);
  };
  /** Shows the quotes of all pairs that are not held. Only quotes of held pairs wait afterwards. */
  const showFree = async (queue: WaitingQuotes): Promise<void> => {
    for (;;) {
      await options.settlements.whenNoneHoldsAll();
      const wave = showWave(options, { quotes: queue.takeExcept(held), held, hold });
      queue.putBack(wave.rest);
      if (wave.end === null) return;
      if (wave.end === "long") await yieldToEventLoop();
    }
  };
  const scheduleShowing = (): void => {
    if (hasTurn) return;
    hasTurn = true;
    const turn = turns.run(() => {
      hasTurn = false;
      return showFree(cuts[0] ?? waiting);
    });
    turn.catch(options.onFault);
  };
  const settle = async (queue: WaitingQuotes): Promise<void> => {
    while (queue.size > 0) {
      await Promise.all(held.values());
      await showFree(queue);
    }
  };

  return {
    push(quote) {
      waiting.add(quote);
      if (!held.has(quote.pair)) scheduleShowing();
    },
    async settleWaiting() {
      for (const queue of cuts) await settle(queue);
      earlier = waiting;
      waiting = newQueue();
      await settle(earlier);
      await whenSettled();
    },
    cut() {
      const before = waiting;
      cuts.push(before);
      waiting = newQueue();
      return async () => {
        try {
          await settle(before);
          await whenSettled();
        } finally {
          cuts.splice(cuts.indexOf(before), 1);
          // Quotes that remain after a fault are shown with those after the cut.
          (cuts[0] ?? waiting).putBack(before.takeExcept(NONE_HELD));
          if (!isEmpty()) scheduleShowing();
        }
      };
    },
    get isEmpty() {
      return isEmpty();
    },
    firstQuotes() {
      const firsts = all()
        .toReversed()
        .flatMap((queue) => queue.firstQuotes());
      return [...new Map(firsts.map((quote) => [quote.pair, quote])).values()];
    },
    lag() {
      const oldest = all()
        .map((queue) => queue.oldestReceivedAtMs())
        .find((one) => one !== null);
      return {
        waiting: all().reduce((sum, { size }) => sum + size, 0),
        oldestMs: oldest === undefined ? 0 : Math.max(0, clock.now() - oldest),
        mergedAway,
      };
    },
  };
}

const NONE_HELD: ReadonlySet<PairId> = new Set();

interface Showing {
  /** The quotes to show, in the order of their numbers. */
  readonly quotes: readonly NumberedQuote[];
  /** The pairs whose next quote must wait. */
  readonly held: ReadonlyMap<PairId, unknown>;
  readonly hold: (pair: PairId, settlements: readonly Promise<void>[]) => void;
}

interface Wave {
  /**
   * Why the wave ended early: `judged` when a quote ends or passes an account, `long` after `SHOWN_MAX` quotes. Null
   * when no quote is left except those of held pairs.
   */
  readonly end: "judged" | "long" | null;
  /** The quotes that were not shown. */
  readonly rest: readonly NumberedQuote[];
}

/**
 * Shows one quote after another. Orders settle at the price of their own pair, so they hold back only that pair's next
 * quote. A verdict on equity depends on the prices of all pairs at that moment, so it ends the wave.
 */
function showWave(options: PushedQuotesOptions, { quotes, held, hold }: Showing): Wave {
  const last = new Map(quotes.map(({ pair }, place) => [pair, place]));
  const rest: NumberedQuote[] = [];
  for (const [place, quote] of quotes.entries()) {
    if (held.has(quote.pair)) {
      rest.push(quote);
      continue;
    }
    const isNewest = last.get(quote.pair) === place;
    const { triggered, judged } = showQuote(options, quote, isNewest);
    if (triggered.length > 0) hold(quote.pair, triggered);
    if (judged > 0) return { end: "judged", rest: [...rest, ...quotes.slice(place + 1)] };
    if (place + 1 >= SHOWN_MAX) return { end: "long", rest: [...rest, ...quotes.slice(place + 1)] };
  }
  return { end: null, rest };
}

const NO_EFFECT: Nominations = { triggered: [], judged: 0, lows: [] };

/**
 * Shows a quote and nominates the accounts that it affects. A quote that is too old to trigger an order is left out,
 * except the pair's newest one: it values positions.
 */
function showQuote(
  options: PushedQuotesOptions,
  quote: NumberedQuote,
  isNewest: boolean,
): Nominations {
  if (!isNewest && isTooOld(options, quote)) return NO_EFFECT;
  return options.board.show(quote) ? options.watch.nominate([quote]) : NO_EFFECT;
}

function isTooOld({ instruments, clock }: PushedQuotesOptions, quote: NumberedQuote): boolean {
  const instrument = instruments.get(quote.pair);
  return instrument !== undefined && !isFresh(quote, instrument, clock.now());
}
