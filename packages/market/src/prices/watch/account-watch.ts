import type { Clock } from "@propgate/base";
import {
  type AccountId,
  type AccountState,
  type AwaitedPrice,
  awaitedPrice,
  barredEntries,
  type Instruments,
  isAwaitingSwitchClose,
  isFresh,
  type PairId,
  type PendingOrder,
  type Quote,
  type UnixMs,
} from "@propgate/core";
import {
  type BestQuotesLookup,
  mergeByPrice,
  type VersionedState,
  type WaitingCount,
} from "@propgate/ledger";
import type { QuoteBoard } from "../quote-board.ts";
import type { Settlements } from "../settlements.ts";
import type { BestOnTape } from "../tape/bests-on-tape.ts";
import { everyQuoteLevel } from "./equity-band.ts";
import { createEquityWatch, type EquityEffect, type WatchedEquity } from "./equity-watch.ts";
import { createFollowedBests } from "./followed-bests.ts";
import { orderLevels } from "./order-levels.ts";
import { createRateWaits } from "./rate-waits.ts";
import {
  createTriggerBook,
  NO_LEVELS,
  type PlacedLevels,
  type TriggerBook,
  type WatchLevel,
} from "./trigger-book.ts";

/** Finds the accounts that a quote affects, and starts their settlements. */
export interface AccountWatch {
  /**
   * Watches a committed account. A version that is not newer than the known one is ignored. `onTape` finds the best
   * prices that its trailing stops have followed in another process, or before a start.
   */
  observe(account: VersionedState, onTape?: BestOnTape): void;
  /** Stops watching the accounts for which `isForgotten` returns true. */
  forget(isForgotten: (accountId: AccountId) => boolean): void;
  /** The number of accounts with open positions or pending orders. */
  exposedCount(): number;
  /** How many accounts hold a position in each pair. */
  holders(): ReadonlyMap<PairId, number>;
  /**
   * The missing prices without which accounts are not judged. Accounts count even when no judgement of theirs is due.
   */
  missingPrices(): readonly MissingPrice[];
  /** Counts the triggers that a quote would reach. */
  reachedBy(quote: Quote): ReachedTriggers;
  /** The newest observed version of the account; 0 when there is none. */
  versionOf(accountId: AccountId): number;
  /** Checks the account again at the next quote, because a settlement that did not happen may still be due then. */
  recheck(accountId: AccountId): void;
  /** The best prices that the trailing stops of the accounts have followed. */
  readonly bests: BestQuotesLookup;
  /** The accounts with a best price that no event has recorded yet. */
  accountsWithUnrecordedBests(): readonly AccountId[];
  /** Nominates every account that these quotes affect. The quotes must already be on the board. */
  nominate(quotes: readonly Quote[]): Nominations;
}

/**
 * The accounts that one missing price keeps from being judged: the pair, the reason, and the number of accounts. While
 * it is missing, no limit ends these accounts and none of them passes. @rule D13.judges
 */
export interface MissingPrice extends WaitingCount {
  /**
   * The time of the pair's last quote, the last at which the accounts may have been judged; null when the pair never
   * had one.
   */
  readonly sinceMs: UnixMs | null;
}

/** How many stops, targets and pending entries a price reaches, and how many accounts have them. */
export interface ReachedTriggers {
  readonly triggers: number;
  readonly accounts: number;
}

/** The settlements that some quotes have caused. */
export interface Nominations {
  /** The settlements of the accounts with an order that the quotes reach. */
  readonly triggered: readonly Promise<void>[];
  /** How many accounts the quotes may end or pass. Their settlements start immediately. */
  readonly judged: number;
  /** The settlements of new lows of pro accounts and of new levels of loss limits, which wait for a free slot. */
  readonly lows: readonly Promise<void>[];
}

export interface AccountWatchOptions {
  readonly board: QuoteBoard;
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly settlements: () => Settlements;
}

