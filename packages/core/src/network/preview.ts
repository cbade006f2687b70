/**
 * The effect of an order, computed on a draft that is discarded. A pending order that would not fill now is treated as
 * filled at its own price; the pair then has that price, and all other prices are the present ones.
 */

import { buyingPowerOf } from "../account/buying-power.ts";
import { shownEquityOf, shownFigures } from "../account/equity.ts";
import { assert } from "../assert.ts";
import { openDraft } from "../evolve/open-draft.ts";
import type { OrderUuid, PairId } from "../ids.ts";
import { feeOf } from "../market/fees.ts";
import type { Instrument } from "../market/instrument.ts";
import type { Market } from "../market/live-market.ts";
import { markOf } from "../market/mark.ts";
import { gainUsd, notionalUsd, usdRateAt } from "../market/valuation.ts";
import { carryOutLegReaction } from "../orders/bracket.ts";
import { fillPriceAndQuote } from "../orders/entry.ts";
import { withPairPrice } from "../orders/exact-amounts.ts";
import { fillOrder } from "../orders/fill.ts";
import { openPositionOf } from "../orders/guards.ts";

import { stopLevel } from "../pending/bracket-leg.ts";
import { ok, type Result } from "../result.ts";
import type { LossLimit } from "../rules/limit.ts";
import { drawdownOf, LOSS_LIMITS } from "../rules/registry.ts";
import type { AccountState, LossRule } from "../state/account.ts";
import {
  type CancelOrders,
  type ClosePair,
  type EditOrder,
  type Flatten,
  type OrderCommand,
  type PlaceBracket,
  type PlaceEntry,
  type PlaceMarket,
  placesEntry,
} from "../state/command.ts";
import type { Draft } from "../state/draft.ts";
import type { Event, OrderFilled } from "../state/event.ts";
import type { ExposureCap } from "../state/exposure-cap.ts";
import type { ExcessCode, FillDifference, ShortfallCode } from "../state/fill-difference.ts";
import type { Moment } from "../state/moment.ts";
import type { BracketLeg, Direction } from "../state/order.ts";
import type { Refusal } from "../state/refusal.ts";
import {
  addUsd,
  type Leverage,
  leverage,
  leverageOf,
  type MicroUsd,
  microUsd,
  type Price,
  type Quantity,
  quantity,
  type Ratio,
  ratio,
  subtractUsd,
} from "../units.ts";
import { draftOrder } from "./decide.ts";
import { type Ending, endingOf } from "./ending.ts";
import { judge } from "./judge.ts";

/**
 * The orders that have a preview: those that open, close or protect a position. Edits, cancellations and FLAT_ALL have
 * none.
 */
export type PreviewCommand = Exclude<OrderCommand, EditOrder | CancelOrders | Flatten>;

/** The figures of a loss limit after the order. */
export interface LimitAfter {
  readonly rule: LossRule;
  readonly checked: LossLimit["checked"];
  /**
   * The loss that is still allowed after the order, judged at live equity even for a limit that is checked at the day's
   * end.
   */
  readonly remaining: MicroUsd;
  /** The loss that is still allowed after the nearest stop of the order has filled; null without a stop. */
  readonly remainingIfStopped: MicroUsd | null;
  /**
   * Whether the fill of the nearest stop would breach the limit; null without a stop. False for a limit that is checked
   * at the day's end, because the fill alone does not breach it.
   */
  readonly breachedIfStopped: boolean | null;
}

