import { INSTRUMENTS, type Instrument } from "../network/instruments.ts";
import { classCap, pairCap, portfolioCap } from "../network/leverage.ts";
import type { Json, Subaccount } from "../network/state.ts";
import { balanceOf, isPro, pairCapOf, tierOf } from "../network/valuation.ts";
import { tradablePair } from "../orders/guards.ts";

/** The answer of `GET /subaccounts/<hotkey>/limits`. */
export function readLimits(account: Subaccount): Readonly<Record<string, Json>> {
  const tier = tierOf(account);
  const multiplier = portfolioCap(account.assetClass, tier);
  const balance = balanceOf(account);
  const pairs = INSTRUMENTS.filter(({ id }) => tradablePair(account, id).ok);
  const categories = [...new Set(pairs.map(({ category }) => category))];
  return {
    account_size: account.accountSize,
    is_pro: isPro(account),
    tier_curve: isPro(account) ? "pro" : "standard",
    tier: account.leverageTier,
    portfolio_multiplier: multiplier,
    max_portfolio_usd: balance * multiplier,
    max_asset_class_usd: Object.fromEntries(
      categories.map((category) => [category, balance * classCap(category, tier)]),
    ),
    positional_leverage: Object.fromEntries(
      pairs.map((pair) => [pair.id, pairCapOf(account, pair)]),
    ),
    correlation_limits: { groups: {} },
    entity_collateral: { headroom_theta: 1000, headroom_usd: 1_000_000 },
  };
}

/** The answer of `GET /trade-pairs`. */
export function readTradePairs(onlyPro: boolean): Readonly<Record<string, Json>> {
  const chosen = INSTRUMENTS.filter((pair) => !onlyPro || pair.isPro);
  const isDeprecated = ({ category, id }: Instrument): boolean =>
    category === "indices" || id.endsWith("USD");
  const blocked = chosen.filter((pair) => pair.isBlocked);
  return {
    allowed: chosen.filter((pair) => !pair.isBlocked).map(pairItem),
    deprecated: blocked.filter(isDeprecated).map(pairItem),
    disabled: blocked.filter((pair) => !isDeprecated(pair)).map(pairItem),
  };
}

function pairItem(pair: Instrument): Json {
  return {
    trade_pair_id: pair.id,
    trade_pair: pair.display,
    category: pair.category,
    source: pair.source,
    max_leverage: pairCap(pair, 3),
    is_pro: pair.isPro,
    pro_positional_leverage: pair.isPro ? pairCap(pair, "pro") : null,
    standard_positional_leverage_by_tier: {
      1: pairCap(pair, 1),
      2: pairCap(pair, 2),
      3: pairCap(pair, 3),
    },
    exposure_group: null,
    correlation_legs: null,
  };
}
