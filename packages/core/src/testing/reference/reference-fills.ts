/** Checks a fill against the text of the rules, and applies it to the reference book. */
import { pairId } from "../../ids.ts";
import type { OrderFilled } from "../../state/event.ts";
import type { ShortfallCode } from "../../state/fill-difference.ts";
import type { Moment } from "../../state/moment.ts";
import type { LegRequest } from "../../state/order.ts";
import type { LegSize, Size } from "../../state/requested-size.ts";
import { expectSame, expectThat } from "../lives/expectation.ts";
import type { HeldPosition, ReferenceBook } from "./reference-book.ts";
import {
  microDollarsOf,
  type ReferenceCircumstances,
  sizePricingOf,
} from "./reference-circumstances.ts";
import { holdReducingEntries, type QuoteEffect } from "./reference-effects.ts";
import {
  fillPriceOf,
  markOf,
  staleRateAge,
  type TradablePair,
  tradablePairOf,
} from "./reference-prices.ts";
import { addableValueFor } from "./reference-room.ts";
import { doLegsFit } from "./reference-sides.ts";
import {
  exitSize,
  isInSizeRange,
  rawLots,
  type SizePricing,
  type SizeRange,
  sizesOnGrid,
  stepOf,
} from "./reference-sizes.ts";

const NOISE = 1e-9;

/**
 * The request of an order that fills and may open, add or reduce: its size, how far the fill may differ from that size,
 * and its legs.
 */
export interface RequestedFill {
  readonly size: Size;
  /** How far slippage may change the size, as a fraction of it. */
  readonly slack: number;
  readonly legs: readonly LegRequest[];
  readonly isReduceOnly: boolean;
}

interface RequestedExit {
  readonly sizes: SizeRange;
  readonly at: ReferenceCircumstances;
  /** The requested size; null for an order without one, which closes the whole position. */
  readonly requested: RequestedSize | null;
}

/** A requested size before the grid, in 0.00001 lots. */
export interface RequestedSize {
  readonly raw: number;
  /** How far the true size may differ from `raw`, in 0.00001 lots. */
  readonly slack: number;
  readonly by: LegSize["kind"];
  /** The cause that a fill reports when more is requested than is open. */
  readonly beyondOpen: "nothingLeft" | "neverFlips";
}

/** Checks each fill and applies it to the book. */
export class ReferenceFills {
  readonly #book: ReferenceBook;

  constructor(book: ReferenceBook) {
    this.#book = book;
  }

  /**
   * Checks the fill of an entry and applies it.
   * @returns the uuids of the legs and orders that are cancelled when the fill closes the position
   */
  takeEntryFill(
    fill: OrderFilled,
    requested: RequestedFill,
    at: ReferenceCircumstances,
  ): readonly string[] {
    const pricing = pricingFor(fill, at);
    const raw = rawLots(requested.size, pricing, 0);
    const sizes = sizesOnGrid(raw, stepOf(pricing), raw * requested.slack);
    const held = this.#book.positions.get(fill.pair);
    if (held !== undefined && held.direction !== fill.direction) {
      expectSame(fill.legsDropped ?? false, requested.legs.length > 0, "whether legs were dropped");
      const beyondOpen = requested.isReduceOnly ? "nothingLeft" : "neverFlips";
      const { kind: by } = requested.size;
      return this.takeExitFill(fill, held, {
        sizes,
        at,
        requested: { raw, slack: 0, by, beyondOpen },
      });
    }
    const room = addableValueFor(fill.pair, at.account, at.moment);
    expectSame(
      staleRateAge(fill.pair, at.moment),
      null,
      "the age of a stale rate at which it opens",
    );
    expectSame(fill.rateAgeMs, undefined, "the age of the rate that it reports");
    this.#open(fill, requested, at);
    const isCapped = fill.bindingCap !== null && fill.quantity < sizes.max;
    if (isCapped) expectNoRoomBeyond(fill.quantity, { ...at, room, pricing });
    const isDue = isCapped || isInSizeRange(fill.quantity, sizes);
    expectThat(isDue, `a fill of ${sizes.min} to ${sizes.max}, not ${fill.quantity}`);
    const code = fill.bindingCap === null ? "roundedToGrid" : "cap";
    expectDifference(fill, { raw, slack: 0, by: requested.size.kind }, [code]);
    return [];
  }

