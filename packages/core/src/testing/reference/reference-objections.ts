/**
 * What speaks against a command: `must` refuses it by the text of the rules, `may` is left open by them. Rules that
 * other models hold (markets, caps, the account's status) are not looked at here.
 */
import type { Command, EditLeg, EditOrder, Flatten } from "../../state/command.ts";
import type { LegRequest } from "../../state/order.ts";
import type { Refusal } from "../../state/refusal.ts";
import type { HeldPosition, Waiting, WaitingLeg } from "./reference-book.ts";
import { type Circumstances, cancelled, flattened, pricingOf } from "./reference-circumstances.ts";
import { sameValue } from "./reference-legs.ts";
import { fillPriceOf, markOf, tradingOf } from "./reference-prices.ts";
import { isOnItsSide, levelsOf, MOST_SLIPPAGE, type Placing } from "./reference-sides.ts";
import { onGrid, type Pricing, rawLots, type Sizes, stepOf } from "./reference-sizes.ts";

type Code = Refusal["code"];

/** The refusals that the reference can tell for itself. */
export const JUDGED_REFUSALS: ReadonlySet<Code> = new Set<Code>([
  "tooManyRestingOrders",
  "legsOnReducing",
  "nothingToReduce",
  "wouldTrigger",
  "wrongSide",
  "nothingClosed",
  "noPosition",
  "unknownOrder",
  "unknownPosition",
  "pairMismatch",
  "kindMismatch",
  "sizeBelowGrid",
]);

export class Objections {
  readonly must = new Set<Code>();
  readonly may = new Set<Code>();
  readonly #at: Circumstances;

  constructor(command: Command, at: Circumstances) {
    this.#at = at;
    const { book } = at;
    switch (command.type) {
      case "placeMarket":
      case "placeLimit":
      case "placeStopLimit":
        this.#toMore(command.legs.length + (command.type === "placeMarket" ? 0 : 1));
        this.#toEntry(command);
        break;
      case "placeBracket": {
        this.#toMore(command.legs.length);
        const held = book.positions.get(command.pair);
        if (held === undefined) this.must.add("noPosition");
        else for (const leg of command.legs) this.#toHeldLeg(leg, held);
        break;
      }
      case "editOrder":
        this.#toEdit(command);
        break;
      case "closePair":
        if (!book.positions.has(command.pair)) this.must.add("noPosition");
        break;
      case "cancelOrders":
        if (cancelled(command, book) === null) this.must.add("unknownOrder");
        break;
      case "flatten":
        this.#toFlatten(command);
        break;
      case "closeAccount":
      case "eliminateAccount":
      case "offerPro":
      case "openAccount":
      case "passTime":
      case "promote":
      case "provisionAccount":
      case "recordPayout":
      case "settlePrices":
        break;
    }
  }

