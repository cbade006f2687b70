import { capQuantity, roundToGrid } from "./caps.ts";
import { nextChangeTime } from "./changes.ts";
import { feeRateOf, gridOf, type Instrument, lotOf } from "./instruments.ts";
import {
  type ExecutionType,
  type NetworkState,
  ORDER_SRC,
  type Order,
  type OrderSize,
  type OrderType,
  type Position,
  type Subaccount,
} from "./state.ts";
import {
  balanceOf,
  buyingPowerOf,
  markPositions,
  openPosition,
  type Rates,
  ratesAt,
} from "./valuation.ts";

/** A fill that is to be booked at a price. */
export interface FillIntent {
  readonly state: NetworkState;
  readonly account: Subaccount;
  readonly pair: Instrument;
  readonly type: OrderType;
  readonly size: OrderSize | null;
  readonly price: number;
  readonly uuid: string;
  readonly src: number;
  readonly executionType: ExecutionType;
  readonly nowMs: number;
  /** The resting order that fills, with its prices and legs; null for an order that fills on its arrival. */
  readonly from: Order | null;
}

/** The booked order; null when a FLAT found no position. */
export type BookedFill =
  | { readonly ok: true; readonly order: Order | null }
  | { readonly ok: false; readonly error: string };

const DUST_LOTS = 1e-6;
const DUST_USD = 1;
const ORDERS_PER_POSITION_MAX = 100;

/**
 * Books a fill: opens, increases, reduces or closes the position of the pair. It never turns the position to the other
 * side.
 */
export function bookFill(intent: FillIntent): BookedFill {
  const { state, account, pair, type } = intent;
  markPositions(state, account);
  const position = openPosition(account, pair.id);
  if (type === "FLAT") {
    if (position === undefined) return { ok: true, order: null };
    return { ok: true, order: reducePosition(intent, position, Math.abs(position.netQuantity)) };
  }
  const rates = ratesAt(state, pair, intent.price);
  const quantity = fillLots(intent, rates);
  if (position !== undefined && hasMaxOrders(intent, position)) {
    closeFullPosition(intent, position);
    return increasePosition(intent, undefined, quantity, rates);
  }
  if (position === undefined || position.type === type) {
    return increasePosition(intent, position, quantity, rates);
  }
  return reduceOrClose(intent, position, quantity);
}

/**
 * True when the position has as many orders as the network allows, unless a leg fills. The fill then closes the
 * position and opens a new one.
 */
function hasMaxOrders({ executionType }: FillIntent, { orders }: Position): boolean {
  return orders.length >= ORDERS_PER_POSITION_MAX && executionType !== "BRACKET";
}

/**
 * The quantity of a fill in lots, without sign, rounded to the grid. A share of the position is not rounded, nor a leg
 * that would round to 0.
 */
function fillLots({ account, pair, size, from }: FillIntent, rates: Rates): number {
  if (size === null) return 0;
  const lot = lotOf(pair);
  if (size.kind === "bracketPct") {
    const open = openPosition(account, pair.id);
    return Math.abs(open?.netQuantity ?? 0) * size.amount;
  }
  const lots =
    size.kind === "quantity"
      ? size.amount
      : size.kind === "value"
        ? (size.amount * rates.usdBase) / lot
        : (size.amount * balanceOf(account) * rates.usdBase) / lot;
  const rounded = roundToGrid(Math.abs(lots), gridOf(pair, account.accountSize));
  return from?.executionType === "BRACKET" && rounded === 0 ? Math.abs(lots) : rounded;
}

