import { type Clock, createTurns } from "@propgate/base";
import type { AccountId, Instruments, PairId, Quote } from "@propgate/core";
import type { BestsOf, Executor, Ownership, VersionedState } from "@propgate/ledger";
import { createDoubtfulAccounts } from "./doubtful-accounts.ts";
import type { Publish } from "./port.ts";
import { type BoardLag, createPushedQuotes } from "./pushed-quotes.ts";
import type { QuoteBoard } from "./quote-board.ts";
import type { NumberedQuote } from "./quotes/numbered-quote.ts";
import { offerQuote } from "./quotes/offer-quote.ts";
import type { OfferedAs, QuoteIntake, QuoteVerdict } from "./quotes/quote-intake.ts";
import { createSettlements, type Settlements } from "./settlements.ts";
import type { BestOnTape } from "./tape/bests-on-tape.ts";
import {
  type AccountWatch,
  createAccountWatch,
  type ReachedTriggers,
  type UnjudgedAccounts,
} from "./watch/account-watch.ts";

export interface MarketLoopOptions {
  readonly executor: Executor;
  readonly board: QuoteBoard;
  /** Judges and numbers the quotes of `publish` and `give`; `push` gets numbered ones. */
  readonly intake: QuoteIntake;
  /** The name of the source that calls `publish`. */
  readonly source: string;
  readonly instruments: Instruments;
  readonly clock: Clock;
  /** The accounts that this node decides; all unless given. */
  readonly ownership?: Pick<Ownership, "leaseOf"> | undefined;
  /** Called with the error of a settlement whose fate is unknown; the next quote retries it. */
  readonly onFault: (cause: unknown) => void;
}

/**
 * Brings prices to the accounts that they affect. The board shows only quotes of one moment until
 * every order that they trigger, and every account that they end or pass, is committed; only then
 * come the next quotes. New lows of pro accounts are the exception, because in a falling market
 * every quote brings one: later calls do not wait for them. A source that waits for each call has
 * every low recorded. When calls come faster than lows commit, each account settles at the newest
 * prices when its slot comes, and a low that recovered by then is not recorded.
 */
export interface MarketLoop {
  /**
   * Takes over accounts that were committed before the loop existed, or by another process. `onTape` finds the best
   * prices that their trailing stops have followed since then; without it the stops continue from the recorded best
   * prices.
   */
  takeOver(accounts: Iterable<VersionedState>, onTape?: BestOnTape): void;
  /** Watches these accounts no longer, and follows no best prices for them. */
  forget(isForgotten: (accountId: AccountId) => boolean): void;
  /** The number of watched accounts with open positions or pending orders. */
  watching(): number;
  /** How many watched accounts hold a position in each pair. */
  holders(): ReadonlyMap<PairId, number>;
  /** The prices without which watched accounts are not judged. */
  unjudged(): readonly UnjudgedAccounts[];
  /** Counts the triggers of watched accounts that a quote would reach. */
  reachedBy(quote: Quote): ReachedTriggers;
  /** The watched version of the account; 0 when it is not watched. */
  watched(accountId: AccountId): number;
  /** The best prices that the accounts' trailing stops have followed; every decision and every shown stop needs it. */
  readonly bests: BestsOf;
  /** The accounts with a best price that no event has recorded. */
  followed(): readonly AccountId[];
  /** Takes quotes of price sources. Resolves when all effects of these quotes are committed. */
  readonly publish: Publish;
  /** Takes quotes that an operator sets, which skip the outlier check; returns the verdict on each. */
  give(quotes: readonly Quote[]): Promise<readonly QuoteVerdict[]>;
  /**
   * For live feeds: takes a quote that the intake accepted, and never waits. Quotes that come while
   * earlier ones of their pair are settled wait, at most fifteen of a pair, and then settle in order
   * of number: see `keptPlaces` for what merging keeps. A waiting quote that became too old triggers nothing.
   */
  push(quote: NumberedQuote): void;
  /** How far the board is behind the quotes that were pushed. */
  lag(): BoardLag;
  /** The first quote of each pair that was pushed and is not shown. */
  firstWaiting(): readonly NumberedQuote[];
  /** How many nominated accounts are not settled yet. */
  unsettled(): number;
  /** Calls `change` between the quotes pushed so far, when their effects are committed, and those after. */
  between(change: () => void): Promise<void>;
  /**
   * Checks the newest quotes again, because a market may have opened since. Does not wait for new lows: the next check
   * finds them.
   */
  sweep(): Promise<void>;
  /** Resolves when the quotes pushed so far and every triggered settlement have ended, follow-ups included. */
  settled(): Promise<void>;
}

