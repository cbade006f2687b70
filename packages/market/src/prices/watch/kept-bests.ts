import type { Clock } from "@propgate/base";
import {
  type AccountId,
  type AccountState,
  type BracketLeg,
  bestInScale,
  type CorporateAction,
  type Instruments,
  isBetter,
  isPendingOn,
  isSameTrailing,
  liveMarket,
  markOf,
  type OrderUuid,
  type PairId,
  type PendingOrder,
  type Price,
  type Quote,
  scaleOf,
  splitOrder,
} from "@propgate/core";
import type { BestsOf, VersionedState } from "@propgate/ledger";
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
 * The best price of each trailing stop since its recorded one. A stop follows a better price here, in memory; the
 * account's next event writes it. @rule D5.trailing
 */
export interface KeptBests {
  /**
   * Takes a committed account, and forgets the best prices that its events have recorded or an edit has reset. `onTape`
   * finds the best prices that the stops have followed in another process, or before a start.
   */
  replace(account: VersionedState, before: AccountState | null, onTape: BestOnTape | null): void;
  /** Follows a quote of the board; adds to `into` the accounts whose stops moved. */
  follow(quote: Quote, into: Set<AccountId>): void;
  /** The account's orders with the followed best prices; undefined for an account without trailing stops. */
  orders(accountId: AccountId): readonly PendingOrder[] | undefined;
  readonly of: BestsOf;
  /** The accounts with a best price that no event has recorded. */
  accounts(): readonly AccountId[];
}

export interface KeptBestsOptions {
  readonly board: QuoteBoard;
  readonly instruments: Instruments;
  readonly clock: Clock;
}

interface Kept {
  readonly version: number;
  readonly state: AccountState;
  /** The quotes of the best prices, by leg. */
  readonly bests: Map<OrderUuid, Quote>;
  orders: readonly PendingOrder[];
  /** The prices at which its legs have something to follow. */
  levels: PlacedLevels;
}