export function createAccountWatch(options: AccountWatchOptions): AccountWatch {
  const { board, settlements } = options;
  const triggers = createTriggerBook<AccountId>();
  const bests = createFollowedBests(options);
  const equity = createEquityWatch(options.instruments);
  const known = new Map<AccountId, WatchedAccount>();
  const rates = createRateWaits(options);
  const canTrigger = (pair: PairId) => liveQuote(options, pair);

  /**
   * Begins the settlement that an effect needs. Returns the postponed settlement for `record`, and `judged` for
   * `final`, which settles immediately. Null without an effect, and for an account that waits for a price.
   */
  const nominateFor = (
    { state }: Pick<WatchedEquity, "state">,
    effect: EquityEffect | null,
  ): Promise<void> | "judged" | null => {
    if (effect === null) return null;
    const { accountId } = state;
    if (waitsForPrice(options, state)) {
      equity.recheck(accountId);
      return null;
    }
    if (effect === "record") return settlements().postpone(accountId);
    void settlements().nominate(accountId, "allPrices");
    return "judged";
  };

  /**
   * Watches the prices at which the account's orders trigger, with its trailing stops at their followed prices, and
   * every quote of positions that are being closed.
   */
  const watchLevels = (account: WatchedAccount, state: AccountState): void => {
    const { accountId, status, orders } = state;
    const levels = status === "active" ? levelsOf(state, bests.orders(accountId) ?? orders) : [];
    account.levels = triggers.replace(accountId, account.levels, levels);
  };

  /** Moves the trailing stops for which a quote is better than their best price. */
  const follow = (quote: Quote): void => {
    const moved = new Set<AccountId>();
    bests.follow(quote, moved);
    for (const accountId of moved) {
      const account = known.get(accountId);
      if (account !== undefined && account.state !== null) watchLevels(account, account.state);
    }
  };

  /**
   * The accounts with an order that the quotes reach, and those for which the quotes may have caused an `EquityEffect`.
   */
  const affectedBy = (quotes: readonly Quote[]) => {
    const triggered = new Set<AccountId>();
    const inDoubt = new Set<WatchedEquity>();
    const trigger = (accountId: AccountId) => void triggered.add(accountId);
    for (const quote of quotes) {
      follow(quote);
      for (const due of rates.withReleased(quote)) {
        if (canTrigger(due.pair) !== null) triggers.collect(due, trigger);
      }
      equity.collect(quote, inDoubt);
    }
    return { triggered, inDoubt };
  };

  return {
    observe({ state, version }, onTape) {
      const { accountId } = state;
      const account = accountIn(known, accountId);
      if (account.version >= version) return;
      const before = account.state;
      const isQuiet = state.positions.length === 0 && state.orders.length === 0;
      account.version = version;
      account.state = isQuiet ? null : state;
      if (isQuiet && before === null) return;
      bests.update({ state, version }, before, onTape ?? null);
      watchLevels(account, state);
      void nominateFor({ state }, equity.update(state, board.quotes));
      // The account has entries on an unknown or blocked pair, which were placed under another catalogue. They must be
      // settled too. @rule D13.barredEntries
      const hasBarred = barredEntries(state, options.instruments).length > 0;
      if (hasBarred || triggers.reaches(account.levels, canTrigger)) {
        void settlements().nominate(accountId, "allPrices");
        for (const { pair } of state.orders) rates.wait(pair);
      }
    },
    forget(isForgotten) {
      for (const [accountId, { state, version, levels }] of known) {
        if (!isForgotten(accountId)) continue;
        known.delete(accountId);
        triggers.replace(accountId, levels, []);
        if (state === null) continue;
        const quiet = { ...state, positions: [], orders: [] };
        bests.update({ state: quiet, version }, state, null);
        equity.update(quiet, board.quotes);
      }
    },
    ...countsOf({ ...options, known, triggers }),
    bests: bests.bestsOf,
    accountsWithUnrecordedBests: () => bests.accountsWithUnrecordedBests(),
    versionOf: (accountId) => known.get(accountId)?.version ?? 0,
    recheck: (accountId) => equity.recheck(accountId),
    nominate(quotes) {
      const { triggered, inDoubt } = affectedBy(quotes);
      const settling = [...triggered].map((id) => settlements().nominate(id, "itsPrice"));
      const found = [...inDoubt].map((account) =>
        nominateFor(account, equity.check(account, board.quotes)),
      );
      return {
        triggered: settling,
        judged: found.filter((one) => one === "judged").length,
        lows: found.filter((one) => one instanceof Promise),
      };
    },
  };
}

/** The methods that count watched accounts. */
function countsOf({
  known,
  triggers,
  ...options
}: AccountWatchOptions & {
  readonly known: ReadonlyMap<AccountId, WatchedAccount>;
  readonly triggers: TriggerBook<AccountId>;
}): Pick<AccountWatch, "exposedCount" | "holders" | "missingPrices" | "reachedBy"> {
  return {
    exposedCount: () => [...known.values()].filter(({ state }) => state !== null).length,
    holders: () => countHolders(known),
    missingPrices: () => unjudgedIn(options, known),
    reachedBy: (quote) => countReached(triggers, quote),
  };
}