/** The figures of an order before it is sent. */
export interface OrderPreview {
  readonly pair: PairId;
  readonly direction: Direction | "flat";
  /** The quantity that would fill, after cap and grid; zero when none would. */
  readonly quantity: Quantity;
  readonly value: MicroUsd;
  readonly leverage: Leverage;
  readonly bindingCap: ExposureCap | null;
  /** The differences that the fill would report, each null when there is none. @rule D12.shortfall */
  readonly shortfall: FillDifference<ShortfallCode> | null;
  readonly excess: FillDifference<ExcessCode> | null;
  readonly price: Price;
  readonly slippage: Ratio;
  readonly fee: MicroUsd;
  readonly accountLeverageAfter: Leverage;
  readonly buyingPowerAfter: MicroUsd;
  readonly limitsAfter: readonly LimitAfter[];
  /** The loss of the order if its nearest stop fills, with the fees of both fills; null without a stop. */
  readonly lossIfStopped: MicroUsd | null;
  /**
   * How the order would end the account or its challenge: the judgement after its fill breaches a limit or passes the
   * challenge. Null when it would do neither. @rule D13.ended
   */
  readonly ended: Ending | null;
}

type OrderFigures = Pick<
  OrderPreview,
  | "direction"
  | "quantity"
  | "value"
  | "leverage"
  | "bindingCap"
  | "shortfall"
  | "excess"
  | "price"
  | "slippage"
  | "fee"
>;

/** An order that was carried out on a draft. */
interface Trial {
  readonly draft: Draft;
  readonly figures: OrderFigures;
  readonly fill: OrderFilled | null;
  /** The legs that the order itself attached. */
  readonly legs: readonly BracketLeg[];
}

/**
 * The preview of an order, which is carried out on a draft that is then discarded. The preview is refused in the cases
 * in which the order would be refused. Null while an open position has no price or rate, because the value of the
 * account is unknown. @rule D9.preview decides
 */
export function previewOrder(
  state: AccountState | null,
  command: PreviewCommand,
  moment: Moment,
): Result<OrderPreview | null, Refusal> {
  const drafted = draftOrder(state, command, moment);
  if (!drafted.ok) return drafted;
  const ended = endingAfter(drafted.value);
  const trial = runTrial(drafted.value, command);
  const { draft, figures } = trial;
  const after = draft.state;
  const open = shownFigures(after.positions, draft.moment);
  const limits = limitsAfter(trial, command.pair);
  if (!open.ok || limits === null) return ok(null);
  const { positionValue } = open.value;
  const { portfolioCap } = after.terms;
  return ok({
    pair: command.pair,
    ...figures,
    accountLeverageAfter: leverageOf(positionValue, draft.balance),
    buyingPowerAfter: buyingPowerOf({ balance: draft.balance, positionValue, portfolioCap }),
    limitsAfter: limits.limits,
    lossIfStopped: limits.loss,
    ended,
  });
}

function endingAfter({ state, moment }: Draft): Ending | null {
  const judged = openDraft(state, moment);
  judge(judged);
  return endingOf(judged.events);
}

function runTrial(draft: Draft, command: PreviewCommand): Trial {
  if (placesEntry(command)) return runPendingTrial(draft, command);
  switch (command.type) {
    case "placeMarket":
    case "closePair":
      return runFilledTrial(draft, command);
    case "placeBracket":
      return bracketTrial(draft, command);
  }
}

function runFilledTrial(draft: Draft, command: PlaceMarket | ClosePair): Trial {
  const fill = fillOf(draft.events, command.orderUuid);
  assert(fill !== null, "a fill of an order that was not refused");
  const direction = command.type === "closePair" ? "flat" : fill.direction;
  return { draft, fill, figures: figuresOf(fill, direction), legs: legsOf(draft.events) };
}

/**
 * The trial of a pending order whose checks have passed. Its fill may still be refused, for example because a cap
 * leaves no room. The figures are zero then.
 */