export function createKeptBests(options: KeptBestsOptions): KeptBests {
  const { board, clock } = options;
  const accounts = new Map<AccountId, Kept>();
  const book = createTriggerBook<AccountId>();
  /** Accounts whose legs have the scale from before an action; the levels in the book do not fit new quotes. */
  const behind = new Set<AccountId>();
  const dueActions = new Map<PairId, number>();

  /** The price in the scale of the account's positions and orders. @rule D13.oneScale */
  const markFor = ({ state }: Kept, { direction }: BracketLeg, quote: Quote): Price => {
    const scale = scaleOf(state, { now: clock.now() });
    return markOf(direction, bestInScale(quote, board.actionsOf(quote.pair), scale));
  };
  const noteScale = ({ state, orders }: Kept): void => {
    const now = clock.now();
    const isPending = (action: CorporateAction) => isPendingOn(state, action, { now });
    const isBehind = orders.some(
      (order) => trails(order) && board.actionsOf(order.pair).some(isPending),
    );
    if (isBehind) behind.add(state.accountId);
    else behind.delete(state.accountId);
  };
  /** An action that has become due makes accounts fall behind, until it is carried out on them. */
  const noteActions = (pair: PairId): void => {
    const now = clock.now();
    const due = board.actionsOf(pair).filter(({ atMs }) => atMs <= now).length;
    if (due === (dueActions.get(pair) ?? 0)) return;
    dueActions.set(pair, due);
    for (const kept of accounts.values()) noteScale(kept);
  };

  /** True when a leg of the account follows the quote: that leg, or any of them. */
  const moves = (kept: Kept, quote: Quote, only: OrderUuid | null = null): boolean => {
    let isMoved = false;
    kept.orders = kept.orders.map((order) => {
      if (!trails(order) || order.pair !== quote.pair) return order;
      if (only !== null && order.uuid !== only) return order;
      const bestPrice = markFor(kept, order, quote);
      if (!isBetter(order, bestPrice)) return order;
      isMoved = true;
      kept.bests.set(order.uuid, quote);
      return { ...order, bestPrice };
    });
    return isMoved;
  };

  const seenFor = (leg: BracketLeg, onTape: BestOnTape | null): readonly Quote[] =>
    [onTape?.(leg) ?? null, presentQuoteFor(options, leg)].filter((quote) => quote !== null);

  /** The account with the best prices that its legs have followed already, and with the present quotes. */
  const followedBy = (
    { state, version }: VersionedState,
    before: AccountState | null,
    onTape: BestOnTape | null,
  ): Kept => {
    const former = accounts.get(state.accountId);
    const levels = former?.levels ?? NO_LEVELS;
    const kept: Kept = { version, state, bests: new Map(), orders: state.orders, levels };
    const earlier = former?.bests ?? [];
    for (const [uuid, quote] of earlier) {
      if (continues(uuid, before, state, board)) moves(kept, quote, uuid);
    }
    for (const leg of state.orders.filter(trails)) {
      for (const quote of seenFor(leg, onTape)) moves(kept, quote, leg.uuid);
    }
    return kept;
  };

  const watchLevels = (accountId: AccountId, kept: Kept): void => {
    kept.levels = book.replace(accountId, kept.levels, followedLevels(kept.orders));
  };

  return {
    replace(account, before, onTape) {
      const { accountId } = account.state;
      if (account.state.status !== "active" || !account.state.orders.some(trails)) {
        book.replace(accountId, accounts.get(accountId)?.levels ?? NO_LEVELS, []);
        accounts.delete(accountId);
        behind.delete(accountId);
        return;
      }
      const kept = followedBy(account, before, onTape);
      accounts.set(accountId, kept);
      noteScale(kept);
      watchLevels(accountId, kept);
    },
    follow(quote, into) {
      noteActions(quote.pair);
      const better = new Set(behind);
      book.collect(quote, (accountId) => void better.add(accountId));
      if (better.size === 0) return;
      const trading = tradingQuote(options, quote.pair);
      if (trading === null) return;
      for (const accountId of better) {
        const kept = accounts.get(accountId);
        if (kept === undefined || !moves(kept, trading)) continue;
        watchLevels(accountId, kept);
        into.add(accountId);
      }
    },
    orders: (accountId) => accounts.get(accountId)?.orders,
    accounts: () => [...accounts].flatMap(([id, { bests }]) => (bests.size > 0 ? [id] : [])),
    of(accountId, version) {
      const kept = accounts.get(accountId);
      return kept?.version === version && kept.bests.size > 0 ? kept.bests : undefined;
    },
  };
}

function trails(order: PendingOrder): order is BracketLeg {
  return order.kind === "bracket" && order.bestPrice !== null;
}

/**
 * Whether the leg continues from its best price: a changed distance restarts it. The effect of a split does not count
 * as a change. @rule D10.editKeeps D13.oneScale
 */
function continues(
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
  if (!trails(old)) return false;
  return isSameTrailing(old.trailing, now.trailing) && !isFormer(now, old);
}

/** Whether an event has set the best price back since. */
function isFormer(now: BracketLeg, { bestPrice }: BracketLeg): boolean {
  return bestPrice !== null && isBetter(now, bestPrice);
}

function legOf(state: AccountState | null, uuid: OrderUuid): BracketLeg | null {
  const order = state?.orders.find((one) => one.uuid === uuid);
  return order?.kind === "bracket" ? order : null;
}

/** The prices at which the legs have something to follow. */
function followedLevels(orders: readonly PendingOrder[]): readonly WatchLevel[] {
  return orderLevels(orders, (reaction) => reaction === "ratchet");
}

/** The present quote; null for one from before this process that may be older than those the leg has followed. */
function presentQuoteFor(options: KeptBestsOptions, leg: BracketLeg): Quote | null {
  const quote = tradingQuote(options, leg.pair);
  const isRestored = options.board.origin(leg.pair) === null;
  return isRestored && quote !== null && quote.atMs <= followedSince(leg) ? null : quote;
}

/** Null while no order of the pair can fill. @rule D5.freshQuote */
function tradingQuote({ board, instruments, clock }: KeptBestsOptions, pair: PairId): Quote | null {
  const instrument = instruments.get(pair);
  if (instrument === undefined) return null;
  const live = liveMarket({ now: clock.now(), quotes: board.quotes, instruments }, instrument);
  return live.ok ? live.value.quote : null;
}
