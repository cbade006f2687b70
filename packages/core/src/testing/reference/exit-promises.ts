/**
 * Checks three promises to the trader on the events of one account: no exit opens a position, no order closes more than
 * was requested, and no stop is lost. It needs no quotes, so a journal suffices.
 */
import type { PairId } from "../../ids.ts";
import type { Instruments } from "../../market/instrument.ts";
import type {
  Event,
  OrderCancelled,
  OrderEdited,
  OrderFilled,
  OrderHeld,
  SharesSplit,
} from "../../state/event.ts";
import type { BracketLeg, Direction, EntryOrder, PendingOrder } from "../../state/order.ts";
import type { LegSize } from "../../state/requested-size.ts";
import { expectSame, expectThat } from "../lives/expectation.ts";
import { requestIdOf } from "./reference-book.ts";

interface Open {
  readonly uuid: string;
  readonly direction: Direction;
  readonly quantity: number;
}

/**
 * The legs of one request that are sized by `bracketPct` and have acted: the sum of their shares, its maximum rounding
 * error, and the quantity that they have closed, all in 0.00001 lots.
 */
interface Ladder {
  readonly shares: number;
  readonly slack: number;
  readonly closed: number;
}

const NO_LEG_ACTED: Ladder = { shares: 0, slack: 0, closed: 0 };

/** The last close of a position that a quote caused. */
interface Closing {
  readonly direction: Direction;
  readonly price: number;
  readonly atMs: number;
  /**
   * The orders that were pending when the quote closed the position. An order placed afterwards is a new command, which
   * the same quote may fill.
   */
  readonly pending: ReadonlySet<string>;
}

const QUANTITY_PER_LOT = 100_000;
const NOISE = 1e-11;
const BY_QUOTES: ReadonlySet<OrderFilled["kind"]> = new Set(["limit", "stopLoss", "takeProfit"]);
const FORCED: ReadonlySet<OrderCancelled["reason"]> = new Set<OrderCancelled["reason"]>([
  "accountEnded",
  "phaseEnded",
  "proTransition",
  "switch",
  "corporateAction",
]);

/** Follows the events of one account and throws at the first broken promise. */
export class ExitPromises {
  /** The open positions by pair. */
  readonly #open = new Map<string, Open>();
  readonly #orders = new Map<string, PendingOrder>();
  /**
   * For each leg its whole, of which its size may be a share: the position's quantity as if no leg of its request had
   * filled, with its maximum rounding error.
   */
  readonly #wholes = new Map<string, { readonly lots: number; readonly slack: number }>();
  /** For each request the legs that are sized by `bracketPct` and have acted. */
  readonly #ladders = new Map<string, Ladder>();
  readonly #closings = new Map<string, Closing>();
  /** For each held order the quote at which it may not fill. */
  readonly #held = new Map<string, OrderHeld["quote"]>();
  #maxPending = Number.POSITIVE_INFINITY;
  /** The number of legs that the next event must attach; null when it need not attach any. */
  #promisedLegs: number | null = null;
  /** The instruments at the time of the event, whose grid steps limit the rounding of a size. */
  #instruments: Instruments = new Map();

  /**
   * Checks an event and applies it. `instruments` are those at the time of the event, because a firm can change the
   * grid step of a pair between two events.
   * @throws when the event breaks a promise
   */
  take(event: Event, instruments: Instruments): void {
    this.#instruments = instruments;
    if (this.#promisedLegs !== null && this.#promisedLegs > 0) {
      expectSame(event.type, "legsAttached", "the event after a fill with legs");
    } else this.#promisedLegs = null;
    this.#takeEvent(event);
    this.#expectWithinLimit(event);
  }