function runPendingTrial(checked: Draft, command: PlaceEntry): Trial {
  const { pair, direction, size, legs, reduceOnly, orderUuid } = command;
  const { price, moment } = fillPoint(checked, orderUuid);
  const draft = openDraft(withoutOrder(checked.state, orderUuid), moment);
  const market = marketOf(moment, pair);
  const order = { orderUuid, direction, size, legs, reduceOnly };
  const filled = fillOrder(draft, { ...order, market, kind: "limit", price });
  const fill = fillOf(draft.events, orderUuid);
  if (filled.ok && fill !== null) {
    return { draft, fill, figures: figuresOf(fill, direction), legs: legsOf(draft.events) };
  }
  const bindingCap = !filled.ok && filled.refusal.code === "noRoom" ? filled.refusal.cap : null;
  return { draft, fill: null, figures: { ...zeroFigures(price), direction, bindingCap }, legs: [] };
}

/**
 * The price at which the order fills, and the moment of that fill. A marketable order fills at the present quote. Any
 * other order fills at its own price, which the pair then has.
 */
function fillPoint(
  { state, moment }: Draft,
  uuid: OrderUuid,
): { readonly price: Price; readonly moment: Moment } {
  const order = state.orders.find((one) => one.uuid === uuid);
  assert(order !== undefined && order.kind !== "bracket", "a pending order that was not refused");
  const instrument = moment.instruments.get(order.pair);
  assert(instrument !== undefined, `a catalogue that knows ${order.pair}`);
  const { entryPrice: price, quote } = fillPriceAndQuote(moment, instrument, order);
  return { price, moment: quote === null ? withPairPrice(moment, order.pair, price) : moment };
}

/** The trial of a bracket order: nothing fills, and only its stops have an effect. */
function bracketTrial(draft: Draft, command: PlaceBracket): Trial {
  const position = openPositionOf(draft.state, command.pair);
  const quote = draft.moment.quotes.get(command.pair);
  assert(position !== null && quote !== undefined, "a bracket's position and its quote");
  const { direction } = position;
  const figures = { ...zeroFigures(markOf(direction, quote)), direction, bindingCap: null };
  return { draft, fill: null, figures, legs: legsOf(draft.events) };
}

function figuresOf(fill: OrderFilled, direction: OrderFigures["direction"]): OrderFigures {
  const { value, leverage: share, bindingCap, price, slippage, fee } = fill;
  return {
    direction,
    quantity: fill.quantity,
    value,
    leverage: share,
    bindingCap,
    shortfall: fill.shortfall ?? null,
    excess: fill.excess ?? null,
    price,
    slippage,
    fee,
  };
}

function zeroFigures(price: Price): Omit<OrderFigures, "direction" | "bindingCap"> {
  return {
    quantity: quantity(0),
    value: microUsd(0),
    leverage: leverage(0),
    shortfall: null,
    excess: null,
    price,
    slippage: ratio(0),
    fee: microUsd(0),
  };
}

/** The loss limits after the order, and the loss if its nearest stop fills. Null when the account cannot be valued. */
function limitsAfter(
  trial: Trial,
  pair: PairId,
): { readonly limits: readonly LimitAfter[]; readonly loss: MicroUsd | null } | null {
  const { draft } = trial;
  const equity = shownEquityOf(draft.state, draft.moment);
  if (!equity.ok) return null;
  const nearest = nearestStop(trial.legs);
  const stopped = nearest === null ? null : simulateStop(draft, pair, nearest);
  const drawdown = drawdownOf(draft.state, equity.value);
  const limits = drawdown.limits.map(({ rule, floor, allowed }) => {
    const { checked } = LOSS_LIMITS[rule];
    return {
      rule,
      checked,
      remaining: remainingLoss(equity.value, floor, allowed),
      remainingIfStopped: stopped === null ? null : remainingLoss(stopped.equity, floor, allowed),
      breachedIfStopped: stopped === null ? null : checked === "live" && stopped.equity < floor,
    };
  });
  if (nearest === null || stopped === null) return { limits, loss: null };
  const { fill } = trial;
  const loss =
    fill === null
      ? subtractUsd(equity.value, stopped.equity)
      : lossAtStop(fill, { level: nearest.level, sold: stopped.sold }, draft.moment);
  return { limits, loss };
}

