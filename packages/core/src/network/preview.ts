/**
 * What an order would do: carried out on a draft that is thrown away. A resting order is taken as
 * filled at its limit, with the market of its pair standing there and everything else as it is now.
 */
import type { AccountState } from "../account/account.ts";
import { buyingPowerOf } from "../account/buying-power.ts";
import { equityOf, openFigures } from "../account/equity.ts";
import { assert } from "../assert.ts";
import type { PairId } from "../ids.ts";
import { feeOf } from "../market/fees.ts";
import type { Instrument } from "../market/instrument.ts";
import { markOf } from "../market/mark.ts";
import type { Quote, Quotes } from "../market/quote.ts";
import { gainUsd, notionalUsd, usdRateAt } from "../market/valuation.ts";
import { reactLeg } from "../orders/bracket.ts";
import { fillEntry } from "../orders/fill.ts";
import { type Market, openPositionOf } from "../orders/guards.ts";
import type { BracketLeg, Direction } from "../orders/order.ts";
import { stopLevel } from "../positions/bracket-leg.ts";
import { ok, type Result } from "../result.ts";
import { drawdownOf } from "../rules/registry.ts";
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
import type {
  ClosePair,
  PlaceBracket,
  PlaceLimit,
  PlaceMarket,
  PlaceStopLimit,
} from "./command.ts";
import { draftOrder } from "./decide.ts";
import { type Draft, openDraft } from "./draft.ts";
import type { Event, OrderFilled } from "./event.ts";
import type { Moment } from "./moment.ts";
import type { Refusal } from "./refusal.ts";

/** Orders that open, close or protect something; edits and cancellations have nothing to show. */
export type PreviewCommand = PlaceMarket | ClosePair | PlaceLimit | PlaceStopLimit | PlaceBracket;

/** A loss limit as it would stand. */
export interface LimitAfter {
  readonly limit: "dailyLoss" | "maxLoss";
  readonly remaining: MicroUsd;
  /** Once the order's nearest stop has been hit; both null without one. */
  readonly remainingIfStopped: MicroUsd | null;
  readonly breachedIfStopped: boolean | null;
}

export interface OrderPreview {
  readonly pair: PairId;
  readonly direction: Direction | "flat";
  /** After cap and grid; zero where nothing would fill. */
  readonly quantity: Quantity;
  readonly value: MicroUsd;
  readonly leverage: Leverage;
  readonly bindingCap: string | null;
  readonly price: Price;
  readonly slippage: Ratio;
  readonly fee: MicroUsd;
  readonly accountLeverageAfter: Leverage;
  readonly buyingPowerAfter: MicroUsd;
  readonly limitsAfter: readonly LimitAfter[];
  /** Fees of both fills included; null without a stop. */
  readonly lossIfStopped: MicroUsd | null;
}

type Figures = Pick<
  OrderPreview,
  "direction" | "quantity" | "value" | "leverage" | "bindingCap" | "price" | "slippage" | "fee"
>;

/** An order carried out on a draft. */
interface Trial {
  readonly draft: Draft;
  readonly figures: Figures;
  readonly fill: OrderFilled | null;
  /** Those that the order itself attached. */
  readonly legs: readonly BracketLeg[];
}

/**
 * Refused as the order would be. Null: something that is open has no price yet, so that nobody can
 * say what the account would be worth. @rule D9.preview
 */
export function previewOrder(
  state: AccountState | null,
  command: PreviewCommand,
  moment: Moment,
): Result<OrderPreview | null, Refusal> {
  const drafted = draftOrder(state, command, moment);
  if (!drafted.ok) return drafted;
  const trial = trialOf(drafted.value, command);
  const { draft, figures } = trial;
  const after = draft.state;
  const open = openFigures(after.positions, draft.moment);
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
  });
}

function trialOf(draft: Draft, command: PreviewCommand): Trial {
  switch (command.type) {
    case "placeMarket":
    case "closePair":
      return filledTrial(draft, command);
    case "placeLimit":
    case "placeStopLimit":
      return restingTrial(draft, command);
    case "placeBracket":
      return bracketTrial(draft, command);
  }
}

function filledTrial(draft: Draft, command: PlaceMarket | ClosePair): Trial {
  const fill = fillOf(draft.events, command.orderUuid);
  assert(fill !== null, "a fill of an order that was not refused");
  const direction = command.type === "closePair" ? "flat" : fill.direction;
  return { draft, fill, figures: figuresOf(fill, direction), legs: legsOf(draft.events) };
}

/** Its checks have passed; now the fill itself, which may find no room that the checks do not ask for. */
function restingTrial(checked: Draft, command: PlaceLimit | PlaceStopLimit): Trial {
  const { pair, direction, size, legs, limitPrice: price, orderUuid } = command;
  const moment = standingAt(checked.moment, pair, price);
  const draft = openDraft(withoutOrder(checked.state, orderUuid), moment);
  const market = marketOf(moment, pair);
  const entry = { orderUuid, direction, size, legs, market, kind: "limit", price } as const;
  const filled = fillEntry(draft, entry);
  const fill = fillOf(draft.events, orderUuid);
  if (filled.ok && fill !== null) {
    return { draft, fill, figures: figuresOf(fill, direction), legs: legsOf(draft.events) };
  }
  const bindingCap = !filled.ok && filled.refusal.code === "noRoom" ? filled.refusal.cap : null;
  return { draft, fill: null, figures: { ...nothingAt(price), direction, bindingCap }, legs: [] };
}

