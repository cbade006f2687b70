/** What a fill may do to the book, and the book after it. */
import { pairId } from "../../ids.ts";
import type { OrderFilled } from "../../state/event.ts";
import type { Moment } from "../../state/moment.ts";
import type { LegRequest } from "../../state/order.ts";
import type { Size } from "../../state/requested-size.ts";
import { holds, same } from "../lives/expectation.ts";
import type { HeldPosition, ReferenceBook } from "./reference-book.ts";
import { type Circumstances, microDollarsOf, pricingOf } from "./reference-circumstances.ts";
import { type Effect, holdExits } from "./reference-effects.ts";
import { fillPriceOf, markOf, type Trading, tradingOf } from "./reference-prices.ts";
import { roomFor } from "./reference-room.ts";
import { doLegsFit } from "./reference-sides.ts";
import {
  exitSize,
  isAmong,
  onGrid,
  type Pricing,
  rawLots,
  type Sizes,
  stepOf,
} from "./reference-sizes.ts";

const NOISE = 1e-9;

/** An order as it was requested. */
export interface AskedFill {
  readonly size: Size;
  /** Of the size, as a share: what slippage leaves open. */
  readonly slack: number;
  readonly legs: readonly LegRequest[];
  readonly isReduceOnly: boolean;
}

interface AskedExit {
  readonly sizes: Sizes;
  readonly byLeg: boolean;
  readonly at: Circumstances;
}

export class ReferenceFills {
  readonly #book: ReferenceBook;

  constructor(book: ReferenceBook) {
    this.#book = book;
  }

  /** @returns the uuids of what goes with the position, where the fill closes it */
  entry(fill: OrderFilled, asked: AskedFill, at: Circumstances): readonly string[] {
    const pricing = pricingFor(fill, at);
    const raw = rawLots(asked.size, pricing, 0);
    const sizes = onGrid(raw, stepOf(pricing), raw * asked.slack);
    const held = this.#book.positions.get(fill.pair);
    if (held !== undefined && held.direction !== fill.direction) {
      same(fill.legsDropped ?? false, asked.legs.length > 0, "whether legs were dropped");
      return this.exit(fill, held, { sizes, byLeg: false, at });
    }
    const room = roomFor(fill.pair, at.account, at.moment);
    this.#open(fill, asked, at);
    const isCapped = fill.bindingCap !== null && fill.quantity < sizes.most;
    if (isCapped) expectNoRoomBeyond(fill.quantity, { ...at, room, pricing });
    // Rounded up it would be beyond a cap that it does not pass as it was asked for.
    const isCut = fill.quantity === Math.floor(raw / stepOf(pricing)) * stepOf(pricing);
    const isDue = isCapped || isCut || isAmong(fill.quantity, sizes);
    holds(isDue, `${fill.quantity} filled of ${sizes.least} to ${sizes.most}`);
    return [];
  }

  /** @rule D10.legNeverMore D10.leastGoesAlong */
  exit(fill: OrderFilled, held: HeldPosition, asked: AskedExit): readonly string[] {
    same(fill.positionUuid, held.uuid, "the position that a fill reduces");
    const pricing = pricingFor(fill, asked.at);
    const { least, most } = asked.sizes;
    const sizes = isAmong(fill.quantity, asked.sizes)
      ? [fill.quantity, least, most]
      : [least, most];
    const due = sizes.map((lots) => exitSize(lots, held.open, pricing));
    const takesRest = fill.tookRestAlong ?? false;
    const isDue = due.some((one) => one.lots === fill.quantity && one.takesRest === takesRest);
    holds(isDue, `${fill.quantity} closed (rest: ${takesRest}), due ${JSON.stringify(due)}`);
    const isWhole = fill.quantity === held.open;
    same(fill.effect, isWhole ? "close" : "reduce", "the effect of a fill");
    this.#book.take(held, fill.quantity, asked.byLeg);
    if (!isWhole) return [];
    return this.#close(held, asked.at.moment);
  }

  /** A position that is closed whole, by its owner or by the end of its account. */
  whole(fill: OrderFilled, moment: Moment): readonly string[] {
    const held = this.#book.positions.get(fill.pair);
    holds(held !== undefined, `an open position on ${fill.pair}`);
    same(fill.quantity, held.open, "the quantity of a position that is closed");
    same(fill.effect, "close", "the effect of a fill that closes");
    return this.#close(held, moment);
  }

  #close(held: HeldPosition, { quotes }: Moment): readonly string[] {
    const gone = this.#book.close(held);
    holdExits(this.#book, held, quotes.get(pairId(held.pair)));
    return gone;
  }

  #open(
    fill: OrderFilled,
    { legs, slack, isReduceOnly }: AskedFill,
    { moment }: Circumstances,
  ): void {
    const held = this.#book.positions.get(fill.pair);
    holds(!isReduceOnly, "a reduce-only order opens nothing");
    const trading = tradingOf(fill.pair, moment);
    holds(trading !== null, `${fill.pair} trades now`);
    const isJudged = slack === 0;
    holds(
      !isJudged || doLegsFit(legs, fill.direction, trading.quote),
      "legs that fit the fill that they guard",
    );
    same(fill.effect, held === undefined ? "open" : "add", "the effect of a fill");
    if (held !== undefined) {
      this.#book.add(held, fill.quantity);
      return;
    }
    const { positionUuid: uuid, pair, direction, quantity } = fill;
    same(uuid, fill.orderUuid, "the position of the order that opens it");
    this.#book.positions.set(pair, { uuid, pair, direction, open: quantity });
  }
}

/** A step more would not have fitted. @rule D5.caps */
export function expectNoRoomBeyond(
  lots: number,
  { room, pricing }: { readonly room: number | null; readonly pricing: Pricing },
): void {
  const next = microDollarsOf(lots + stepOf(pricing), pricing);
  holds(room === null || next > room * (1 - NOISE) - 1, `no room of ${room} for ${next}`);
}

/** What a triggered order asks for, before it is cut to what is open. */
export function sizesOf({ by, order }: Effect, { quote }: Trading, at: Circumstances): Sizes {
  const size = by === "limit" ? order.size : order.asked.size;
  if (size === null) {
    const open = at.book.positions.get(order.pair)?.open ?? 0;
    return { least: open, most: open };
  }
  const { direction } = order;
  const price = by === "limit" ? fillPriceOf(direction, quote) : markOf(direction, quote);
  const pricing = pricingOf(order.pair, price, at);
  holds(pricing !== null, "a rate to work a size out with");
  const whole = by === "limit" ? { lots: 0, slack: 0 } : order.whole;
  const step = stepOf(pricing);
  const share = size.kind === "bracketPct" ? size.ratio : 0;
  const raw = rawLots(size, pricing, whole.lots);
  const sizes = onGrid(raw, step, whole.slack * share);
  if (by === "limit") return sizes;
  return { least: Math.max(sizes.least, step), most: Math.max(sizes.most, step) };
}

function pricingFor({ pair, price }: OrderFilled, at: Circumstances): Pricing {
  const pricing = pricingOf(pair, price, at);
  holds(pricing !== null, "a rate to work a size out with");
  return pricing;
}