function increasePosition(
  intent: FillIntent,
  position: Position | undefined,
  wanted: number,
  rates: Rates,
): BookedFill {
  const { state, account, pair, type, price } = intent;
  const isLong = type === "LONG";
  if (account.bucket === "PRO_CHALLENGE_TRANSITION") {
    return { ok: false, error: `Subaccount ${account.hotkey} is transitioning to a pro account` };
  }
  const capped = capQuantity({ account, pair, isLong, quantity: wanted, rates });
  if (!capped.ok) return capped;
  const resulting = Math.abs(position?.netQuantity ?? 0) + capped.quantity;
  const tooSmall = minimumRefusal(account, pair, resulting, price * rates.quoteUsd);
  if (tooSmall !== null) return { ok: false, error: tooSmall };
  const sign = isLong ? 1 : -1;
  const quantity = sign * capped.quantity;
  const value = rates.usdBase === 0 ? 0 : (quantity * lotOf(pair)) / rates.usdBase;
  const fee = Math.abs(value) * feeRateOf(pair);
  const power = buyingPowerOf(account);
  if (Math.abs(value) + fee > power + 0.001) {
    const need = (Math.abs(value) + fee).toFixed(2);
    return {
      ok: false,
      error: `Insufficient buying power. Need $${need}, have $${power.toFixed(2)}`,
    };
  }
  const atMs = nextChangeTime(state, intent.nowMs);
  const order: Order = {
    ...orderOf(intent, rates, atMs),
    quantity,
    value,
    leverage: value / balanceOf(account),
    bindingCap: capped.bindingCap,
    marginLoan: marginLoan(account, pair, value),
  };
  const target = position ?? openNewPosition(intent, order, atMs);
  addOrderToPosition(account, target, { order, pair, fee, atMs });
  return bookOrder(intent, target, order);
}

function openNewPosition(
  { account, pair, uuid, type }: FillIntent,
  order: Order,
  atMs: number,
): Position {
  const position: Position = {
    uuid,
    pair: pair.id,
    type: type === "SHORT" ? "SHORT" : "LONG",
    openMs: order.processedMs,
    closeMs: null,
    netQuantity: 0,
    averageEntry: 0,
    realized: 0,
    netLeverage: 0,
    netValue: 0,
    entryValue: 0,
    borrowed: 0,
    unrealized: 0,
    orders: [],
    fees: [],
    changedMs: atMs,
  };
  account.positions.push(position);
  return position;
}

function addOrderToPosition(
  account: Subaccount,
  position: Position,
  fill: { order: Order; pair: Instrument; fee: number; atMs: number },
): void {
  const { order, pair, fee, atMs } = fill;
  const quantity = order.quantity ?? 0;
  const before = position.netQuantity;
  position.averageEntry =
    (position.averageEntry * before + order.price * quantity) / (before + quantity);
  position.netQuantity = before + quantity;
  position.entryValue += Math.abs(order.value ?? 0);
  position.netLeverage += order.leverage ?? 0;
  position.borrowed += order.marginLoan;
  account.borrowed += order.marginLoan;
  changeCapital(account, pair, Math.abs(order.value ?? 0));
  chargeFee(account, position, { atMs, type: "transaction", amount: fee });
}

/** The loan for an order. A long of shares that costs more than the cash borrows half of its value. */
function marginLoan(account: Subaccount, pair: Instrument, value: number): number {
  if (pair.category !== "equities" || value <= 0) return 0;
  const cash = balanceOf(account) - ((account.capitalByClass.equities ?? 0) - account.borrowed);
  return value > cash ? value * 0.5 : 0;
}

/**
 * Reduces by a quantity. Closes the position when the rest would be at most `DUST_LOTS`, or worth at most `DUST_USD`.
 */
function reduceOrClose(intent: FillIntent, position: Position, quantity: number): BookedFill {
  const { account, pair, state, price } = intent;
  const open = Math.abs(position.netQuantity);
  const rest = open - quantity;
  const { quoteUsd } = ratesAt(state, pair, price);
  const restUsd = rest * lotOf(pair) * price * quoteUsd;
  if (rest <= DUST_LOTS || restUsd <= DUST_USD) {
    return { ok: true, order: reducePosition(intent, position, open) };
  }
  if (quantity <= 0) return { ok: false, error: `0 order size for ${pair.id}` };
  const tooSmall = minimumRefusal(account, pair, rest, price * quoteUsd);
  if (tooSmall !== null) return { ok: false, error: tooSmall };
  return { ok: true, order: reducePosition(intent, position, quantity) };
}

