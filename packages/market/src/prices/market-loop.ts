import { type Clock, createSerialQueue } from "@propgate/base";
import type { AccountId, Instruments, PairId, Quote } from "@propgate/core";
import type { BestQuotesLookup, Executor, Ownership, VersionedState } from "@propgate/ledger";
import { createDoubtfulAccounts } from "./doubtful-accounts.ts";
import type { Publish } from "./port.ts";
import { type BoardLag, createPushedQuotes } from "./pushed-quotes.ts";
import type { QuoteBoard } from "./quote-board.ts";
import type { NumberedQuote } from "./quotes/numbered-quote.ts";
import { offerQuote } from "./quotes/offer-quote.ts";
import type { OfferKind, QuoteIntake, QuoteVerdict } from "./quotes/quote-intake.ts";
import { createSettlements, type Settlements } from "./settlements.ts";
import type { BestOnTape } from "./tape/bests-on-tape.ts";
import {
  type AccountWatch,
  createAccountWatch,
  type MissingPrice,
  type ReachedTriggers,
} from "./watch/account-watch.ts";

export interface MarketLoopOptions {
  readonly executor: Executor;
  readonly board: QuoteBoard;
  /**
   * Judges and numbers the quotes of `publish` and `publishOperatorQuotes`; `push` gets quotes that are already
   * numbered.
   */
  readonly intake: QuoteIntake;
  /** The name of the source whose quotes `publish` gets. */
  readonly source: string;
  readonly instruments: Instruments;
  readonly clock: Clock;
  /** The leases of the accounts that this node decides; undefined when this node decides all accounts. */
  readonly ownership?: Pick<Ownership, "leaseOf"> | undefined;
  /**
   * Called with unexpected errors of settlements and of pushed quotes. The next check of all prices settles again what
   * failed.
   */
  readonly onFault: (cause: unknown) => void;
}

/**
 * Settles accounts at the prices that affect them. The board shows the next quotes only when everything that the
 * present quotes cause is committed: each order that they trigger, each elimination and each passed challenge. New lows
 * of pro accounts are the exception: later calls do not wait for them, because in a falling market every quote makes
 * one. When a source waits for each call, every low is recorded. When calls come faster than lows commit, an account
 * settles at the newest prices as soon as a slot is free, and a low from which it has recovered by then is not
 * recorded.
 */
export interface MarketLoop {
  /**
   * Watches accounts that were committed before the loop existed, or by another process. `onTape` finds the best prices
   * that their trailing stops have followed since an event last recorded a best price. Without `onTape` the stops
   * continue from the recorded best prices.
   */
  watchAccounts(accounts: Iterable<VersionedState>, onTape?: BestOnTape): void;
  /** Stops watching the accounts for which `isForgotten` returns true, and following best prices for them. */
  forget(isForgotten: (accountId: AccountId) => boolean): void;
  /** The number of watched accounts with open positions or pending orders. */
  watchedCount(): number;
  /** How many watched accounts hold a position in each pair. */
  holders(): ReadonlyMap<PairId, number>;
  /** The prices whose absence prevents watched accounts from being judged. */
  missingPrices(): readonly MissingPrice[];
  /**
   * Counts the orders of watched accounts whose price the quote would reach, and the accounts that have these orders.
   */
  reachedBy(quote: Quote): ReachedTriggers;
  /** The version at which the account is watched; 0 when it is not watched. */
  watchedVersion(accountId: AccountId): number;
  /**
   * The best prices that the trailing stops of accounts have followed. Every decision and every shown stop needs them.
   */
  readonly bests: BestQuotesLookup;
  /** The accounts with a best price that no event has recorded yet. */
  accountsWithUnrecordedBests(): readonly AccountId[];
  /** Takes quotes of price sources. Resolves when all effects of these quotes are committed, new lows included. */
  readonly publish: Publish;
  /**
   * Takes quotes that an operator sets, which skip the outlier check. Returns the verdict on each, in order, when all
   * effects are committed.
   */
  publishOperatorQuotes(quotes: readonly Quote[]): Promise<readonly QuoteVerdict[]>;
  /**
   * Takes a quote of a live feed that the intake has accepted, without waiting. While accounts settle at a quote of a
   * pair, the pair's next quotes wait. They then settle in the order of their numbers. At most fifteen quotes of a pair
   * wait; `indexesToKeep` chooses them. A waiting quote that has become too old triggers no order.
   */
  push(quote: NumberedQuote): void;
  /** How far the board is behind the quotes that were pushed. */
  lag(): BoardLag;
  /** The first quote of each pair that was pushed and is not on the board yet. */
  firstWaitingQuotes(): readonly NumberedQuote[];
  /** The number of nominated accounts that are not settled yet. */
  unsettledCount(): number;
  /**
   * Calls `change` when the effects of all quotes pushed before this call are committed, and before later ones are
   * shown.
   */
  runBetweenQuotes(change: () => void): Promise<void>;
  /**
   * Checks the newest quotes again, because a market may have opened since, and settles doubtful accounts. It does not
   * wait for the settlements of new lows.
   */
  sweep(): Promise<void>;
  /** Resolves when the quotes pushed before this call, and every settlement with its follow-ups, have ended. */
  whenSettled(): Promise<void>;
}