  /**
   * Checks the fill of an order that reduces or closes, and applies it. Returns the uuids of the orders that end with
   * the position. @rule D10.legNeverMore D10.leastGoesAlong
   */
  takeExitFill(fill: OrderFilled, held: HeldPosition, requested: RequestedExit): readonly string[] {
    expectSame(fill.positionUuid, held.uuid, "the position of an exit");
    expectRateAge(fill, requested.at.moment);
    const pricing = pricingFor(fill, requested.at);
    const { min, max } = requested.sizes;
    const sizes = isInSizeRange(fill.quantity, requested.sizes)
      ? [fill.quantity, min, max]
      : [min, max];
    const due = sizes.map((lots) => exitSize(lots, held.open, pricing));
    const takesRest = fill.tookRestAlong ?? false;
    const isDue = due.some((one) => one.lots === fill.quantity && one.takesRest === takesRest);
    expectThat(
      isDue,
      `an exit of one of ${JSON.stringify(due)}, not ${fill.quantity} (remainder: ${takesRest})`,
    );
    if (requested.requested !== null) {
      const codes: ShortfallCode[] = min > held.open ? [] : ["roundedToGrid"];
      if (max > held.open) codes.push(requested.requested.beyondOpen);
      expectDifference(fill, requested.requested, codes);
    }
    const isWhole = fill.quantity === held.open;
    expectSame(fill.effect, isWhole ? "close" : "reduce", "the effect of a fill");
    this.#book.reducePosition(held, fill.quantity, fill.orderUuid);
    if (!isWhole) return [];
    return this.#close(held, requested.at.moment);
  }

  /**
   * Checks a fill that closes a whole position, by command or by the end of the account, and applies it. Returns the
   * uuids of the orders that end with the position.
   */
  takeWholeClose(fill: OrderFilled, moment: Moment): readonly string[] {
    const held = this.#book.positions.get(fill.pair);
    expectThat(held !== undefined, `an open position on ${fill.pair}`);
    expectSame(fill.quantity, held.open, "the quantity of a complete close");
    expectRateAge(fill, moment);
    expectSame(fill.effect, "close", "the effect of a complete close");
    return this.#close(held, moment);
  }

  #close(held: HeldPosition, { quotes }: Moment): readonly string[] {
    const gone = this.#book.close(held);
    holdReducingEntries(this.#book, held, quotes.get(pairId(held.pair)));
    return gone;
  }

  #open(
    fill: OrderFilled,
    { legs, slack, isReduceOnly }: RequestedFill,
    { moment }: ReferenceCircumstances,
  ): void {
    const held = this.#book.positions.get(fill.pair);
    expectThat(!isReduceOnly, "a reduce-only order opens nothing");
    const trading = tradablePairOf(fill.pair, moment);
    expectThat(trading !== null, `${fill.pair} trades now`);
    const isJudged = slack === 0;
    expectThat(!isJudged || doLegsFit(legs, fill.direction, trading.quote), "legs fit their fill");
    expectSame(fill.effect, held === undefined ? "open" : "add", "the effect of a fill");
    if (held !== undefined) {
      this.#book.add(held, fill.quantity);
      return;
    }
    const { positionUuid: uuid, pair, direction, quantity } = fill;
    expectSame(uuid, fill.orderUuid, "the uuid of a new position");
    this.#book.positions.set(pair, { uuid, pair, direction, open: quantity });
  }
}

/**
 * Checks what the fill reports as its difference from the requested size. `codes` are the possible causes of a smaller
 * fill.
 * @throws unless the report is right @rule D12.shortfall
 */
