import { type Instrument, instrumentOf, lotOf } from "./instruments.ts";
import { pairCap, portfolioCap, type Tier } from "./leverage.ts";
import type { NetworkState, Position, Price, Subaccount } from "./state.ts";

/** USD per unit of the quote currency, and units of the base currency per USD. */
export interface Rates {
  readonly quoteUsd: number;
  readonly usdBase: number;
}

/**
 * The rates of a pair at a price. A missing conversion price counts as 1. A rate that would be divided by a price of 0
 * is 0.
 */
export function ratesAt(state: NetworkState, pair: Instrument, price: number): Rates {
  if (pair.category !== "forex" || pair.quote === "USD") {
    return { quoteUsd: 1, usdBase: inverse(price) };
  }
  if (pair.base === "USD") return { quoteUsd: inverse(price), usdBase: 1 };
  return {
    quoteUsd: conversionRate(state, pair.quote, "USD"),
    usdBase: conversionRate(state, "USD", pair.base),
  };
}

/** The price of one `from` in `to`, by the pair or by its inverse; 1 when neither has a price. */
function conversionRate(state: NetworkState, from: string, to: string): number {
  const direct = state.prices[from + to];
  if (direct !== undefined) return midPriceOf(direct);
  const reverse = state.prices[to + from];
  return reverse === undefined ? 1 : inverse(midPriceOf(reverse));
}

function inverse(price: number): number {
  return price === 0 ? 0 : 1 / price;
}

/** The middle of bid and ask. */
export function midPriceOf({ bid, ask }: Price): number {
  return (bid + ask) / 2;
}

/** Marks the open positions of an account at the middle of bid and ask. Returns those whose profit changed. */
export function markPositions(state: NetworkState, account: Subaccount): readonly Position[] {
  const changed: Position[] = [];
  for (const position of openPositions(account)) {
    const price = state.prices[position.pair];
    const pair = instrumentOf(position.pair);
    if (price === undefined || pair === undefined) continue;
    const mark = midPriceOf(price);
    const { quoteUsd } = ratesAt(state, pair, mark);
    const profit = (mark - position.averageEntry) * position.netQuantity * lotOf(pair) * quoteUsd;
    if (profit !== position.unrealized) changed.push(position);
    position.unrealized = profit;
  }
  account.maxReturn = Math.max(account.maxReturn, equityOf(account) / account.accountSize);
  return changed;
}

export function openPositions(account: Subaccount): readonly Position[] {
  return account.positions.filter(({ closeMs }) => closeMs === null);
}

export function openPosition(account: Subaccount, pair: string): Position | undefined {
  return openPositions(account).find((one) => one.pair === pair);
}

/** The account size plus realized profit and dividends, minus fees, USD. */
export function balanceOf(account: Subaccount): number {
  return account.accountSize + account.totalRealized + account.dividends - account.totalFees;
}

/** The open PnL of all positions, USD. */
export function unrealizedOf(account: Subaccount): number {
  return openPositions(account).reduce((sum, { unrealized }) => sum + unrealized, 0);
}

/** The balance plus the open PnL, USD. */
export function equityOf(account: Subaccount): number {
  return balanceOf(account) + unrealizedOf(account);
}

const PRO_BUCKETS = ["PRO_CHALLENGE_FROM_STANDARD", "PRO_CHALLENGE_DIRECT", "PRO_FUNDED"];

/** True while the pro account runs, by the account's bucket. In the transition the standard account still runs. */
export function isPro({ bucket }: Subaccount): boolean {
  return PRO_BUCKETS.includes(bucket);
}

/** The leverage tier of the account; `pro` while the pro account runs. */
export function tierOf(account: Subaccount): Tier {
  return isPro(account) ? "pro" : account.leverageTier;
}

/** USD that new positions may still use. */
export function buyingPowerOf(account: Subaccount): number {
  const multiplier = portfolioCap(account.assetClass, tierOf(account));
  if (account.assetClass === "equities") {
    return (balanceOf(account) - (account.capitalUsed - account.borrowed)) * multiplier;
  }
  return balanceOf(account) * multiplier - account.capitalUsed;
}

/** The cap of a pair at the account's tier, as a multiple of the balance. */
export function pairCapOf(account: Subaccount, pair: Instrument): number {
  return pairCap(pair, tierOf(account));
}

/** The return of a position: 1 + profit / account size, never below 0. */
export function positionReturn(account: Subaccount, position: Position): number {
  return Math.max(0, 1 + (position.realized + position.unrealized) / account.accountSize);
}