export function createMarketLoop(options: MarketLoopOptions): MarketLoop {
  const { board, executor, intake } = options;
  const watch: AccountWatch = createAccountWatch({ ...options, settlements: () => settlements });
  const observe = createObserver(watch, options);
  const settlements: Settlements = createSettlements({
    ...options,
    observe,
    onUnchanged: (account) => watch.recheck(account),
    onUnsettled: (account) => doubts.keepForSweep(account),
  });
  executor.onCommit((accounts) => {
    for (const account of accounts) observe(account);
  });

  const doubts = createDoubtfulAccounts(executor, {
    isOwned: (account) => options.ownership?.leaseOf(account) !== null,
    settle: (account) => void settlements.nominate(account, "allPrices"),
  });

  const turns = createSerialQueue();
  /**
   * Waits for the given settlements, or without an argument for those of all nominated accounts. Then settles once more
   * the accounts of commands whose fate is unknown.
   */
  const whenSettled = async (some?: readonly Promise<void>[]): Promise<void> => {
    await (some === undefined ? settlements.whenCurrentSettled() : Promise.all(some));
    if (doubts.isEmpty) return;
    doubts.settleNew();
    await settlements.whenCurrentSettled();
  };
  const pushed = createPushedQuotes({ ...options, watch, turns, whenSettled, settlements });

  let isOffering = false;
  /** Offers the quotes to the intake and returns the accepted ones; adds the verdict on each to `verdicts`. */
  const offer = (quotes: readonly Quote[], { as, verdicts }: Offering): NumberedQuote[] => {
    const source = as === "hand" ? "hand" : options.source;
    isOffering = true;
    try {
      return quotes.flatMap((quote) => {
        const verdict = offerQuote(intake, quote, { source, as });
        verdicts.push(verdict);
        return verdict === "accepted" ? (intake.newest(quote.pair) ?? []) : [];
      });
    } finally {
      isOffering = false;
    }
  };
  const take = async (quotes: readonly Quote[], as: OfferKind): Promise<TakenQuotes> => {
    const verdicts: QuoteVerdict[] = [];
    let lows: readonly Promise<void>[] = [];
    for (const wave of wavesOf(quotes)) {
      // Later calls do not wait for the settlements of new lows. The waves of one call do, so each low is recorded.
      await Promise.all(lows);
      await settlements.whenCurrentSettled();
      const accepted = offer(wave, { as, verdicts });
      // Quotes that were pushed earlier have lower numbers, so they are shown first.
      if (!pushed.isEmpty) await pushed.settleWaiting();
      ({ lows } = watch.nominate(accepted.filter((quote) => board.show(quote))));
      doubts.settleNew();
    }
    await settlements.whenCurrentSettled();
    return { verdicts, lows };
  };

  return {
    watchAccounts(accounts, onTape) {
      for (const account of accounts) watch.observe(account, onTape);
    },
    forget(isForgotten) {
      watch.forget(isForgotten);
      doubts.forget(isForgotten);
    },
    ...readsOf(watch),
    async publish(quotes) {
      const { lows } = await turns.run(() => take(quotes, "feed"));
      await Promise.all(lows);
    },
    publishOperatorQuotes: (quotes) =>
      turns.run(async () => {
        const { verdicts, lows } = await take(quotes, "hand");
        await Promise.all(lows);
        return verdicts;
      }),
    push(quote) {
      // The bus also delivers the quotes that this loop itself offers. `take` settles them, so they are not queued.
      if (!isOffering) pushed.push(quote);
    },
    lag: () => pushed.lag(),
    firstWaitingQuotes: () => pushed.firstQuotes(),
    unsettledCount: () => settlements.pending,
    runBetweenQuotes(change) {
      // Quotes that are pushed from now on are shown after the change, even when they arrive before it has begun.
      const settleBefore = pushed.cut();
      return turns.run(async () => {
        await settleBefore();
        change();
      });
    },
    sweep: () =>
      turns.run(async () => {
        doubts.sweep();
        void watch.nominate([...board.quotes.values()]);
        await settlements.whenCurrentSettled();
      }),
    whenSettled: () =>
      turns.run(async () => {
        if (!pushed.isEmpty) await pushed.settleWaiting();
        await settlements.whenAllSettled();
      }),
  };
}