  /** @rule D10.hundred */
  #toMore(count: number): void {
    const { book, mostWaiting } = this.#at;
    if (count > 0 && book.count + count > mostWaiting) this.must.add("tooManyRestingOrders");
  }

  /** What an order and its edit have in common. */
  #toEntry(order: Placing): void {
    const held = this.#at.book.positions.get(order.pair);
    const isOpposite = held !== undefined && held.direction !== order.direction;
    const isReduceOnly = order.type !== "placeMarket" && order.reduceOnly;
    if (isReduceOnly && !isOpposite) this.must.add("nothingToReduce");
    // A reduce-only order never opens or adds, so legs have nothing to guard there either.
    if (order.legs.length > 0 && (isOpposite || isReduceOnly)) this.must.add("legsOnReducing");
    const pricing = pricingOf(order.pair, this.#entryPriceOf(order), this.#at);
    if (pricing !== null) this.#toSizes(order, pricing, held?.open ?? 0);
    this.#toSides(order);
  }

  #toSizes(order: Placing, pricing: Pricing, open: number): void {
    const step = stepOf(pricing);
    const raw = rawLots(order.size, pricing, 0);
    const slips = pricing.instrument.slippage.kind !== "none";
    const own = onGrid(raw, step, slips ? raw * MOST_SLIPPAGE : 0);
    this.#toNothing(own);
    for (const { size } of order.legs) {
      if (size === null) continue;
      const asked = rawLots(size, pricing, own.most + open);
      this.#toNothing(onGrid(asked, step, asked * MOST_SLIPPAGE));
      // What the caps leave of the order is not known here, so a share is judged by the most that it can be.
      if (size.kind === "bracketPct") this.may.add("sizeBelowGrid");
    }
  }

  #toSides(order: Placing): void {
    const trading = tradingOf(order.pair, this.#at.moment);
    const levels = levelsOf(order, trading?.quote ?? null);
    if (levels === null) return;
    const { direction } = order;
    const slips = order.type === "placeMarket" && trading?.instrument.slippage.kind !== "none";
    const isOpen = order.type !== "placeMarket" || slips;
    for (const leg of order.legs) {
      if (!isOnItsSide(leg, direction, levels.must)) this.#toSide(this.must);
      if (isOpen && !isOnItsSide(leg, direction, levels.may)) this.#toSide(this.may);
    }
  }

  /** A leg of a position that is open already. @rule D5.bracket */
  #toHeldLeg(leg: LegRequest, held: Pick<HeldPosition, "pair" | "direction" | "open">): void {
    const trading = tradingOf(held.pair, this.#at.moment);
    if (trading === null) {
      // Whether an old price is held against it is left open.
      this.#toSide(this.may);
      this.may.add("sizeBelowGrid");
      return;
    }
    const mark = markOf(held.direction, trading.quote);
    if (!isOnItsSide(leg, held.direction, [mark])) this.#toSide(this.must);
    const pricing = pricingOf(held.pair, mark, this.#at);
    if (leg.size === null || pricing === null) return;
    this.#toNothing(onGrid(rawLots(leg.size, pricing, held.open), stepOf(pricing)));
  }

  #toEdit({ replacement }: EditOrder): void {
    const old = this.#at.book.waiting.get(replacement.orderUuid);
    if (old === undefined) {
      this.must.add("unknownOrder");
      return;
    }
    if (old.pair !== replacement.pair) this.must.add("pairMismatch");
    if (kindOf(old) !== replacement.type) this.must.add("kindMismatch");
    if (this.must.size > 0) return;
    if (replacement.type === "editLeg") this.#toEditedLeg(replacement, old);
    else this.#toEditedEntry(replacement, old);
  }

  #toEditedLeg({ leg }: EditLeg, old: Waiting): void {
    const held = this.#at.book.positions.get(old.pair);
    if (old.what !== "leg" || held === undefined) return;
    const isKept = sameValue(old.asked.size, leg.size);
    // What is kept keeps its meaning, however small that has become since.
    if (isKept && leg.size !== null) this.may.add("sizeBelowGrid");
    const asked = isKept ? { ...leg, size: null } : leg;
    this.#toHeldLeg(asked, { ...held, open: wholeOf(old) });
  }

  #toEditedEntry(order: Exclude<Placing, { readonly type: "placeMarket" }>, old: Waiting): void {
    if (old.what === "leg") return;
    this.#toMore(order.legs.length - old.legs.length);
    this.#toEntry(order);
    const isKept = sameValue(old.legs, order.legs) && old.direction === order.direction;
    // An order that was placed to open keeps its legs even while it would reduce.
    if (isKept && !order.reduceOnly && this.must.delete("legsOnReducing")) {
      this.may.add("legsOnReducing");
    }
  }

  #toFlatten(command: Flatten): void {
    const { meant, closing } = flattened(command, this.#at);
    const open = [...this.#at.book.positions.values()];
    const { target } = command;
    const isKnown = target === "all" || open.some(({ uuid }) => target.some((id) => id === uuid));
    if (!isKnown) this.must.add("unknownPosition");
    else if (meant.length > 0 && closing.length === 0) this.must.add("nothingClosed");
  }

  #toSide(codes: Set<Code>): void {
    codes.add("wrongSide");
    codes.add("wouldTrigger");
  }

  /** A size that rounds to nothing. @rule D10.legNeverMore */
  #toNothing({ least, most }: Sizes): void {
    if (least <= 0) this.may.add("sizeBelowGrid");
    if (most <= 0) this.must.add("sizeBelowGrid");
  }

  #entryPriceOf(order: Placing): number | null {
    if (order.type !== "placeMarket") return order.limitPrice;
    const quote = this.#at.moment.quotes.get(order.pair);
    return quote === undefined ? null : fillPriceOf(order.direction, quote);
  }
}

function kindOf(old: Waiting): EditOrder["replacement"]["type"] {
  if (old.what === "leg") return "editLeg";
  return old.stop === null ? "placeLimit" : "placeStopLimit";
}

function wholeOf({ whole }: WaitingLeg): number {
  return whole.lots;
}
