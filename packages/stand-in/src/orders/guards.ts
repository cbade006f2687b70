import { type Instrument, instrumentOf } from "../network/instruments.ts";
import type { NetworkState, Price, Subaccount } from "../network/state.ts";
import { isPro } from "../network/valuation.ts";

/** The maximum number of resting orders and legs of a subaccount. */
export const RESTING_ORDERS_MAX = 100;

/** Why the account may not send orders; null when it may. */
export function accountRefusal(account: Subaccount): string | null {
  if (account.status === "eliminated" || account.elimination !== null) {
    return `Subaccount ${account.hotkey} was eliminated and cannot place orders`;
  }
  return account.status === "active"
    ? null
    : `Subaccount ${account.hotkey} is not active (status: ${account.status})`;
}

/** The pair of an order, or why the account may not trade it. */
export function tradablePair(
  account: Subaccount,
  id: string,
):
  | { readonly ok: true; readonly pair: Instrument }
  | { readonly ok: false; readonly error: string } {
  const pair = instrumentOf(id);
  if (pair === undefined) return { ok: false, error: `Invalid trade pair [${id}]` };
  if (pair.isBlocked) return { ok: false, error: `Trade pair [${id}] is no longer supported` };
  if (!mayTrade(account, pair)) {
    const error = `Trade pair [${id}] is outside the asset class ${account.assetClass}`;
    return { ok: false, error };
  }
  return { ok: true, pair };
}

function mayTrade(account: Subaccount, pair: Instrument): boolean {
  if (isPro(account) && !pair.isPro) return false;
  switch (account.assetClass) {
    case "all_markets":
      return true;
    case "hl_all":
      return pair.source === "hyperliquid";
    default:
      return pair.category === account.assetClass;
  }
}

/** The price of a pair, or the refusal when it has none. */
export function livePrice(
  state: NetworkState,
  { id }: Instrument,
): { readonly ok: true; readonly price: Price } | { readonly ok: false; readonly error: string } {
  const price = state.prices[id];
  return price === undefined
    ? {
        ok: false,
        error: `Order Rejected: no live prices being found for ${id}. Please try again.`,
      }
    : { ok: true, price };
}

/** Whether the market of this pair is closed. */
export function isMarketClosed(state: NetworkState, id: string): boolean {
  return state.closedMarkets.includes(id);
}

/**
 * The refusal of an order that would fill on its arrival during the cooldown of its pair. The cooldown begins when
 * another order of the account on the pair has filled on its arrival. Null outside of the cooldown.
 */
export function cooldownRefusal(
  state: NetworkState,
  account: Subaccount,
  pair: Instrument,
  nowMs: number,
): string | null {
  const last = account.lastOrderMs[pair.id];
  if (last === undefined) return null;
  const leftMs = last + state.cooldownMs - nowMs;
  if (leftMs <= 0) return null;
  const seconds = (leftMs / 1000).toFixed(1);
  return `Orders for ${pair.id} are in cooldown. Wait ${seconds} seconds before the next order.`;
}