/** Books the closing of a part of the position: realizes its profit, frees its capital and charges the fee. */
function reducePosition(intent: FillIntent, position: Position, closed: number): Order {
  const { state, account, pair, price } = intent;
  const rates = ratesAt(state, pair, price);
  const atMs = nextChangeTime(state, intent.nowMs);
  const open = Math.abs(position.netQuantity);
  const sign = position.netQuantity > 0 ? 1 : -1;
  const closesAll = closed >= open;
  const share = closesAll ? 1 : closed / open;
  const lot = lotOf(pair);
  const realized = (price - position.averageEntry) * sign * closed * lot * rates.quoteUsd;
  const entryValue = position.entryValue * share;
  const value = -sign * closed * lot * price * rates.quoteUsd;
  const order: Order = {
    ...orderOf(intent, rates, atMs),
    quantity: closesAll ? -position.netQuantity : -sign * closed,
    value: closesAll ? -position.netValue : value,
    leverage: closesAll ? -position.netLeverage : value / balanceOf(account),
    realizedPnl: realized,
  };
  const loan = position.borrowed * share;
  position.borrowed -= loan;
  account.borrowed -= loan;
  position.realized += realized;
  account.totalRealized += realized;
  position.entryValue -= entryValue;
  changeCapital(account, pair, -entryValue);
  position.netQuantity = closesAll ? 0 : position.netQuantity - sign * closed;
  position.netLeverage = closesAll ? 0 : position.netLeverage + (order.leverage ?? 0);
  const fee = Math.max(0, entryValue + realized) * feeRateOf(pair);
  chargeFee(account, position, { atMs, type: "transaction", amount: fee });
  if (closesAll) {
    position.closeMs = order.processedMs;
    position.unrealized = 0;
  }
  bookOrder(intent, position, order);
  return order;
}

/**
 * Closes a position that has had its last allowed order. The closing order's id is the position's id with its
 * characters in reverse order.
 */
function closeFullPosition(intent: FillIntent, position: Position): void {
  const uuid = position.uuid.split("").reverse().join("");
  const src = ORDER_SRC.maxOrdersClose;
  const close: FillIntent = { ...intent, type: "FLAT", size: null, uuid, src, from: null };
  reducePosition({ ...close, executionType: "MARKET" }, position, Math.abs(position.netQuantity));
}

function bookOrder(intent: FillIntent, position: Position, order: Order): BookedFill {
  const { state, account, pair } = intent;
  const { quoteUsd } = ratesAt(state, pair, order.price);
  position.netValue = order.price * quoteUsd * position.netQuantity * lotOf(pair);
  position.orders.push(order);
  position.changedMs = order.changedMs;
  markPositions(state, account);
  return { ok: true, order };
}

/** Records a fee of a position; the balance pays it immediately. */
export function chargeFee(
  account: Subaccount,
  position: Position,
  fee: { atMs: number; type: string; amount: number },
): void {
  if (fee.amount === 0) return;
  position.fees.push(fee);
  position.changedMs = fee.atMs;
  account.totalFees += fee.amount;
}

function changeCapital(account: Subaccount, { category }: Instrument, by: number): void {
  account.capitalUsed = Math.max(0, account.capitalUsed + by);
  const used = (account.capitalByClass[category] ?? 0) + by;
  account.capitalByClass[category] = Math.max(0, used);
}

function minimumRefusal(
  { accountSize }: Subaccount,
  pair: Instrument,
  lots: number,
  usdPerUnit: number,
): string | null {
  if (pair.category === "forex" || pair.category === "equities") {
    const minimum = pair.category === "equities" ? 0.01 : gridOf(pair, accountSize);
    const unit = pair.category === "equities" ? "shares" : "lots";
    return lots < minimum
      ? `${pair.id}: position size ${lots} ${unit} is below the minimum of ${minimum} ${unit}`
      : null;
  }
  const usd = lots * lotOf(pair) * usdPerUnit;
  return usd < 10
    ? `${pair.id}: position size $${usd.toFixed(2)} is below the minimum of $10.00`
    : null;
}

function orderOf(intent: FillIntent, rates: Rates, atMs: number): Order {
  const { state, pair, from, price } = intent;
  const quote = state.prices[pair.id] ?? { bid: 0, ask: 0 };
  return {
    uuid: intent.uuid,
    pair: pair.id,
    type: intent.type,
    executionType: intent.executionType,
    src: intent.src,
    leverage: null,
    value: null,
    quantity: null,
    bracketPct: null,
    price,
    bid: quote.bid,
    ask: quote.ask,
    quoteUsdRate: rates.quoteUsd,
    usdBaseRate: rates.usdBase,
    processedMs: atMs,
    realizedPnl: 0,
    limitPrice: from?.limitPrice ?? null,
    stopPrice: from?.stopPrice ?? null,
    stopCondition: from?.stopCondition ?? null,
    stopLoss: from?.stopLoss ?? null,
    takeProfit: from?.takeProfit ?? null,
    trailing: from?.trailing ?? null,
    marginLoan: 0,
    legs: from?.legs ?? [],
    bindingCap: null,
    changedMs: atMs,
  };
}
