import { assert } from "../assert.ts";
import { markOf } from "../market/mark.ts";
import type { PlaceBracket } from "../network/command.ts";
import type { Draft } from "../network/draft.ts";
import type { Refusal } from "../network/refusal.ts";
import { attachLegs, stopLevel } from "../positions/bracket-leg.ts";
import { exitPosition } from "../positions/exit.ts";
import { legsRefusal } from "../positions/leg-side.ts";
import type { Position } from "../positions/position.ts";
import { ok, type Result, refuse } from "../result.ts";
import { lots, type Price, type Quantity, quantity, ratio } from "../units.ts";
import { knownPair, type Market, openPositionOf, restingRefusal } from "./guards.ts";
import type { BracketLeg } from "./order.ts";
import { sizeToReduce, tooSmallRefusal } from "./sizing.ts";
import { exitSide, justBeyond, type Reaction, type Trigger } from "./triggers.ts";

/**
 * Legs for a position that is already open, against its mark; a closed market's last quote will
 * do, for nothing fills here. @rule D5.bracket
 */
export function placeBracket(draft: Draft, command: PlaceBracket): Result<null, Refusal> {
  const { orderUuid: parent, pair, legs } = command;
  const known = knownPair(draft.moment, pair);
  if (!known.ok) return known;
  const quote = draft.moment.quotes.get(pair);
  if (quote === undefined) return refuse({ code: "noFreshQuote", pair });
  const resting = restingRefusal(draft, legs.length);
  if (resting !== null) return refuse(resting);
  const position = openPositionOf(draft.state, pair);
  if (position === null) return refuse({ code: "noPosition", pair });
  const refusal = legsRefusal(legs, position.direction, markOf(position.direction, quote));
  if (refusal !== null) return refuse(refusal);
  attachLegs(draft, { parent, legs, position, quote });
  return ok(null);
}

/** LONG: stop when bid ≤, target when bid ≥. SHORT: stop when ask ≥, target when ask ≤. @rule D5.legs */
export function bracketTriggers(leg: BracketLeg): readonly Trigger[] {
  const side = exitSide(leg.direction);
  const [losing, winning] =
    leg.direction === "long"
      ? (["atOrBelow", "atOrAbove"] as const)
      : (["atOrAbove", "atOrBelow"] as const);
  const triggers: Trigger[] = [];
  const stop = stopLevel(leg);
  if (leg.bestPrice !== null) {
    const better = justBeyond(leg.bestPrice, winning);
    triggers.push({ side, when: winning, price: better, reaction: "ratchet" });
  }
  if (stop !== null) triggers.push({ side, when: losing, price: stop, reaction: "stopLoss" });
  if (leg.takeProfit !== null) {
    triggers.push({ side, when: winning, price: leg.takeProfit, reaction: "takeProfit" });
  }
  return triggers;
}

/**
 * At the quote as it is: a price that jumped past a stop fills at the jump, a target at the better
 * price. A leg larger than the position closes it, and so does one that would leave too little
 * behind. @rule D5.gap
 */
export function reactLeg(
  draft: Draft,
  leg: BracketLeg,
  now: { readonly market: Market; readonly reaction: Reaction },
): void {
  const { market, reaction } = now;
  const exit = markOf(leg.direction, market.quote);
  if (reaction === "ratchet") {
    draft.record({ type: "trailMoved", orderUuid: leg.uuid, bestPrice: exit });
    return;
  }
  const position = openPositionOf(draft.state, leg.pair);
  assert(position !== null, `a position for the leg ${leg.uuid}`);
  exitPosition(draft, {
    orderUuid: leg.uuid,
    kind: reaction === "takeProfit" ? "takeProfit" : "stopLoss",
    position,
    instrument: market.instrument,
    usdRate: market.usdRateAt(exit),
    quantity: legQuantity(draft, leg, { market, position, price: exit }),
    price: exit,
    slippage: ratio(0),
  });
}

function legQuantity(
  draft: Draft,
  leg: BracketLeg,
  at: { readonly market: Market; readonly position: Position; readonly price: Price },
): Quantity {
  const { position, price } = at;
  const { instrument } = at.market;
  const usdRate = at.market.usdRateAt(price);
  if (leg.size === null) return position.quantity;
  const size =
    leg.size.kind === "bracketPct"
      ? { kind: "quantity" as const, lots: lots(leg.shareOf ?? position.quantity) * leg.size.ratio }
      : leg.size;
  const sized = sizeToReduce(draft, { size, instrument, price, usdRate }, position.quantity);
  // A share below one step has nothing smaller to sell than all there is.
  if (!sized.ok) return position.quantity;
  const left = quantity(position.quantity - sized.value);
  return tooSmallRefusal(draft, instrument, { quantity: left, price, usdRate }) === null
    ? sized.value
    : position.quantity;
}
