import type { Clock } from "@propgate/base";
import {
  type AccountId,
  type AccountState,
  type BracketLeg,
  bestQuoteInScale,
  type CorporateAction,
  holderScaleOf,
  type Instruments,
  isActionPending,
  isImprovedBy,
  isSameTrailing,
  liveMarket,
  markOf,
  type OrderUuid,
  type PairId,
  type PendingOrder,
  type Price,
  type Quote,
  splitOrder,
} from "@propgate/core";
import type { BestQuotesLookup, VersionedState } from "@propgate/ledger";
import type { QuoteBoard } from "../quote-board.ts";
import { type BestOnTape, followedSince } from "../tape/bests-on-tape.ts";
import { orderLevels } from "./order-levels.ts";
import {
  createTriggerBook,
  NO_LEVELS,
  type PlacedLevels,
  type WatchLevel,
} from "./trigger-book.ts";

/**
 * Keeps the best price that each trailing stop has followed since an event last recorded one. A stop follows a better
 * price only in memory; the next event of the account records it. @rule D5.trailing
 */
export interface FollowedBests {
  /**
   * Takes a committed account, and forgets the best prices that its events have recorded or an edit has reset. `onTape`
   * finds the best prices that the stops have followed in another process, or before a start.
   */
  update(account: VersionedState, before: AccountState | null, onTape: BestOnTape | null): void;
  /** Lets the stops follow a quote of the board. Adds to `into` the accounts whose stops have moved. */
  follow(quote: Quote, into: Set<AccountId>): void;
  /** The orders of the account with the followed best prices; undefined for an account without trailing stops. */
  orders(accountId: AccountId): readonly PendingOrder[] | undefined;
  readonly bestsOf: BestQuotesLookup;
  /** The accounts with a best price that no event has recorded yet. */
  accountsWithUnrecordedBests(): readonly AccountId[];
}

export interface FollowedBestsOptions {
  readonly board: QuoteBoard;
  readonly instruments: Instruments;
  readonly clock: Clock;
}

/** An account with trailing stops, and the best prices that they have followed. */
interface TrailingAccount {
  readonly version: number;
  readonly state: AccountState;
  /** The quotes with the followed best prices, by leg. */
  readonly bests: Map<OrderUuid, Quote>;
  orders: readonly PendingOrder[];
  /** The watched prices in the trigger book: when one is reached, a leg follows a better price. */
  levels: PlacedLevels;
}

export function createFollowedBests(options: FollowedBestsOptions): FollowedBests {
  const { board, clock } = options;
  const accounts = new Map<AccountId, TrailingAccount>();
  const book = createTriggerBook<AccountId>();
  /**
   * Accounts whose legs still have the scale from before a corporate action. Their levels in the book do not fit quotes
   * of the new scale.
   */
  const awaitingAction = new Set<AccountId>();
  const dueActions = new Map<PairId, number>();

  /** The exit price of a quote in the scale of the account's positions and orders. @rule D13.oneScale */
  const markFor = ({ state }: TrailingAccount, { direction }: BracketLeg, quote: Quote): Price => {
    const scale = holderScaleOf(state, { now: clock.now() });
    return markOf(direction, bestQuoteInScale(quote, board.actionsOf(quote.pair), scale));
  };
  const noteScale = (account: TrailingAccount): void => {
    const { accountId } = account.state;
    if (isAwaitingAction(account, options)) awaitingAction.add(accountId);
    else awaitingAction.delete(accountId);
  };
  /**
   * Finds whether a corporate action of the pair has become due. Accounts with legs on the pair are then behind until
   * the action is carried out on them.
   */
  const noteActions = (pair: PairId): void => {
    const now = clock.now();
    const due = board.actionsOf(pair).filter(({ atMs }) => atMs <= now).length;
    if (due === (dueActions.get(pair) ?? 0)) return;
    dueActions.set(pair, due);
    for (const kept of accounts.values()) noteScale(kept);
  };

  /**
   * Lets the leg `only` follow the quote; null means all legs of the pair. True when one of them has a better price.
   */
  const followQuote = (
    kept: TrailingAccount,
    quote: Quote,
    only: OrderUuid | null = null,
  ): boolean => {
    let isMoved = false;
    kept.orders = kept.orders.map((order) => {
      if (!isTrailing(order) || order.pair !== quote.pair) return order;
      if (only !== null && order.uuid !== only) return order;
      const bestPrice = markFor(kept, order, quote);
      if (!isImprovedBy(order, bestPrice)) return order;
      isMoved = true;
      kept.bests.set(order.uuid, quote);
      return { ...order, bestPrice };
    });
    return isMoved;
  };

  /** Makes the entry of an account with the best of the prices that its legs have followed and the present quotes. */
  const followedBy = (
    { state, version }: VersionedState,
    before: AccountState | null,
    onTape: BestOnTape | null,
  ): TrailingAccount => {
    const former = accounts.get(state.accountId);
    const levels = former?.levels ?? NO_LEVELS;
    const bests = new Map<OrderUuid, Quote>();
    const kept: TrailingAccount = { version, state, bests, orders: state.orders, levels };
    const earlier = former?.bests ?? [];
    for (const [uuid, quote] of earlier) {
      if (keepsBest(uuid, before, state, board)) followQuote(kept, quote, uuid);
    }
    for (const leg of state.orders.filter(isTrailing)) {
      for (const quote of quotesFor(leg, onTape, options)) followQuote(kept, quote, leg.uuid);
    }
    return kept;
  };

  const watchLevels = (accountId: AccountId, kept: TrailingAccount): void => {
    kept.levels = book.replace(accountId, kept.levels, followedLevels(kept.orders));
  };

  return {
    update(account, before, onTape) {
      const { accountId } = account.state;
      if (account.state.status !== "active" || !account.state.orders.some(isTrailing)) {
        book.replace(accountId, accounts.get(accountId)?.levels ?? NO_LEVELS, []);
        accounts.delete(accountId);
        awaitingAction.delete(accountId);
        return;
      }
      const kept = followedBy(account, before, onTape);
      accounts.set(accountId, kept);
      noteScale(kept);
      watchLevels(accountId, kept);
    },
    follow(quote, into) {
      noteActions(quote.pair);
      const better = new Set(awaitingAction);
      book.collect(quote, (accountId) => void better.add(accountId));
      if (better.size === 0) return;
      const trading = tradingQuote(options, quote.pair);
      if (trading === null) return;
      for (const accountId of better) {
        const kept = accounts.get(accountId);
        if (kept === undefined || !followQuote(kept, trading)) continue;
        watchLevels(accountId, kept);
        into.add(accountId);
      }
    },
    orders: (accountId) => accounts.get(accountId)?.orders,
    accountsWithUnrecordedBests: () =>
      [...accounts].flatMap(([id, { bests }]) => (bests.size > 0 ? [id] : [])),
    bestsOf(accountId, version) {
      const kept = accounts.get(accountId);
      return kept?.version === version && kept.bests.size > 0 ? kept.bests : undefined;
    },
  };
}

