/**
 * The refusals that the text of the rules requires for a command, and the refusals that the text allows. Markets, caps
 * and the account's status are checked by other models.
 */
import type { Command, EditLeg, EditOrder, Flatten } from "../../state/command.ts";
import type { LegRequest } from "../../state/order.ts";
import type { Refusal } from "../../state/refusal.ts";
import type { HeldPosition, PendingLeg, ReferencePendingOrder } from "./reference-book.ts";
import {
  ordersToCancel,
  positionsToFlatten,
  type ReferenceCircumstances,
  sizePricingOf,
} from "./reference-circumstances.ts";
import { entryOfCommand, haveSameJson } from "./reference-legs.ts";
import { fillPriceOf, markOf, tradablePairOf } from "./reference-prices.ts";
import {
  canTrailFrom,
  isOnCorrectSide,
  levelsOf,
  type SizedPlacement,
  SLIPPAGE_MAX,
} from "./reference-sides.ts";
import {
  rawLots,
  type SizePricing,
  type SizeRange,
  sizesOnGrid,
  stepOf,
} from "./reference-sizes.ts";

type Code = Refusal["code"];

/** The codes of the refusals that this reference checks. Other models check the rest. */
export const JUDGED_REFUSALS: ReadonlySet<Code> = new Set<Code>([
  "tooManyRestingOrders",
  "legsOnReducing",
  "nothingToReduce",
  "wouldTrigger",
  "wrongSide",
  "trailingDistance",
  "nothingClosed",
  "noPosition",
  "unknownOrder",
  "unknownPosition",
  "pairMismatch",
  "kindMismatch",
  "directionMismatch",
  "sizeBelowGrid",
]);

/** The refusals that one command must or may get, in the given circumstances. */
export class CommandObjections {
  /** When it is not empty, the command must be refused with one of these codes or of those in `may`. */
  readonly must = new Set<Code>();
  /** The codes with which the command may be refused, but need not be. */
  readonly may = new Set<Code>();
  readonly #at: ReferenceCircumstances;

  constructor(command: Command, at: ReferenceCircumstances) {
    this.#at = at;
    const { book } = at;
    switch (command.type) {
      case "placeMarket":
      case "placeLimit":
      case "placeStopLimit":
        this.#checkCount(command.legs.length + (command.type === "placeMarket" ? 0 : 1));
        this.#checkEntry(command);
        break;
      case "placeBracket": {
        this.#checkCount(command.legs.length);
        const held = book.positions.get(command.pair);
        if (held === undefined) this.must.add("noPosition");
        else for (const leg of command.legs) this.#checkHeldLeg(leg, held);
        break;
      }
      case "editOrder":
        this.#checkEdit(command);
        break;
      case "closePair":
        if (!book.positions.has(command.pair)) this.must.add("noPosition");
        break;
      case "cancelOrders":
        if (ordersToCancel(command, book) === null) this.must.add("unknownOrder");
        break;
      case "flatten":
        this.#checkFlatten(command);
        break;
      case "cancelAllAfter":
      case "closeAccount":
      case "eliminateAccount":
      case "offerPro":
      case "openAccount":
      case "passTime":
      case "promote":
      case "provisionAccount":
      case "recordBests":
      case "recordPayout":
      case "resumeSwitch":
      case "settlePrices":
      case "suspendSwitch":
        break;
    }
  }