/** The methods of the loop that only read the watched accounts. */
function readsOf(
  watch: AccountWatch,
): Pick<
  MarketLoop,
  | "watchedCount"
  | "holders"
  | "missingPrices"
  | "reachedBy"
  | "watchedVersion"
  | "bests"
  | "accountsWithUnrecordedBests"
> {
  return {
    watchedCount: () => watch.exposedCount(),
    holders: () => watch.holders(),
    missingPrices: () => watch.missingPrices(),
    reachedBy: (quote) => watch.reachedBy(quote),
    watchedVersion: (accountId) => watch.versionOf(accountId),
    bests: watch.bests,
    accountsWithUnrecordedBests: () => watch.accountsWithUnrecordedBests(),
  };
}

/**
 * Makes the function that watches a committed account again. It ignores accounts that another node has taken over
 * meanwhile.
 */
function createObserver(
  watch: AccountWatch,
  { ownership }: Pick<MarketLoopOptions, "ownership">,
): (account: VersionedState) => void {
  if (ownership === undefined) return (account) => watch.observe(account);
  return (account) => {
    if (ownership.leaseOf(account.state.accountId) !== null) watch.observe(account);
  };
}

interface Offering {
  readonly as: OfferKind;
  /** Receives the verdict on each quote, in order. */
  readonly verdicts: QuoteVerdict[];
}

interface TakenQuotes {
  /** The verdict on each quote, in order. */
  readonly verdicts: readonly QuoteVerdict[];
  /** The settlements of new lows at the last wave's prices, which are not committed yet. */
  readonly lows: readonly Promise<void>[];
}

/**
 * Splits a batch into waves. A new wave begins at each quote whose pair is already in the present wave. The quotes of
 * one wave can settle together: no quote of the wave replaces another one on the board before the orders that the other
 * one triggers have settled.
 */
function* wavesOf(quotes: readonly Quote[]): Generator<readonly Quote[]> {
  let wave: Quote[] = [];
  const seen = new Set<PairId>();
  for (const quote of quotes) {
    if (seen.has(quote.pair)) {
      yield wave;
      wave = [];
      seen.clear();
    }
    seen.add(quote.pair);
    wave.push(quote);
  }
  if (wave.length > 0) yield wave;
}