/** It fills nothing: what it does is in the stops. */
function bracketTrial(draft: Draft, command: PlaceBracket): Trial {
  const position = openPositionOf(draft.state, command.pair);
  const quote = draft.moment.quotes.get(command.pair);
  assert(position !== null && quote !== undefined, "a position with a price behind a bracket");
  const { direction } = position;
  const figures = { ...nothingAt(markOf(direction, quote)), direction, bindingCap: null };
  return { draft, fill: null, figures, legs: legsOf(draft.events) };
}

function figuresOf(fill: OrderFilled, direction: Figures["direction"]): Figures {
  const { value, leverage: share, bindingCap, price, slippage, fee } = fill;
  return {
    ...{ direction, value, bindingCap, price, slippage, fee },
    quantity: fill.quantity,
    leverage: share,
  };
}

function nothingAt(price: Price): Omit<Figures, "direction" | "bindingCap"> {
  return {
    quantity: quantity(0),
    value: microUsd(0),
    leverage: leverage(0),
    price,
    slippage: ratio(0),
    fee: microUsd(0),
  };
}

/** Null: the account cannot be valued. */
function limitsAfter(
  trial: Trial,
  pair: PairId,
): { readonly limits: readonly LimitAfter[]; readonly loss: MicroUsd | null } | null {
  const { draft } = trial;
  const equity = equityOf(draft.state, draft.moment);
  if (!equity.ok) return null;
  const nearest = nearestStop(trial.legs);
  const stopped = nearest === null ? null : stoppedEquity(draft, pair, nearest);
  const { dailyLoss, maxLoss } = drawdownOf(draft.state, equity.value);
  const limits = (
    [
      ["dailyLoss", dailyLoss],
      ["maxLoss", maxLoss],
    ] as const
  ).map(([limit, { floor, allowed }]) => ({
    limit,
    remaining: left(equity.value, floor, allowed),
    remainingIfStopped: stopped === null ? null : left(stopped, floor, allowed),
    breachedIfStopped: stopped === null ? null : stopped < floor,
  }));
  if (nearest === null || stopped === null) return { limits, loss: null };
  const { fill } = trial;
  const loss =
    fill === null ? subtractUsd(equity.value, stopped) : lossAt(fill, nearest.level, draft.moment);
  return { limits, loss };
}

/** Of what is allowed, so that a gain does not widen the limit. */
function left(equity: MicroUsd, floor: MicroUsd, allowed: MicroUsd): MicroUsd {
  return microUsd(Math.min(allowed, Math.max(0, subtractUsd(equity, floor))));
}

interface Stop {
  readonly leg: BracketLeg;
  readonly level: Price;
}

/** The one that the market would meet first. */
function nearestStop(legs: readonly BracketLeg[]): Stop | null {
  let nearest: Stop | null = null;
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

/** The account's equity when the market stands at the stop and the stop has been carried out. */
function stoppedEquity(draft: Draft, pair: PairId, { leg, level }: Stop): MicroUsd | null {
  const moment = standingAt(draft.moment, pair, level);
  const later = openDraft(draft.state, moment);
  reactLeg(later, leg, { market: marketOf(moment, pair), reaction: "stopLoss" });
  const equity = equityOf(later.state, moment);
  return equity.ok ? equity.value : null;
}

function lossAt(fill: OrderFilled, stop: Price, moment: Moment): MicroUsd {
  const at = standingAt(moment, fill.pair, stop);
  const { instrument, usdRateAt: rateAt } = marketOf(at, fill.pair);
  const holding = { quantity: fill.quantity, price: stop, usdRate: rateAt(stop) };
  const gain = gainUsd(instrument, { ...holding, from: fill.price });
  const lost = fill.direction === "long" ? subtractUsd(microUsd(0), gain) : gain;
  return addUsd(lost, fill.fee, feeOf(instrument, notionalUsd(instrument, holding)));
}

/** The same moment, but for the price of one pair. */
function standingAt(moment: Moment, pair: PairId, price: Price): Moment {
  const quote: Quote = { pair, bid: price, ask: price, atMs: moment.now };
  const quotes: Quotes = new Map([...moment.quotes, [pair, quote]]);
  return { ...moment, quotes };
}

/** Of a pair whose quote and rate are known to be there. */
function marketOf(moment: Moment, pair: PairId): Market {
  const instrument: Instrument | undefined = moment.instruments.get(pair);
  const quote = moment.quotes.get(pair);
  assert(instrument !== undefined && quote !== undefined, `a price of ${pair}`);
  const usdRate = (at: Price): number => {
    const rate = usdRateAt(instrument, at, moment);
    assert(rate !== null, `a rate for ${pair}`);
    return rate;
  };
  return { instrument, quote, usdRateAt: usdRate };
}

/** As if the order had never rested. */
function withoutOrder(state: AccountState, uuid: PlaceLimit["orderUuid"]): AccountState {
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