export function createMarketLoop(options: MarketLoopOptions): MarketLoop {
  const { board, executor, intake } = options;
  const watch: AccountWatch = createAccountWatch({ ...options, settlements: () => settlements });
  const observe = observing(watch, options);
  const settlements: Settlements = createSettlements({
    ...options,
    observe,
    onUnchanged: (account) => watch.recheck(account),
    onUnsettled: (account) => doubts.keep(account),
  });
  executor.onCommit((accounts) => {
    for (const account of accounts) observe(account);
  });

  const doubts = createDoubtfulAccounts(executor, {
    isOwned: (account) => options.ownership?.leaseOf(account) !== null,
    settle: (account) => void settlements.nominate(account, "allPrices"),
  });

  const turns = createTurns();
  /** Waits for these settlements, or for all; one of unknown fate is tried once more at its price. */
  const settled = async (some?: readonly Promise<void>[]): Promise<void> => {
    await (some === undefined ? settlements.current() : Promise.all(some));
    if (doubts.isEmpty) return;
    doubts.resolve();
    await settlements.current();
  };
  const pushed = createPushedQuotes({ ...options, watch, turns, settled, settlements });

  let isOffering = false;
  /** The accepted ones among these quotes; adds the verdict on each. */
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
  const take = async (quotes: readonly Quote[], as: OfferedAs): Promise<Taken> => {
    const verdicts: QuoteVerdict[] = [];
    let lows: readonly Promise<void>[] = [];
    for (const wave of wavesOf(quotes)) {
      // Prices of one call also wait for each other's lows.
      await Promise.all(lows);
      await settlements.current();
      const accepted = offer(wave, { as, verdicts });
      // Earlier pushed quotes have lower numbers, so they come first.
      if (!pushed.isEmpty) await pushed.settleWaiting();
      ({ lows } = watch.nominate(accepted.filter((quote) => board.show(quote))));
      doubts.resolve();
    }
    await settlements.current();
    return { verdicts, lows };
  };

  return {
    takeOver(accounts, onTape) {
      for (const account of accounts) watch.observe(account, onTape);
    },
    forget(isForgotten) {
      watch.forget(isForgotten);
      doubts.forget(isForgotten);
    },
    ...readsOf(watch),
    async publish(quotes) {
      const { lows } = await turns.take(() => take(quotes, "feed"));
      await Promise.all(lows);
    },
    give: (quotes) =>
      turns.take(async () => {
        const { verdicts, lows } = await take(quotes, "hand");
        await Promise.all(lows);
        return verdicts;
      }),
    push(quote) {
      // The bus also brings the quotes that this loop offers, which settle in their own turn.
      if (!isOffering) pushed.push(quote);
    },
    lag: () => pushed.lag(),
    firstWaiting: () => pushed.firsts(),
    unsettled: () => settlements.pending,
    between(change) {
      // Quotes that come from now on are shown after the change, also those that come before its turn.
      const settleBefore = pushed.cut();
      return turns.take(async () => {
        await settleBefore();
        change();
      });
    },
    sweep: () =>
      turns.take(async () => {
        doubts.sweep();
        void watch.nominate([...board.quotes.values()]);
        await settlements.current();
      }),
    settled: () =>
      turns.take(async () => {
        if (!pushed.isEmpty) await pushed.settleWaiting();
        await settlements.all();
      }),
  };
}

/** Reads of the watched accounts. */
function readsOf(
  watch: AccountWatch,
): Pick<
  MarketLoop,
  "watching" | "holders" | "unjudged" | "reachedBy" | "watched" | "bests" | "followed"
> {
  return {
    watching: () => watch.exposed(),
    holders: () => watch.holders(),
    unjudged: () => watch.unjudged(),
    reachedBy: (quote) => watch.reachedBy(quote),
    watched: (accountId) => watch.version(accountId),
    bests: watch.bests,
    followed: () => watch.followed(),
  };
}

/** Takes committed accounts, but not those that another node has taken over meanwhile and watches. */
function observing(
  watch: AccountWatch,
  { ownership }: Pick<MarketLoopOptions, "ownership">,
): (account: VersionedState) => void {
  if (ownership === undefined) return (account) => watch.observe(account);
  return (account) => {
    if (ownership.leaseOf(account.state.accountId) !== null) watch.observe(account);
  };
}

interface Offering {
  readonly as: OfferedAs;
  /** Gets the verdict on each quote. */
  readonly verdicts: QuoteVerdict[];
}

interface Taken {
  /** The verdict on each quote, in order. */
  readonly verdicts: readonly QuoteVerdict[];
  /** New lows of the last prices, not committed yet. */
  readonly lows: readonly Promise<void>[];
}

/**
 * Splits a batch where a pair repeats. The quotes of one part can settle together, because no quote
 * hides another from the orders that it triggers.
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