/** The loss that is still allowed, at most the whole allowed loss: a gain does not widen the limit. */
function remainingLoss(equity: MicroUsd, floor: MicroUsd, allowed: MicroUsd): MicroUsd {
  return microUsd(Math.min(allowed, Math.max(0, subtractUsd(equity, floor))));
}

interface LegStop {
  readonly leg: BracketLeg;
  readonly level: Price;
}

/** The stop that the market would reach first; null when no leg has one. */
function nearestStop(legs: readonly BracketLeg[]): LegStop | null {
  let nearest: LegStop | null = null;
  for (const leg of legs) {
    const level = stopLevel(leg);
    if (level === null) continue;
    const isNearer =
      nearest === null ||
      (leg.direction === "long" ? level > nearest.level : level < nearest.level);
    if (isNearer) nearest = { leg, level };
  }
  return nearest;
}

/**
 * The effect of a stop that the market has reached: the account's equity after its fill, and the quantity that it
 * closed. Null when the account cannot be valued.
 */
function simulateStop(
  draft: Draft,
  pair: PairId,
  { leg, level }: LegStop,
): { readonly equity: MicroUsd; readonly sold: Quantity } | null {
  const moment = withPairPrice(draft.moment, pair, level);
  const later = openDraft(draft.state, moment);
  carryOutLegReaction(later, leg, { market: marketOf(moment, pair), reaction: "stopLoss" });
  const equity = shownEquityOf(later.state, moment);
  const closed = later.events.find((event) => event.type === "orderFilled");
  return equity.ok ? { equity: equity.value, sold: closed?.quantity ?? quantity(0) } : null;
}

/**
 * The loss of the filled quantity at the stop's price, plus the fee of the order's fill and the fee of closing the part
 * that the stop closes.
 */
function lossAtStop(
  fill: OrderFilled,
  stop: { readonly level: Price; readonly sold: Quantity },
  moment: Moment,
): MicroUsd {
  const { level } = stop;
  const at = withPairPrice(moment, fill.pair, level);
  const { instrument, usdRateAt: rateAt } = marketOf(at, fill.pair);
  const holding = { quantity: fill.quantity, price: level, usdRate: rateAt(level) };
  const gain = gainUsd(instrument, { ...holding, from: fill.price });
  const lost = fill.direction === "long" ? subtractUsd(microUsd(0), gain) : gain;
  const sold = quantity(Math.min(fill.quantity, stop.sold));
  const fee = feeOf(instrument, notionalUsd(instrument, { ...holding, quantity: sold }));
  return addUsd(lost, fill.fee, fee);
}

/** The market of a pair that has a quote and a rate, both of which the caller has to ensure. */
function marketOf(moment: Moment, pair: PairId): Market {
  const instrument: Instrument | undefined = moment.instruments.get(pair);
  const quote = moment.quotes.get(pair);
  assert(instrument !== undefined && quote !== undefined, `a price of ${pair}`);
  const usdRate = (at: Price): number => {
    const rate = usdRateAt(instrument, at, moment);
    assert(rate !== null, `a rate for ${pair}`);
    return rate;
  };
  // A pending order fills later, and only at a rate that is fresh then.
  return { instrument, quote, usdRateAt: usdRate, staleRate: null };
}

/** The state without this pending order. */
function withoutOrder(state: AccountState, uuid: OrderUuid): AccountState {
  return { ...state, orders: state.orders.filter((order) => order.uuid !== uuid) };
}

function fillOf(events: readonly Event[], uuid: OrderFilled["orderUuid"]): OrderFilled | null {
  for (const event of events) {
    if (event.type === "orderFilled" && event.orderUuid === uuid) return event;
  }
  return null;
}

function legsOf(events: readonly Event[]): readonly BracketLeg[] {
  return events.flatMap((event) => (event.type === "legsAttached" ? event.legs : []));
}
