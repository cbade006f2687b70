/**
 * The way out of a position, whichever order takes it: the fill, and when nothing is left the
 * trade and the end of the legs that guarded it.
 */
import { assert } from "../assert.ts";
import type { OrderUuid } from "../ids.ts";
import { feeOf } from "../market/fees.ts";
import type { Instrument } from "../market/instrument.ts";
import { markOf } from "../market/mark.ts";
import { slippageOf, slippedPrice } from "../market/slippage.ts";
import { notionalUsd } from "../market/valuation.ts";
import type { Draft } from "../network/draft.ts";
import type { FillKind } from "../network/event.ts";
import type { Market } from "../orders/guards.ts";
import type { BracketLeg, Direction } from "../orders/order.ts";
import { closedTrade } from "../trades/trade.ts";
import { leverageOf, type Price, type Quantity, type Ratio } from "../units.ts";
import type { Position } from "./position.ts";
import { realizedPnl } from "./realized-pnl.ts";

export interface Exit {
  readonly orderUuid: OrderUuid;
  readonly kind: FillKind;
  readonly position: Position;
  readonly instrument: Instrument;
  /** At the price. */
  readonly usdRate: number;
  /** A magnitude; what is beyond the open quantity is not carried out. @rule D5.neverFlips */
  readonly quantity: Quantity;
  /** Slippage included. */
  readonly price: Price;
  readonly slippage: Ratio;
}

export function exitPosition(draft: Draft, exit: Exit): void {
  const { position, instrument, price, usdRate } = exit;
  const closes = exit.quantity >= position.quantity;
  const sold = closes ? position.quantity : exit.quantity;
  const holding = { quantity: sold, price, usdRate };
  const value = notionalUsd(instrument, holding);
  const legs = legsAt(draft, position);
  draft.record({
    type: "orderFilled",
    orderUuid: exit.orderUuid,
    positionUuid: position.uuid,
    kind: exit.kind,
    pair: position.pair,
    direction: against(position.direction),
    effect: closes ? "close" : "reduce",
    price,
    slippage: exit.slippage,
    quantity: sold,
    value,
    leverage: leverageOf(value, draft.balance),
    fee: feeOf(instrument, value),
    realizedPnl: realizedPnl(position, instrument, holding),
    bindingCap: null,
    usdRate,
  });
  if (closes) endPosition(draft, { exit, legs });
}

/** The whole position at the market, slippage included. @rule D5.flat */
export function exitAtMarket(
  draft: Draft,
  exit: Pick<Exit, "orderUuid" | "kind" | "position"> & { readonly market: Market },
): void {
  const { position, orderUuid, kind } = exit;
  const { instrument, quote, usdRateAt } = exit.market;
  const quoted = markOf(position.direction, quote);
  const { quantity } = position;
  const value = notionalUsd(instrument, { quantity, price: quoted, usdRate: usdRateAt(quoted) });
  const slippage = slippageOf(instrument, value);
  const price = slippedPrice(quoted, against(position.direction), slippage);
  const usdRate = usdRateAt(price);
  exitPosition(draft, {
    orderUuid,
    kind,
    position,
    instrument,
    usdRate,
    quantity,
    price,
    slippage,
  });
}

function endPosition(
  draft: Draft,
  closing: { readonly exit: Exit; readonly legs: readonly BracketLeg[] },
): void {
  const { exit, legs } = closing;
  const emptied = draft.state.positions.find((one) => one.uuid === exit.position.uuid);
  assert(emptied !== undefined, "a position that its last fill left empty");
  draft.record({
    type: "positionClosed",
    trade: closedTrade({
      position: emptied,
      legs,
      balance: draft.balance,
      accountSize: draft.state.terms.size,
      atMs: draft.moment.now,
      status: exit.kind === "elimination" ? "liquidated" : "closed",
    }),
  });
  for (const leg of legs.filter(({ uuid }) => uuid !== exit.orderUuid)) {
    draft.record({
      type: "orderCancelled",
      orderUuid: leg.uuid,
      reason: "positionClosed",
      detail: null,
    });
  }
}

function legsAt(draft: Draft, position: Position): readonly BracketLeg[] {
  return draft.state.orders
    .filter((order) => order.kind === "bracket")
    .filter((leg) => leg.positionUuid === position.uuid);
}

/** Buying back a short, selling a long. */
function against(direction: Direction): Direction {
  return direction === "long" ? "short" : "long";
}