  /**
   * Requires a refusal when `count` more orders and legs would exceed the limit of pending orders. @rule D10.hundred
   */
  #checkCount(count: number): void {
    const { book, maxPending } = this.#at;
    if (count > 0 && book.count + count > maxPending) this.must.add("tooManyRestingOrders");
  }

  /** The checks that a new order and an edited entry share. */
  #checkEntry(order: SizedPlacement): void {
    const held = this.#at.book.positions.get(order.pair);
    const isOpposite = held !== undefined && held.direction !== order.direction;
    const { reduceOnly } = order;
    if (reduceOnly && !isOpposite) this.must.add("nothingToReduce");
    // A reduce-only order never opens or adds, so like an order against the position it may not have legs.
    if (order.legs.length > 0 && (isOpposite || reduceOnly)) this.must.add("legsOnReducing");
    const pricing = sizePricingOf(order.pair, this.#entryPriceOf(order), this.#at);
    if (pricing !== null) this.#checkSizes(order, pricing, held?.open ?? 0);
    this.#checkSides(order);
  }

  #checkSizes(order: SizedPlacement, pricing: SizePricing, open: number): void {
    const step = stepOf(pricing);
    const raw = rawLots(order.size, pricing, 0);
    const slips = pricing.instrument.slippage.kind !== "none";
    const own = sizesOnGrid(raw, step, slips ? raw * SLIPPAGE_MAX : 0);
    this.#checkNotZero(own);
    for (const { size } of order.legs) {
      if (size === null) continue;
      const legLots = rawLots(size, pricing, own.max + open);
      this.#checkNotZero(sizesOnGrid(legLots, step, legLots * SLIPPAGE_MAX));
      // The caps may reduce the order further, and its shares with it, so a share may be too small.
      if (size.kind === "bracketPct") this.may.add("sizeBelowGrid");
    }
  }

  #checkSides(order: SizedPlacement): void {
    const trading = tradablePairOf(order.pair, this.#at.moment);
    const levels = levelsOf(order, trading?.quote ?? null);
    if (levels === null) return;
    const { direction } = order;
    const slips = order.type === "placeMarket" && trading?.instrument.slippage.kind !== "none";
    const isOpen = order.type !== "placeMarket" || slips;
    for (const leg of order.legs) {
      if (!isOnCorrectSide(leg, direction, levels.must)) this.#addSideCodes(this.must);
      if (isOpen && !isOnCorrectSide(leg, direction, levels.may)) this.#addSideCodes(this.may);
      if (!canTrailFrom(leg, direction, levels.trailFrom)) {
        (levels.isTrailSure ? this.must : this.may).add("trailingDistance");
      }
    }
  }

  /** Checks a leg of an open position. @rule D5.bracket */
  #checkHeldLeg(leg: LegRequest, held: Pick<HeldPosition, "pair" | "direction" | "open">): void {
    const trading = tradablePairOf(held.pair, this.#at.moment);
    if (trading === null) {
      // The text of the rules does not say whether a leg is checked against a stale price.
      this.#addSideCodes(this.may);
      this.may.add("sizeBelowGrid").add("trailingDistance");
      return;
    }
    const mark = markOf(held.direction, trading.quote);
    if (!isOnCorrectSide(leg, held.direction, [mark])) this.#addSideCodes(this.must);
    if (!canTrailFrom(leg, held.direction, mark)) this.must.add("trailingDistance");
    const pricing = sizePricingOf(held.pair, mark, this.#at);
    if (leg.size === null || pricing === null) return;
    this.#checkNotZero(sizesOnGrid(rawLots(leg.size, pricing, held.open), stepOf(pricing)));
  }

  #checkEdit({ replacement }: EditOrder): void {
    const old = this.#at.book.pending.get(replacement.orderUuid);
    if (old === undefined) {
      this.must.add("unknownOrder");
      return;
    }
    if (old.pair !== replacement.pair) this.must.add("pairMismatch");
    if (kindOf(old) !== replacement.type) this.must.add("kindMismatch");
    if (
      old.what !== "leg" &&
      "direction" in replacement &&
      old.direction !== replacement.direction
    ) {
      this.must.add("directionMismatch");
    }
    // An edit that repeats the order's values changes nothing, so it is never refused.
    if (this.must.size > 0 || isUnchanged(replacement, old)) return;
    if (replacement.type === "editLeg") this.#checkEditedLeg(replacement, old);
    else this.#checkEditedEntry(replacement, old);
  }

  #checkEditedLeg({ leg }: EditLeg, old: ReferencePendingOrder): void {
    const held = this.#at.book.positions.get(old.pair);
    if (old.what !== "leg" || held === undefined) return;
    // An unchanged distance or size is not checked again.
    const { size, trailing } = old.request;
    const judged = {
      ...leg,
      size: haveSameJson(size, leg.size) ? null : leg.size,
      trailing: haveSameJson(trailing, leg.trailing) ? null : leg.trailing,
    };
    this.#checkHeldLeg(judged, { ...held, open: wholeOf(old) });
  }

  #checkEditedEntry(
    order: Exclude<SizedPlacement, { readonly type: "placeMarket" }>,
    old: ReferencePendingOrder,
  ): void {
    if (old.what === "leg") return;
    this.#checkCount(order.legs.length - old.legs.length);
    this.#checkEntry(order);
    const isKept = haveSameJson(old.legs, order.legs) && old.direction === order.direction;
    // An order that was placed to open keeps its legs, even while it would reduce.
    if (isKept && !order.reduceOnly && this.must.delete("legsOnReducing")) {
      this.may.add("legsOnReducing");
    }
    // The sizes of this order and its legs are unchanged and were valid when it was placed, so a size that rounds to
    // zero at the present price may be refused, but need not be.
    if (isKept && haveSameJson(old.size, order.size) && this.must.delete("sizeBelowGrid")) {
      this.may.add("sizeBelowGrid");
    }
  }

  #checkFlatten(command: Flatten): void {
    const { named, closing } = positionsToFlatten(command, this.#at);
    const open = [...this.#at.book.positions.values()];
    const { target } = command;
    const isKnown = target === "all" || open.some(({ uuid }) => target.some((id) => id === uuid));
    if (!isKnown) this.must.add("unknownPosition");
    else if (named.length > 0 && closing.length === 0) this.must.add("nothingClosed");
  }

  #addSideCodes(codes: Set<Code>): void {
    codes.add("wrongSide");
    codes.add("wouldTrigger");
  }

  /** Allows or requires the refusal of a size that rounds to zero. @rule D10.legNeverMore */
  #checkNotZero({ min, max }: SizeRange): void {
    if (min <= 0) this.may.add("sizeBelowGrid");
    if (max <= 0) this.must.add("sizeBelowGrid");
  }

  #entryPriceOf(order: SizedPlacement): number | null {
    if (order.type !== "placeMarket") return order.limitPrice;
    const quote = this.#at.moment.quotes.get(order.pair);
    return quote === undefined ? null : fillPriceOf(order.direction, quote);
  }
}

function kindOf(old: ReferencePendingOrder): EditOrder["replacement"]["type"] {
  if (old.what === "leg") return "editLeg";
  return old.stop === null ? "placeLimit" : "placeStopLimit";
}

/** Whether an edit repeats the values of the order. @rule D13.shownIsHeld */
function isUnchanged(replacement: EditOrder["replacement"], old: ReferencePendingOrder): boolean {
  if (replacement.type === "editLeg") {
    return old.what === "leg" && haveSameJson(old.request, replacement.leg);
  }
  return old.what === "entry" && haveSameJson(old, entryOfCommand(replacement));
}

function wholeOf({ whole }: PendingLeg): number {
  return whole.lots;
}