/**
 * The missing prices of all watched accounts. An account counts once, at the first of its positions that waits.
 * @rule D13.judges
 */
function unjudgedIn(
  { board, instruments, clock }: AccountWatchOptions,
  known: ReadonlyMap<AccountId, WatchedAccount>,
): readonly MissingPrice[] {
  const prices = { now: clock.now(), quotes: board.quotes, instruments };
  // The missing price is computed once for each pair, because every node counts all its accounts with each heartbeat.
  const awaitedBy = new Map<PairId, AwaitedPrice | null>();
  const awaitedOf = (position: AccountState["positions"][number]): AwaitedPrice | null => {
    const { pair } = position;
    let awaited = awaitedBy.get(pair);
    if (awaited === undefined) {
      awaited = awaitedPrice({ positions: [position] }, prices, "quote");
      awaitedBy.set(pair, awaited);
    }
    return awaited;
  };
  const waiting = new Map<AwaitedPrice, number>();
  for (const { state } of known.values()) {
    const awaited = firstFound(state?.positions ?? [], awaitedOf);
    if (awaited !== null) waiting.set(awaited, (waiting.get(awaited) ?? 0) + 1);
  }
  const counts = [...waiting].map(([awaited, accounts]) => {
    const sinceMs = board.quote(awaited.pair)?.atMs ?? null;
    return { ...awaited, accounts, sinceMs };
  });
  // Two pairs may wait for the same conversion rate. That price is listed once.
  return mergeByPrice(counts, (one) => one);
}

/** The first result that is not null; null when all are. */
function firstFound<One, Found>(
  all: readonly One[],
  find: (one: One) => Found | null,
): Found | null {
  for (const one of all) {
    const found = find(one);
    if (found !== null) return found;
  }
  return null;
}

function countReached(book: TriggerBook<AccountId>, quote: Quote): ReachedTriggers {
  const reached: AccountId[] = [];
  book.collect(quote, (accountId) => void reached.push(accountId));
  return { triggers: reached.length, accounts: new Set(reached).size };
}

function countHolders(known: ReadonlyMap<AccountId, WatchedAccount>): ReadonlyMap<PairId, number> {
  const holders = new Map<PairId, number>();
  for (const { state } of known.values()) {
    for (const { pair } of state?.positions ?? []) {
      holders.set(pair, (holders.get(pair) ?? 0) + 1);
    }
  }
  return holders;
}

function accountIn(known: Map<AccountId, WatchedAccount>, accountId: AccountId): WatchedAccount {
  const before = known.get(accountId);
  if (before !== undefined) return before;
  const account: WatchedAccount = { version: -1, state: null, levels: NO_LEVELS };
  known.set(accountId, account);
  return account;
}

/**
 * Whether the account waits for a price of one of its positions. Then a quote of another pair does not judge the
 * account. @rule D13.judges
 */
function waitsForPrice(
  { board, instruments, clock }: AccountWatchOptions,
  state: AccountState,
): boolean {
  const prices = { now: clock.now(), quotes: board.quotes, instruments };
  return awaitedPrice(state, prices, "quote") !== null;
}

interface WatchedAccount {
  version: number;
  /** The account; null when it has neither positions nor orders, so that no price affects it. */
  state: AccountState | null;
  /** The watched prices of its orders. */
  levels: PlacedLevels;
}

/**
 * The pair's fresh quote. Null when the pair has no quote or is not in the catalogue, and when its quote is stale or
 * halted or its market is closed, because then no order triggers.
 */
function liveQuote({ board, instruments, clock }: AccountWatchOptions, pair: PairId): Quote | null {
  const quote = board.quote(pair);
  const instrument = instruments.get(pair);
  if (quote === null || instrument === undefined) return null;
  return isFresh(quote, instrument, clock.now()) ? quote : null;
}

/**
 * Every price that triggers one of the orders, and the levels of `closingLevels`. The prices at which a trailing stop
 * only follows are left out.
 */
function levelsOf(state: AccountState, orders: readonly PendingOrder[]): readonly WatchLevel[] {
  const triggering = orderLevels(orders, (reaction) => reaction !== "ratchet");
  return [...triggering, ...closingLevels(state)];
}

/**
 * Levels that every quote reaches, for positions that a dead man's switch closes at their first live quote.
 * @rule D9.cancelAllAfter
 */
function closingLevels(state: AccountState): readonly WatchLevel[] {
  if (state.closing === undefined) return [];
  const closing = state.positions.filter(({ uuid }) => isAwaitingSwitchClose(state, uuid));
  return closing.map(({ pair }) => everyQuoteLevel(pair));
}
