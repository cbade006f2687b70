/**
 * What a trader counts on, held against the events of one account alone: no exit opens anything, nothing closes more
 * than it asked for, and no stop is lost. Knows no quotes, so a journal is enough to check it.
 */
import type { Event, OrderCancelled, OrderEdited, OrderFilled } from "../../state/event.ts";
import type { BracketLeg, Direction, EntryOrder, PendingOrder } from "../../state/order.ts";
import type { LegSize } from "../../state/requested-size.ts";
import { holds, same } from "../lives/expectation.ts";

interface Open {
  readonly uuid: string;
  readonly direction: Direction;
  readonly quantity: number;
}

/** A quote closed a position of that direction, at that price and in that millisecond. */
interface Closing {
  readonly direction: Direction;
  readonly price: number;
  readonly atMs: number;
}

const QUANTITY_PER_LOT = 100_000;
/** The widest grid step of any instrument: how far rounding may take a size. */
const WIDEST_STEP = 1_000;
const NOISE = 1e-11;
const BY_QUOTES: ReadonlySet<OrderFilled["kind"]> = new Set(["limit", "stopLoss", "takeProfit"]);
const FORCED: ReadonlySet<OrderCancelled["reason"]> = new Set<OrderCancelled["reason"]>([
  "accountEnded",
  "phaseEnded",
  "proTransition",
]);

export class ExitPromises {
  /** By pair. */
  readonly #open = new Map<string, Open>();
  readonly #orders = new Map<string, PendingOrder>();
  /** By leg: the position as if no sister leg had filled, and how far rounding may take it off. */
  readonly #wholes = new Map<string, { readonly lots: number; readonly slack: number }>();
  readonly #closings = new Map<string, Closing>();
  #mostWaiting = Number.POSITIVE_INFINITY;
  /** How many legs the event before has promised; null when it has promised none. */
  #promisedLegs: number | null = null;

  /** @throws when the event breaks a promise. */
  take(event: Event): void {
    if (this.#promisedLegs !== null && this.#promisedLegs > 0) {
      same(event.type, "legsAttached", "what follows a fill that asks for legs");
    } else this.#promisedLegs = null;
    this.#takeEvent(event);
    this.#expectNoMoreThan(event);
  }

  #takeEvent(event: Event): void {
    switch (event.type) {
      case "accountOpened":
      case "proStarted":
        this.#mostWaiting = event.terms.mostRestingOrders;
        break;
      case "orderPlaced":
        this.#place(event.order);
        break;
      case "orderEdited":
        this.#edit(event);
        break;
      case "trailMoved": {
        const leg = this.#legOf(event.orderUuid);
        const isBetter = leg.bestPrice === null || better(leg, event.bestPrice, leg.bestPrice);
        holds(isBetter, `the stop of ${leg.uuid} moves the trader's way`);
        this.#orders.set(leg.uuid, { ...leg, bestPrice: event.bestPrice });
        break;
      }
      case "stopTriggered": {
        const order = this.#orders.get(event.orderUuid);
        holds(order?.kind === "stopLimit", `${event.orderUuid} is a stop-limit`);
        const { stopPrice: _price, stopCondition: _condition, ...rest } = order;
        this.#orders.set(order.uuid, { ...rest, kind: "limit" });
        break;
      }
      case "orderCancelled":
        this.#cancel(event);
        break;
      case "orderRejected":
        holds(event.refusal.code.length > 0, "a rejection has its reason");
        this.#orders.delete(event.orderUuid);
        break;
      case "legsAttached":
        same(event.legs.length, this.#promisedLegs ?? event.legs.length, "the legs of a fill");
        this.#promisedLegs = null;
        for (const leg of event.legs) {
          this.#orders.set(leg.uuid, leg);
          this.#wholes.set(leg.uuid, { lots: leg.shareOf ?? 0, slack: 0 });
        }
        break;
      case "orderFilled":
        this.#fill(event);
        break;
      case "accountClosed":
      case "accountEliminated":
      case "accountProvisioned":
      case "carryCharged":
      case "challengePassed":
      case "cycleClosed":
      case "dayEnded":
      case "deferralForfeited":
      case "drawdownDeepened":
      case "orderHeld":
      case "payoutRecorded":
      case "positionClosed":
      case "proOffered":
      case "proPromoted":
      case "softBreached":
        break;
    }
  }