function expectDifference(
  fill: OrderFilled,
  { raw, slack, by }: Omit<RequestedSize, "beyondOpen">,
  codes: readonly ShortfallCode[],
): void {
  const { shortfall, excess, quantity, tookRestAlong = false } = fill;
  const missing = raw - quantity;
  const share = Math.abs(missing) / raw;
  const isByGrid = codes.includes("roundedToGrid") && !tookRestAlong;
  const isUnsure = slack > 0 || codes.length > 1 || Math.abs(share - 0.01) < NOISE;
  if (isUnsure && isByGrid && shortfall === undefined && excess === undefined) return;
  const isReported = isUnsure || !isByGrid || by === "quantity" || share > 0.01;
  const due = isReported && share > 1e-12 ? missing : 0;
  const said = ((shortfall?.lots ?? 0) - (excess?.lots ?? 0)) * LOT;
  expectThat(
    Math.abs(said - due) <= slack + NOISE * raw,
    `a difference of ${due} from the size, not ${said}`,
  );
  if (shortfall !== undefined) expectThat(codes.includes(shortfall.code), "why less was filled");
  const more = tookRestAlong ? "leastPosition" : "roundedToGrid";
  if (excess !== undefined) expectSame(excess.code, more, "why more was filled");
}

const LOT = 100_000;

/**
 * Checks that a fill was as large as its cap allows.
 * @throws when another grid step would fit below the cap @rule D5.caps
 */
export function expectNoRoomBeyond(
  lots: number,
  { room, pricing }: { readonly room: number | null; readonly pricing: SizePricing },
): void {
  const next = microDollarsOf(lots + stepOf(pricing), pricing);
  expectThat(
    room === null || next > room * (1 - NOISE) - 1,
    `${next} does not fit into the room of ${room}`,
  );
}

/**
 * The requested size of a triggered order, before it is limited to the open quantity. Zero or less means that nothing
 * is closed. @rule D12.ladder
 */
export function requestedExitOf(
  { by, order }: QuoteEffect,
  { quote }: TradablePair,
  at: ReferenceCircumstances,
): Pick<RequestedExit, "sizes" | "requested"> {
  const size = by === "limit" ? order.size : order.request.size;
  if (size === null) {
    const open = at.book.positions.get(order.pair)?.open ?? 0;
    return { sizes: { min: open, max: open }, requested: null };
  }
  const { direction } = order;
  const price = by === "limit" ? fillPriceOf(direction, quote) : markOf(direction, quote);
  const pricing = sizePricingOf(order.pair, price, at);
  expectThat(pricing !== null, "a size needs a rate");
  const whole = by === "limit" ? { lots: 0, slack: 0 } : order.whole;
  const step = stepOf(pricing);
  const share = size.kind === "bracketPct" ? size.ratio : 0;
  const raw = rawLots(size, pricing, whole.lots);
  const slack = whole.slack * share;
  const sizes = sizesOnGrid(raw, step, slack);
  const requested = {
    raw,
    // The network stores this quantity rounded to whole steps of 0.00001 lots.
    slack: (whole.slack + 0.5) * share,
    by: size.kind,
    beyondOpen: "nothingLeft",
  } as const;
  if (by === "limit") return { sizes, requested };
  const ladder = at.book.ladderOf(order);
  if (ladder !== null) {
    const { shares, closed } = ladder;
    const sums = sizesOnGrid(shares + raw, step, ladder.slack + slack);
    return { sizes: { min: sums.min - closed, max: sums.max - closed }, requested };
  }
  const atLeastAStep = { min: Math.max(sizes.min, step), max: Math.max(sizes.max, step) };
  return { sizes: atLeastAStep, requested };
}

function pricingFor({ pair, price }: OrderFilled, at: ReferenceCircumstances): SizePricing {
  const pricing = sizePricingOf(pair, price, at);
  expectThat(pricing !== null, "a size needs a rate");
  return pricing;
}

/** Checks the age of the rate that an exit reports. @rule D12.staleRate */
function expectRateAge({ pair, rateAgeMs }: OrderFilled, moment: Moment): void {
  expectSame(
    rateAgeMs ?? null,
    staleRateAge(pair, moment),
    "the age of the rate that an exit reports",
  );
}
