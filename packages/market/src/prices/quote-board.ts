import {
  type CorporateAction,
  type CorporateActions,
  type PairId,
  type Quote,
  type QuoteMap,
  type QuoteOrigin,
  type QuoteStanding,
  quoteInScale,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import { isLater, type QuotePosition } from "@propgate/ledger";
import type { QuoteStore, StoredQuote } from "../storage/quote-store.ts";
import type { NumberedQuote } from "./quotes/numbered-quote.ts";

/**
 * Why a pair is halted. `operator`: an operator has halted it. `sources`: its last quote is in doubt, for example
 * because live sources differ. `bus`: quotes from other nodes do not arrive.
 */
export type HaltCause = "operator" | "sources" | "bus";

/**
 * Shows for each pair the newest quote at which accounts are settled. Every price that values a position, moves a limit
 * or triggers an order comes from this board. The intake has judged each quote, so a rejected quote affects no account:
 * a session's last quote stays until the next session's first, and a pair whose first quote comes while its market is
 * closed has none yet. @rule D10.closedMarkets
 */
export interface QuoteBoard {
  /** Shows the quote. False, without a change, when the board already shows this quote of the pair or a later one. */
  show(quote: NumberedQuote): boolean;
  /**
   * Halts the pair's present quote and later ones until `lift` for the same cause. Halted quotes only value positions.
   * @rule D10.haltedPair D10.haltedFills
   */
  halt(pair: PairId, cause: HaltCause): void;
  /**
   * Ends the halt of later quotes for this cause. After `operator` and `sources` the present quote stays halted until
   * the next one, because it may be the wrong price for which the pair was halted. After `bus` the present quote counts
   * again, because it is as valid as before the halt. On a board of `given` quotes it counts again after each cause.
   * @rule D13.judges
   */
  lift(pair: PairId, cause: HaltCause): void;
  /**
   * True during a halt, and after it while the present quote stays halted. A pair without a quote can be halted too.
   */
  isHalted(pair: PairId): boolean;
  /** The pair's newest quote, in its present scale and with its standing; null when there is none. */
  quote(pair: PairId): Quote | null;
  /**
   * The number and the source of the pair's quote. Null without a quote, and for a restored quote of an earlier
   * process.
   */
  origin(pair: PairId): QuoteOrigin | null;
  /** The pair's newest quote with its source, restored quotes included; null when there is none. */
  newest(pair: PairId): (Quote & Pick<NumberedQuote, "source">) | null;
  /** A live view of the newest quotes, by pair. */
  readonly quotes: QuoteMap;
  /** The epochs and numbers of the quotes that `restore` has taken over. */
  readonly restored: ReadonlyMap<PairId, QuotePosition>;
  /** The time since the pair's newest quote, in milliseconds; null when there is none. */
  ageMs(pair: PairId, now: UnixMs): number | null;
  /** Adds a listener for each quote that is shown, in order. */
  onQuote(listener: (quote: Quote) => void): void;
  /**
   * Adjusts the quotes from before a corporate action that is due by `now`, each once. Later calls of `show` do the
   * same for quotes that were made before the action. @rule D11.scale
   */
  adjust(actions: CorporateActions, now: UnixMs): void;
  /** The corporate actions of the pair in the last call of `adjust`, by time. */
  actionsOf(pair: PairId): readonly CorporateAction[];
  /**
   * The quote adjusted for the corporate actions up to a time, for comparison with a quote of that time.
   * @rule D11.scale
   */
  inScale(quote: Quote, now: UnixMs): Quote;
  /**
   * Takes over the stored quotes of an earlier process, except those later than `now`. A replay on the time of its data
   * may run before them, and would then reject every price as older.
   */
  restore(store: QuoteStore, now: UnixMs): Promise<void>;
  /** Stores the quotes that have come since the last call, and those that the last call could not store. */
  save(store: QuoteStore): Promise<void>;
}

/**
 * Creates an empty board. `given` is for callers that move the clock and also set the quotes, as in the sandbox.
 * @rule D13.judges
 */
export function createQuoteBoard(kind: "sent" | "given" = "sent"): QuoteBoard {
  const quotes = new Map<PairId, Quote>();
  const shown = new Map<PairId, NumberedQuote>();
  const sources = new Map<PairId, string>();
  const unsaved = new Map<PairId, StoredQuote>();
  const restored = new Map<PairId, QuotePosition>();
  const listeners: ((quote: Quote) => void)[] = [];
  const halted: Readonly<Record<HaltCause, Set<PairId>>> = {
    operator: new Set(),
    sources: new Set(),
    bus: new Set(),
  };
  /** Pairs whose present quote is from before the end of a halt. */
  const doubtful = new Set<PairId>();
  /** Computes the standing of the pair's present quote again, such as `halted`, and shows it. */
  const refreshStanding = (pair: PairId): void => {
    const shownNow = quotes.get(pair);
    if (shownNow === undefined) return;
    const { standing: _standing, ...quote } = shownNow;
    quotes.set(pair, standingOn(quote));
  };
  const standingOn = (quote: Quote): Quote => {
    const standing = standingOf(quote.pair);
    return standing === null ? quote : { ...quote, standing };
  };
  const isHalted = (pair: PairId): boolean =>
    doubtful.has(pair) || Object.values(halted).some((pairs) => pairs.has(pair));
  const standingOf = (pair: PairId): QuoteStanding | null => {
    if (isHalted(pair)) return "halted";
    if (kind === "given") return "given";
    // The quote was restored, and no quote of this process has replaced it.
    return shown.has(pair) ? null : "stored";
  };
  let due: Due = { actions: new Map(), now: unixMs(0) };
  const actionsOf = (pair: PairId) => due.actions.get(pair) ?? [];
  const inScale = (quote: Quote, now: UnixMs): Quote =>
    quoteInScale(quote, actionsOf(quote.pair), { now, isPending });

  return {
    quotes,
    restored,
    show(numbered) {
      const before = shown.get(numbered.pair);
      if (before !== undefined && !isLater(numbered, before)) return false;
      const { pair, bid, ask, atMs } = numbered;
      // The shown quote lacks its number, so that no number can reach an account's journal.
      const made: Quote = { pair, bid, ask, atMs };
      shown.set(pair, numbered);
      doubtful.delete(pair);
      const quote = standingOn(inScale(made, due.now));
      quotes.set(pair, quote);
      // The stored quote stays as it was made, so that a restart adjusts it again.
      const { epoch, number, source } = numbered;
      sources.set(pair, source);
      unsaved.set(pair, { quote: made, place: { epoch, number }, source });
      for (const listener of listeners) listener(quote);
      return true;
    },
    halt(pair, cause) {
      halted[cause].add(pair);
      refreshStanding(pair);
    },
    lift(pair, cause) {
      if (!halted[cause].delete(pair)) return;
      // The present quote is from before the end of the halt, so it counts as halted until the next quote.
      // @rule D13.afterHalt decides
      if (cause !== "bus" && kind === "sent") doubtful.add(pair);
      refreshStanding(pair);
    },
    isHalted,
    quote: (pair) => quotes.get(pair) ?? null,
    origin(pair) {
      const numbered = shown.get(pair);
      if (numbered === undefined) return null;
      const { epoch, number, source } = numbered;
      return { epoch, number, source };
    },
    newest(pair) {
      const [quote, source] = [quotes.get(pair), sources.get(pair)];
      return quote === undefined || source === undefined ? null : { ...quote, source };
    },
    ageMs(pair, now) {
      const last = quotes.get(pair);
      return last === undefined ? null : now - last.atMs;
    },
    onQuote: (listener) => void listeners.push(listener),
    adjust(actions, now) {
      due = { actions, now };
      for (const pair of actions.keys()) {
        const quote = quotes.get(pair);
        if (quote !== undefined) quotes.set(pair, inScale(quote, now));
      }
    },
    actionsOf,
    inScale,
    async restore(store, now) {
      for (const { quote, place, source } of await store.load()) {
        if (quotes.has(quote.pair) || quote.atMs > now) continue;
        sources.set(quote.pair, source);
        restored.set(quote.pair, place);
        quotes.set(quote.pair, standingOn(quote));
      }
    },
    save: (store) => saveEach(unsaved, store),
  };
}

/**
 * Stores the unsaved quotes. Quotes that could not be stored are stored with the next ones, unless their pairs have
 * newer ones.
 */
async function saveEach(unsaved: Map<PairId, StoredQuote>, store: QuoteStore): Promise<void> {
  const batch = [...unsaved.values()];
  if (batch.length === 0) return;
  unsaved.clear();
  try {
    await store.save(batch);
  } catch (cause) {
    for (const one of batch) {
      if (!unsaved.has(one.quote.pair)) unsaved.set(one.quote.pair, one);
    }
    throw cause;
  }
}

interface Due {
  readonly actions: CorporateActions;
  readonly now: UnixMs;
}

/** Whether an action is still pending: never, because the board only has actions that are due. */
function isPending(): boolean {
  return false;
}