  #takeEvent(event: Event): void {
    switch (event.type) {
      case "accountOpened":
      case "proStarted":
        this.#maxPending = event.terms.mostRestingOrders;
        break;
      case "orderPlaced":
        this.#place(event.order);
        break;
      case "orderEdited":
        this.#edit(event);
        break;
      case "trailMoved": {
        const leg = this.#legOf(event.orderUuid);
        const isBetter =
          leg.bestPrice === null || isBetterPrice(leg, event.bestPrice, leg.bestPrice);
        expectThat(isBetter, `the stop of ${leg.uuid} moves in the trader's favour`);
        this.#orders.set(leg.uuid, { ...leg, bestPrice: event.bestPrice });
        break;
      }
      case "stopTriggered": {
        const order = this.#orders.get(event.orderUuid);
        expectThat(order?.kind === "stopLimit", `${event.orderUuid} is a stop-limit`);
        const { stopPrice: _price, stopCondition: _condition, ...rest } = order;
        this.#orders.set(order.uuid, { ...rest, kind: "limit" });
        break;
      }
      case "orderCancelled":
        this.#cancel(event);
        break;
      case "orderRejected":
        expectThat(event.refusal.code.length > 0, "a rejection has a reason");
        this.#orders.delete(event.orderUuid);
        break;
      case "legsAttached":
        expectSame(
          event.legs.length,
          this.#promisedLegs ?? event.legs.length,
          "the legs of a fill",
        );
        this.#promisedLegs = null;
        for (const leg of event.legs) {
          this.#orders.set(leg.uuid, leg);
          this.#wholes.set(leg.uuid, { lots: leg.shareOf, slack: 0 });
        }
        break;
      case "orderFilled":
        this.#fill(event);
        break;
      case "orderHeld":
        this.#held.set(event.orderUuid, event.quote);
        break;
      case "accountClosed":
      case "accountEliminated":
      case "accountProvisioned":
      case "carryCharged":
      case "challengePassed":
      case "cycleClosed":
      case "dayEnded":
      case "deferralForfeited":
      case "dividendPaid":
      case "drawdownDeepened":
      case "limitNeared":
      case "payoutRecorded":
      case "positionClosed":
      case "proOffered":
      case "proPromoted":
      case "softBreached":
      case "switchArmed":
      case "switchSuspended":
      case "switchEnded":
      case "switchFired":
        break;
      case "sharesSplit":
        this.#split(event);
        break;
    }
  }

  /** Applies a split: sizes and prices are converted to the new scale. */
  #split({ pair, position, orders, newShares, oldShares }: SharesSplit): void {
    for (const order of orders) {
      this.#orders.set(order.uuid, order);
      const whole = this.#wholes.get(order.uuid);
      if (whole === undefined) continue;
      const lots = (whole.lots * newShares) / oldShares;
      const slack = (whole.slack * newShares) / oldShares + this.#stepOf(pair);
      this.#wholes.set(order.uuid, { lots, slack });
    }
    for (const request of new Set(orders.map(({ uuid }) => requestIdOf(uuid)))) {
      const ladder = this.#ladders.get(request);
      if (ladder === undefined) continue;
      const scaled = (lots: number): number => (lots * newShares) / oldShares;
      const { shares, slack, closed } = ladder;
      this.#ladders.set(request, {
        shares: scaled(shares),
        slack: scaled(slack),
        closed: scaled(closed),
      });
    }
    const open = this.#open.get(pair);
    if (open !== undefined && open.uuid === position?.uuid) {
      this.#open.set(pair, { ...open, quantity: position.quantity });
    }
  }

  #place(order: EntryOrder): void {
    if (order.reduceOnly) {
      const open = this.#open.get(order.pair);
      const isExit = open !== undefined && open.direction !== order.direction;
      expectThat(isExit, `${order.uuid} only reduces, so it needs an open position`);
    }
    const open = this.#open.get(order.pair);
    const reduces = open !== undefined && open.direction !== order.direction;
    expectThat(!reduces || order.legs.length === 0, `${order.uuid} reduces, so it has no legs`);
    this.#orders.set(order.uuid, order);
  }

  /**
   * Applies an edit, and checks that an unchanged trailing stop keeps its best price and that the edit does not change
   * the quantity of which the leg's size is a share.
   */
  #edit({ order }: OrderEdited): void {
    const before = this.#orders.get(order.uuid);
    expectThat(before !== undefined, `${order.uuid} is pending`);
    if (order.kind === "bracket" && before.kind === "bracket") {
      const { bestPrice } = before;
      if (bestPrice !== null && textOf(before.trailing) === textOf(order.trailing)) {
        const now = order.bestPrice;
        const isKept = now !== null && (now === bestPrice || isBetterPrice(order, now, bestPrice));
        expectThat(isKept, `an edit keeps the best price of ${order.uuid}`);
      }
      const whole = this.#wholeOf(order.uuid);
      const isSame = Math.abs(order.shareOf - whole.lots) <= whole.slack;
      expectThat(isSame, `an edit keeps ${order.uuid} a share of ${whole.lots}`);
    }
    this.#orders.set(order.uuid, order);
  }

  #cancel({ orderUuid, reason }: OrderCancelled): void {
    const order = this.#orders.get(orderUuid);
    expectThat(order !== undefined, `${orderUuid} is pending`);
    if (reason === "roundedAway") this.#checkRoundedAway(order);
    else if (order.kind === "bracket") {
      const isOrphan = this.#open.get(order.pair)?.uuid !== order.positionUuid;
      const isJustified = reason === "owner" || FORCED.has(reason) || isOrphan;
      expectThat(isJustified, `the leg ${orderUuid} of an open position is not cancelled`);
    }
    this.#orders.delete(orderUuid);
  }

  /**
   * Checks a leg that was rounded away: the rounded sum of the shares so far was already closed without it.
   * @rule D12.ladder
   */
  #checkRoundedAway(leg: PendingOrder): void {
    const { pair, uuid, size } = leg;
    const ladder = this.#ladderOf(uuid, size);
    expectThat(ladder !== null && size?.kind === "bracketPct", `${uuid} is a share of a ladder`);
    const { lots, slack } = this.#wholeOf(uuid);
    const max = ladder.closed + ladder.slack + size.ratio * slack + this.#stepOf(pair) / 2;
    const sum = ladder.shares + size.ratio * lots;
    expectThat(sum <= max * (1 + NOISE), `${uuid} has nothing to close of ${sum}`);
    this.#addToLadder(leg, 0);
  }

  #fill(fill: OrderFilled): void {
    const order = this.#orders.get(fill.orderUuid);
    const isExit = fill.effect === "reduce" || fill.effect === "close";
    if (BY_QUOTES.has(fill.kind)) {
      expectThat(order !== undefined, `${fill.orderUuid} is pending`);
      this.#judge(fill, order, isExit);
      this.#addToLadder(order, fill.quantity);
    }
    this.#orders.delete(fill.orderUuid);
    const legs = order === undefined || order.kind === "bracket" ? null : order.legs.length;
    this.#promisedLegs = isExit || legs === null ? null : legs;
    if (isExit && legs !== null) {
      expectSame(
        fill.legsDropped ?? false,
        legs > 0,
        `whether ${fill.orderUuid} reports dropped legs`,
      );
    }
    this.#move(fill, isExit);
  }

  #judge(fill: OrderFilled, order: PendingOrder, isExit: boolean): void {
    const isReducer = order.kind === "bracket" || order.reduceOnly;
    expectThat(isExit || !isReducer, `${order.uuid} opens nothing`);
    if (isExit) {
      this.#expectWithinRequest(fill, order);
      this.#expectOrder(fill, order);
      return;
    }
    const closing = this.#closings.get(fill.pair);
    if (closing === undefined) return;
    const isSameQuote = closing.price === fill.price && closing.atMs === fill.atMs;
    const isOtherSide = closing.direction !== fill.direction;
    expectThat(
      !(isSameQuote && isOtherSide && closing.pending.has(order.uuid)),
      `${order.uuid} opens nothing at the quote that closed its position`,
    );
  }

  /**
   * Checks that an exit closes at most its requested size, rounded, or one grid step. It may close more only when the
   * remainder is below the minimum position. The legs of a ladder close at most the sum of their shares, rounded.
   */
  #expectWithinRequest(fill: OrderFilled, { size, uuid }: PendingOrder): void {
    if (size === null || fill.tookRestAlong === true) return;
    const requested = this.#lotsOf(size, uuid);
    if (requested === null) return;
    const step = this.#stepOf(fill.pair);
    const ladder = this.#ladderOf(uuid, size);
    if (ladder !== null) {
      const { shares, slack } = ladder;
      const sum = (shares + slack + requested) * (1 + NOISE) + step / 2;
      expectThat(
        ladder.closed + fill.quantity <= sum,
        `${uuid} and its sisters close at most ${sum}`,
      );
      return;
    }
    const max = Math.max(step, requested * (1 + NOISE) + step / 2);
    expectThat(fill.quantity <= max, `${uuid} closes ${requested}, not ${fill.quantity}`);
  }

  /**
   * The ladder of the leg's request, without the leg itself. Null when the leg is not sized by `bracketPct`, or it is
   * the only such leg of its request and none has acted.
   */
  #ladderOf(uuid: string, size: PendingOrder["size"]): Ladder | null {
    if (size?.kind !== "bracketPct") return null;
    const waits = [...this.#orders.values()].some(
      (other) =>
        other.uuid !== uuid &&
        other.kind === "bracket" &&
        other.size?.kind === "bracketPct" &&
        requestIdOf(other.uuid) === requestIdOf(uuid),
    );
    return this.#ladders.get(requestIdOf(uuid)) ?? (waits ? NO_LEG_ACTED : null);
  }

  /** Adds a leg that has acted to its ladder; `closed` is 0 when it was rounded away. */
  #addToLadder({ uuid, size }: PendingOrder, closed: number): void {
    if (size?.kind !== "bracketPct") return;
    const { lots, slack } = this.#wholeOf(uuid);
    const before = this.#ladders.get(requestIdOf(uuid)) ?? NO_LEG_ACTED;
    this.#ladders.set(requestIdOf(uuid), {
      shares: before.shares + size.ratio * lots,
      slack: before.slack + size.ratio * slack,
      closed: before.closed + closed,
    });
  }

  /** The requested quantity in 0.00001 lots; null for a size that depends on a price or a balance. */
  #lotsOf(size: LegSize, uuid: string): number | null {
    if (size.kind === "quantity") return size.lots * QUANTITY_PER_LOT;
    if (size.kind !== "bracketPct") return null;
    const { lots, slack } = this.#wholeOf(uuid);
    return size.ratio * (lots + slack);
  }

  /** The widest grid step of the pair for an account of any size, in 0.00001 lots. @rule D5.grid */
  #stepOf(pair: PairId): number {
    const instrument = this.#instruments.get(pair);
    expectThat(instrument !== undefined, `${pair} has an instrument`);
    return Math.max(instrument.gridStep, instrument.gridStepSmallAccount ?? 0);
  }

  #wholeOf(uuid: string): { readonly lots: number; readonly slack: number } {
    return this.#wholes.get(uuid) ?? { lots: 0, slack: Number.POSITIVE_INFINITY };
  }

  /** Applies an addition to the position: the whole of each leg grows by the added quantity. @rule D13.shareWhole */
  #growWholes({ pair, quantity }: OrderFilled): void {
    for (const uuid of this.#legsOn(pair)) {
      const { lots, slack } = this.#wholeOf(uuid);
      this.#wholes.set(uuid, { lots: lots + quantity, slack });
    }
  }

  /**
   * Applies a reduction of the position: the whole of each leg falls in proportion. When a leg caused the reduction,
   * the wholes of the other legs of its request stay. @rule D5.legsFollow
   */
  #scaleWholes({ pair, orderUuid: by }: OrderFilled, before: number, after: number): void {
    for (const uuid of this.#legsOn(pair)) {
      if (requestIdOf(uuid) === requestIdOf(by)) continue;
      const { lots, slack } = this.#wholeOf(uuid);
      const factor = after / before;
      this.#wholes.set(uuid, { lots: lots * factor, slack: slack * factor + 1 });
    }
  }

  #legsOn(pair: string): readonly string[] {
    return [...this.#orders.values()]
      .filter((order) => order.kind === "bracket" && order.pair === pair)
      .map(({ uuid }) => uuid);
  }

  /**
   * Checks the order of fills: stops fill before other exits, and LIMIT orders against the position fill before
   * targets.
   */
  #expectOrder(fill: OrderFilled, order: PendingOrder): void {
    const open = this.#open.get(fill.pair);
    if (open === undefined || fill.kind === "stopLoss") return;
    const up = open.direction === "long" ? 1 : -1;
    for (const other of this.#orders.values()) {
      if (other.pair !== fill.pair || other.uuid === order.uuid) continue;
      if (other.kind === "bracket") {
        const isHit = other.stopLoss !== null && up * fill.price <= up * other.stopLoss;
        expectThat(!isHit, `the stop ${other.uuid} fills before ${order.uuid}`);
      } else if (fill.kind === "takeProfit" && other.kind === "limit") {
        const isReached = this.#isReached(other, open.direction, fill.price);
        expectThat(!isReached, `the order ${other.uuid} fills before the target ${order.uuid}`);
      }
    }
  }

  /**
   * Whether the order is against the position, would fill at the price `at` of an exit, and is not held at this price.
   */
  #isReached(order: EntryOrder, open: Direction, at: number): boolean {
    if (order.direction === open) return false;
    const isBeyond = open === "long" ? at >= order.limitPrice : at <= order.limitPrice;
    return isBeyond && this.#held.get(order.uuid)?.[open === "long" ? "bid" : "ask"] !== at;
  }

  #move(fill: OrderFilled, isExit: boolean): void {
    const { pair, direction, quantity } = fill;
    const open = this.#open.get(pair);
    if (!isExit) {
      const before = open?.quantity ?? 0;
      this.#open.set(pair, { uuid: fill.positionUuid, direction, quantity: before + quantity });
      this.#growWholes(fill);
      return;
    }
    expectThat(open !== undefined, `an exit on ${pair} has an open position`);
    if (fill.effect === "reduce") {
      this.#open.set(pair, { ...open, quantity: open.quantity - quantity });
      this.#scaleWholes(fill, open.quantity, open.quantity - quantity);
      return;
    }
    this.#open.delete(pair);
    const { atMs, price } = fill;
    if (BY_QUOTES.has(fill.kind)) {
      const pending = new Set(this.#orders.keys());
      this.#closings.set(pair, { direction: open.direction, price, atMs, pending });
    }
  }

  #legOf(uuid: string): BracketLeg {
    const leg = this.#orders.get(uuid);
    expectThat(leg?.kind === "bracket", `${uuid} is a leg`);
    return leg;
  }

  #expectWithinLimit({ type }: Event): void {
    let count = 0;
    for (const order of this.#orders.values()) {
      count += order.kind === "bracket" ? 1 : 1 + order.legs.length;
    }
    expectThat(
      count <= this.#maxPending,
      `at most ${this.#maxPending} pending orders and legs after ${type}, not ${count}`,
    );
  }
}

function isBetterPrice({ direction }: BracketLeg, price: number, than: number): boolean {
  return direction === "long" ? price > than : price < than;
}

function textOf(value: unknown): string {
  return JSON.stringify(value);
}