  #place(order: EntryOrder): void {
    if (order.reduceOnly) {
      const open = this.#open.get(order.pair);
      const isExit = open !== undefined && open.direction !== order.direction;
      holds(isExit, `${order.uuid} only reduces, so there is something to reduce`);
    }
    const open = this.#open.get(order.pair);
    const reduces = open !== undefined && open.direction !== order.direction;
    holds(!reduces || order.legs.length === 0, `${order.uuid} reduces, so it has no legs`);
    this.#orders.set(order.uuid, order);
  }

  /** What is sent again unchanged goes on as it was. */
  #edit({ order }: OrderEdited): void {
    const before = this.#orders.get(order.uuid);
    holds(before !== undefined, `${order.uuid} is pending`);
    if (order.kind === "bracket" && before.kind === "bracket") {
      const { bestPrice } = before;
      if (bestPrice !== null && textOf(before.trailing) === textOf(order.trailing)) {
        const now = order.bestPrice;
        const isKept = now !== null && (now === bestPrice || better(order, now, bestPrice));
        holds(isKept, `an edit leaves the trailing stop of ${order.uuid} where it was`);
      }
      const whole = this.#wholeOf(order.uuid);
      const isSame = Math.abs((order.shareOf ?? 0) - whole.lots) <= whole.slack;
      holds(isSame, `an edit leaves ${order.uuid} a share of ${whole.lots}`);
    }
    this.#orders.set(order.uuid, order);
  }

  #cancel({ orderUuid, reason }: OrderCancelled): void {
    const order = this.#orders.get(orderUuid);
    holds(order !== undefined, `${orderUuid} is pending`);
    if (order.kind === "bracket") {
      const isOrphan = this.#open.get(order.pair)?.uuid !== order.positionUuid;
      const isJust = reason === "owner" || FORCED.has(reason) || isOrphan;
      holds(isJust, `the leg ${orderUuid} of an open position stays`);
    }
    this.#orders.delete(orderUuid);
  }

  #fill(fill: OrderFilled): void {
    const order = this.#orders.get(fill.orderUuid);
    const isExit = fill.effect === "reduce" || fill.effect === "close";
    if (BY_QUOTES.has(fill.kind)) {
      holds(order !== undefined, `${fill.orderUuid} is pending`);
      this.#judge(fill, order, isExit);
    }
    this.#orders.delete(fill.orderUuid);
    const legs = order === undefined || order.kind === "bracket" ? null : order.legs.length;
    this.#promisedLegs = isExit || legs === null ? null : legs;
    if (isExit && legs !== null) {
      same(fill.legsDropped ?? false, legs > 0, `whether ${fill.orderUuid} says that legs went`);
    }
    this.#move(fill, isExit);
  }

  #judge(fill: OrderFilled, order: PendingOrder, isExit: boolean): void {
    const isReducer = order.kind === "bracket" || order.reduceOnly;
    holds(isExit || !isReducer, `${order.uuid} opens nothing`);
    if (isExit) {
      this.#expectAskedOnly(fill, order);
      this.#expectTurn(fill, order);
      return;
    }
    const closing = this.#closings.get(fill.pair);
    const isSameQuote = closing?.price === fill.price && closing.atMs === fill.atMs;
    const isOtherSide = closing !== undefined && closing.direction !== fill.direction;
    holds(
      !(isSameQuote && isOtherSide),
      `${order.uuid} opens nothing at the quote that closed what it would have reduced`,
    );
  }

  /** No more than the size, or than the whole share, unless the least position takes the rest along. */
  #expectAskedOnly(fill: OrderFilled, { size, uuid }: PendingOrder): void {
    if (size === null || fill.tookRestAlong === true) return;
    const asked = this.#lotsOf(size, uuid);
    if (asked === null) return;
    const isWithin = fill.quantity <= asked * (1 + NOISE) + WIDEST_STEP / 2;
    holds(isWithin, `${uuid} closes ${asked} and not ${fill.quantity}`);
    const isTiny = fill.quantity > asked * 2 && fill.quantity > WIDEST_STEP;
    holds(!isTiny, `${uuid} closes ${asked} and not ${fill.quantity}`);
  }

  /** Null where it takes a price or a balance to tell. */
  #lotsOf(size: LegSize, uuid: string): number | null {
    if (size.kind === "quantity") return size.lots * QUANTITY_PER_LOT;
    if (size.kind !== "bracketPct") return null;
    const { lots, slack } = this.#wholeOf(uuid);
    return size.ratio * (lots + slack);
  }

  #wholeOf(uuid: string): { readonly lots: number; readonly slack: number } {
    return this.#wholes.get(uuid) ?? { lots: 0, slack: Number.POSITIVE_INFINITY };
  }

  /** What is added, or reduced by others than legs, moves the whole in proportion. @rule D5.legsFollow */
  #shareAgain({ pair, kind }: OrderFilled, before: number, after: number): void {
    if (before === 0 || kind === "stopLoss" || kind === "takeProfit") return;
    for (const { kind: what, pair: on, uuid } of this.#orders.values()) {
      if (what !== "bracket" || on !== pair) continue;
      const { lots, slack } = this.#wholeOf(uuid);
      const factor = after / before;
      this.#wholes.set(uuid, { lots: lots * factor, slack: slack * factor + 1 });
    }
  }

  /** Stops before whatever else leads out, and orders before targets. */
  #expectTurn(fill: OrderFilled, order: PendingOrder): void {
    const open = this.#open.get(fill.pair);
    if (open === undefined || fill.kind === "stopLoss") return;
    const up = open.direction === "long" ? 1 : -1;
    for (const other of this.#orders.values()) {
      if (other.pair !== fill.pair || other.uuid === order.uuid) continue;
      if (other.kind === "bracket") {
        const isHit = other.stopLoss !== null && up * fill.price <= up * other.stopLoss;
        holds(!isHit, `the stop ${other.uuid} goes before ${order.uuid}`);
      } else if (fill.kind === "takeProfit" && other.kind === "limit") {
        const isReached =
          other.direction !== open.direction && up * fill.price >= up * other.limitPrice;
        holds(!isReached, `the order ${other.uuid} goes before the target ${order.uuid}`);
      }
    }
  }

  #move(fill: OrderFilled, isExit: boolean): void {
    const { pair, direction, quantity } = fill;
    const open = this.#open.get(pair);
    if (!isExit) {
      const before = open?.quantity ?? 0;
      this.#open.set(pair, { uuid: fill.positionUuid, direction, quantity: before + quantity });
      this.#shareAgain(fill, before, before + quantity);
      return;
    }
    holds(open !== undefined, `there is something to reduce on ${pair}`);
    if (fill.effect === "reduce") {
      this.#open.set(pair, { ...open, quantity: open.quantity - quantity });
      this.#shareAgain(fill, open.quantity, open.quantity - quantity);
      return;
    }
    this.#open.delete(pair);
    const { atMs, price } = fill;
    if (BY_QUOTES.has(fill.kind)) {
      this.#closings.set(pair, { direction: open.direction, price, atMs });
    }
  }

  #legOf(uuid: string): BracketLeg {
    const leg = this.#orders.get(uuid);
    holds(leg?.kind === "bracket", `${uuid} is a leg`);
    return leg;
  }

  #expectNoMoreThan({ type }: Event): void {
    let count = 0;
    for (const order of this.#orders.values()) {
      count += order.kind === "bracket" ? 1 : 1 + order.legs.length;
    }
    holds(count <= this.#mostWaiting, `${count} orders and legs after ${type}`);
  }
}

function better({ direction }: BracketLeg, price: number, than: number): boolean {
  return direction === "long" ? price > than : price < than;
}

function textOf(value: unknown): string {
  return JSON.stringify(value);
}
