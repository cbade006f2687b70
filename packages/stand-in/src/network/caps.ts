import { feeRateOf, gridOf, type Instrument, lotOf } from "./instruments.ts";
import { classCap, portfolioCap } from "./leverage.ts";
import type { Position, Subaccount } from "./state.ts";
import {
  balanceOf,
  buyingPowerOf,
  isPro,
  openPositions,
  pairCapOf,
  type Rates,
  tierOf,
} from "./valuation.ts";

/** The size that an order may have, or the reason why it may have none. */
export type CappedSize =
  | { readonly ok: true; readonly quantity: number; readonly bindingCap: string | null }
  | { readonly ok: false; readonly error: string };

interface Room {
  readonly label: string;
  readonly usd: number;
}

const US_INDEX = ["SP500USDC", "XYZ100USDC", "SPY", "QQQ", "IWM", "DIA"];

/**
 * Reduces the quantity of an opening or increasing order to what the strictest of its caps allows, rounded down to the
 * grid. Quantities are without sign, in lots.
 */
export function capQuantity(given: {
  readonly account: Subaccount;
  readonly pair: Instrument;
  readonly isLong: boolean;
  readonly quantity: number;
  readonly rates: Rates;
}): CappedSize {
  const { account, pair, isLong, quantity, rates } = given;
  const lot = lotOf(pair);
  const value = rates.usdBase === 0 ? 0 : (quantity * lot) / rates.usdBase;
  const rooms = remainingValues(account, pair, isLong, value);
  const [smallest] = rooms.toSorted((a, b) => a.usd - b.usd);
  if (smallest === undefined || smallest.usd >= value) {
    return { ok: true, quantity, bindingCap: null };
  }
  if (smallest.usd <= 0) {
    const error = `No buying power remaining for ${pair.id} (capped by ${smallest.label})`;
    return { ok: false, error };
  }
  const clamped = floorToGrid(
    (smallest.usd * rates.usdBase) / lot,
    gridOf(pair, account.accountSize),
  );
  if (clamped === 0) return { ok: false, error: `0 order size after clamping for ${pair.id}` };
  return { ok: true, quantity: clamped, bindingCap: smallest.label };
}

function remainingValues(
  account: Subaccount,
  pair: Instrument,
  isLong: boolean,
  value: number,
): readonly Room[] {
  const balance = balanceOf(account);
  const perPair = pairCapOf(account, pair);
  const perClass = classCap(pair.category, tierOf(account));
  const portfolio = portfolioCap(account.assetClass, tierOf(account));
  const used = openPositions(account)
    .filter((one) => one.pair === pair.id)
    .reduce((sum, { netValue }) => sum + Math.abs(netValue), 0);
  return [
    { label: `per pair cap ${perPair}x`, usd: balance * perPair - used },
    {
      label: `per class cap ${pair.category} ${perClass}x`,
      usd: balance * perClass - (account.capitalByClass[pair.category] ?? 0),
    },
    { label: `overall portfolio cap ${portfolio}x`, usd: buyingPowerValue(account, pair, value) },
    ...(isPro(account) ? remainingGroupValues(account, pair, isLong) : []),
  ];
}

/**
 * The value in USD that the buying power allows. It is all of the buying power, or less when the order's value and its
 * fee together exceed the buying power.
 */
function buyingPowerValue(account: Subaccount, pair: Instrument, value: number): number {
  const power = buyingPowerOf(account);
  const withFee = 1 + feeRateOf(pair);
  return value * withFee > power ? power / withFee : power;
}

/**
 * The value in USD that a pro account may still add in each group that the order is in. A group is one side of a
 * currency of forex pairs, or of the US indices.
 */
function remainingGroupValues(
  account: Subaccount,
  pair: Instrument,
  isLong: boolean,
): readonly Room[] {
  return groupSides(pair, isLong).map(({ key, isUp }) => {
    const limit = key === "index:us" ? 10 : 30;
    const used = openPositions(account)
      .filter((position) => isOnSide(position, key, isUp))
      .reduce((sum, { netValue }) => sum + Math.abs(netValue), 0);
    return { label: `${key} exposure cap ${limit}x`, usd: balanceOf(account) * limit - used };
  });
}

interface GroupSide {
  readonly key: string;
  readonly isUp: boolean;
}

function groupSides(pair: { id: string; category?: string }, isLong: boolean): GroupSide[] {
  if (US_INDEX.includes(pair.id)) return [{ key: "index:us", isUp: isLong }];
  if (pair.category !== "forex") return [];
  return [
    { key: `currency:${pair.id.slice(0, 3)}`, isUp: isLong },
    { key: `currency:${pair.id.slice(3)}`, isUp: !isLong },
  ];
}

function isOnSide({ pair, type }: Position, key: string, isUp: boolean): boolean {
  const category = /^[A-Z]{6}$/.test(pair) ? "forex" : "other";
  return groupSides({ id: pair, category }, type === "LONG").some(
    (one) => one.key === key && one.isUp === isUp,
  );
}

/** Rounds a quantity to the nearest step of the grid. */
export function roundToGrid(quantity: number, grid: number): number {
  return withoutBinaryNoise(Math.round(quantity / grid) * grid);
}

/** Rounds a quantity down to the grid. A quantity that is on the grid but for its last bits stays. */
function floorToGrid(quantity: number, grid: number): number {
  return withoutBinaryNoise(Math.floor(quantity / grid + 1e-9) * grid);
}

function withoutBinaryNoise(quantity: number): number {
  return Number(quantity.toFixed(5));
}
