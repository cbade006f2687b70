import { assert } from "../assert.ts";
import type { Market } from "../market/live-market.ts";
import { gridStepOf, roundToGridOrWhole } from "../market/lot-grid.ts";
import { markOf } from "../market/mark.ts";
import type { Reaction } from "../pending/triggers.ts";
import { attachLegs } from "../positions/attach-legs.ts";
import { exitPosition } from "../positions/exit.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { PlaceBracket } from "../state/command.ts";
import type { Draft } from "../state/draft.ts";
import { ladderPartOf } from "../state/ladder.ts";
import type { BracketLeg } from "../state/order.ts";
import type { Position } from "../state/position.ts";
import type { Refusal } from "../state/refusal.ts";
import { type Price, QUANTITY_PER_LOT, ratio } from "../units.ts";
import { amountsRefusal, legPrices } from "./exact-amounts.ts";
import { type Difference, differenceOf } from "./fill-difference.ts";
import {
  directionRefusal,
  openPositionOf,
  requireInstrument,
  tooManyPendingRefusal,
} from "./guards.ts";
import { legsRefusal } from "./leg-side.ts";
import { legSizeRequest, openLegSizesRefusal } from "./leg-size.ts";
import { priceStepRefusal, sentPrices } from "./price-steps.ts";
import { lotsBeforeGrid, type Reduction, reductionOf } from "./sizing.ts";

/**
 * BRACKET: attaches legs to an open position, after checking the number of pending orders and the legs' prices, sizes
 * and sides. The sides are checked against the position's mark. The last quote of a closed market suffices, because no
 * order fills. @rule D5.bracket decides
 */
export function placeBracket(draft: Draft, command: PlaceBracket): Result<null, Refusal> {
  const { orderUuid: parent, pair, legs } = command;
  const known = requireInstrument(draft.moment, pair);
  if (!known.ok) return known;
  const quote = draft.moment.quotes.get(pair);
  if (quote === undefined) return refuse({ code: "noFreshQuote", pair });
  const early =
    tooManyPendingRefusal(draft, legs.length) ?? priceStepRefusal(known.value, sentPrices(legs));
  if (early !== null) return refuse(early);
  const position = openPositionOf(draft.state, pair);
  if (position === null) return refuse({ code: "noPosition", pair });
  const { direction } = position;
  const refusal =
    directionRefusal([position], command.repeatedDirection) ??
    legsRefusal(legs, { direction, entryPrice: null, quote }) ??
    openLegSizesRefusal(draft, legs, { instrument: known.value, quote, position }) ??
    amountsRefusal(draft, known.value, {
      prices: legPrices(legs, { direction, from: markOf(direction, quote) }),
      adds: null,
    });
  if (refusal !== null) return refuse(refusal);
  attachLegs(draft, { parent, legs, position, quote });
  return ok(null);
}

/**
 * Carries out the reaction of a leg. A `ratchet` only lets the trailing stop follow the price. Otherwise the leg fills
 * at the present quote: after a gap a stop fills at the worse price and a target at the better price. A leg larger than
 * the position closes it. A leg of a ladder whose share rounds to zero is cancelled. @rule D5.gap decides
 */
export function carryOutLegReaction(
  draft: Draft,
  leg: BracketLeg,
  now: { readonly market: Market; readonly reaction: Reaction },
): void {
  const { market, reaction } = now;
  const exit = markOf(leg.direction, market.quote);
  if (reaction === "ratchet") {
    draft.followBestPrice(leg, exit);
    return;
  }
  const { uuid: orderUuid } = leg;
  const position = openPositionOf(draft.state, leg.pair);
  assert(position !== null, `a position for the leg ${orderUuid}`);
  const reduction = legReduction(draft, leg, { market, position, price: exit });
  if (reduction === null) {
    draft.record({ type: "orderCancelled", orderUuid, reason: "roundedAway", detail: null });
    return;
  }
  exitPosition(draft, {
    orderUuid,
    kind: reaction === "takeProfit" ? "takeProfit" : "stopLoss",
    position,
    instrument: market.instrument,
    usdRate: market.usdRateAt(exit),
    ...reduction,
    price: exit,
    slippage: ratio(0),
  });
}

/**
 * The quantity that a leg closes: the whole position when the leg has no size, else its size on the grid, at least one
 * step. A remainder below the minimum position is closed too. Null for a leg of a ladder whose share rounds to zero.
 * @rule D10.legNeverMore D12.ladder decides
 */
function legReduction(
  draft: Draft,
  leg: BracketLeg,
  at: { readonly market: Market; readonly position: Position; readonly price: Price },
): (Reduction & { readonly difference: Difference }) | null {
  const { market, position, price } = at;
  const { quantity: open } = position;
  if (leg.size === null) return { quantity: open, tookRestAlong: false, difference: {} };
  const valued = { instrument: market.instrument, price, usdRate: market.usdRateAt(price) };
  const request = legSizeRequest(leg.size, { ...valued, whole: leg.shareOf });
  const requestedLots = lotsBeforeGrid(draft, request);
  const part = ladderPartOf(leg, draft.state.orders);
  const step = gridStepOf(market.instrument, draft.state.terms.size);
  const lots = part === null ? requestedLots : part / QUANTITY_PER_LOT;
  const nearest = roundToGridOrWhole(lots, { open, step });
  // When the share of a ladder's leg rounds to zero, the next leg closes it too. A leg outside a ladder closes at least
  // one grid step.
  if (nearest === 0 && part !== null) return null;
  const requested = nearest === 0 ? step : nearest;
  const reduction = reductionOf(draft, valued, { open, requested });
  const difference = differenceOf(reduction.quantity, {
    lots: requestedLots,
    by: leg.size.kind,
    cut: requested > open ? "nothingLeft" : null,
    tookRestAlong: reduction.tookRestAlong,
  });
  return { ...reduction, difference };
}