/**
 * The quotes that a leg follows when this process begins to watch it: the best one on the tape, and the present one.
 */
function quotesFor(
  leg: BracketLeg,
  onTape: BestOnTape | null,
  options: FollowedBestsOptions,
): readonly Quote[] {
  const quotes = [onTape?.(leg) ?? null, presentQuoteFor(options, leg)];
  return quotes.filter((quote) => quote !== null);
}

/** True when a corporate action of a pair is due that is not yet carried out on the account's trailing legs. */
function isAwaitingAction(
  { state, orders }: TrailingAccount,
  { board, clock }: FollowedBestsOptions,
): boolean {
  const now = clock.now();
  const isPending = (action: CorporateAction) => isActionPending(state, action, { now });
  return orders.some((order) => isTrailing(order) && board.actionsOf(order.pair).some(isPending));
}

function isTrailing(order: PendingOrder): order is BracketLeg {
  return order.kind === "bracket" && order.bestPrice !== null;
}

/**
 * Whether the leg keeps its followed best price. When its distance is changed, the leg begins to follow prices again;
 * the effect of a split is no such change. @rule D10.editKeeps D13.oneScale
 */
function keepsBest(
  uuid: OrderUuid,
  before: AccountState | null,
  after: AccountState,
  board: Pick<QuoteBoard, "actionsOf">,
): boolean {
  const [then, now] = [legOf(before, uuid), legOf(after, uuid)];
  if (before === null || then === null || now === null) return false;
  const had = new Set(before.carriedOut?.map(({ id }) => id));
  const old = (after.carriedOut ?? []).reduce<PendingOrder>((leg, { id, pair }) => {
    if (had.has(id) || pair !== leg.pair) return leg;
    const action = board.actionsOf(pair).find((one) => one.id === id);
    return action?.kind === "split" ? splitOrder(leg, action) : leg;
  }, then);
  if (!isTrailing(old)) return false;
  return isSameTrailing(old.trailing, now.trailing) && !isFormer(now, old);
}

/** Whether a later event has set the leg's best price back to a worse one. */
function isFormer(now: BracketLeg, { bestPrice }: BracketLeg): boolean {
  return bestPrice !== null && isImprovedBy(now, bestPrice);
}

function legOf(state: AccountState | null, uuid: OrderUuid): BracketLeg | null {
  const order = state?.orders.find((one) => one.uuid === uuid);
  return order?.kind === "bracket" ? order : null;
}

/** The prices that are better than a leg's best price, so that the leg follows them. */
function followedLevels(orders: readonly PendingOrder[]): readonly WatchLevel[] {
  return orderLevels(orders, (reaction) => reaction === "ratchet");
}

/**
 * The pair's present quote. Null while no order of the pair can fill, and for a restored quote that may be older than
 * the quotes that the leg has followed.
 */
function presentQuoteFor(options: FollowedBestsOptions, leg: BracketLeg): Quote | null {
  const quote = tradingQuote(options, leg.pair);
  const isRestored = options.board.origin(leg.pair) === null;
  return isRestored && quote !== null && quote.atMs <= followedSince(leg) ? null : quote;
}

/** The pair's quote; null while no order of the pair can fill. @rule D5.freshQuote */
function tradingQuote(
  { board, instruments, clock }: FollowedBestsOptions,
  pair: PairId,
): Quote | null {
  const instrument = instruments.get(pair);
  if (instrument === undefined) return null;
  const live = liveMarket({ now: clock.now(), quotes: board.quotes, instruments }, instrument);
  return live.ok ? live.value.quote : null;
}
