import type { Instrument, PairCategory } from "./instruments.ts";

/** One row of a leverage table: the caps of tier 1, 2 and 3, then of a pro account. */
type TierCaps = readonly [number, number, number, number];

/** The tier of an account: 1 to 3 of a standard account, or `pro`. */
export type Tier = 1 | 2 | 3 | "pro";

const CLASS_CAPS: Readonly<Record<PairCategory, TierCaps>> = {
  crypto: [1.5, 2, 10, 12],
  forex: [10, 15, 30, 40],
  commodities: [1.5, 2, 6, 8],
  indices: [3, 6, 8, 10],
  equities: [1, 2, 4, 6],
};
const PORTFOLIO_CAPS: TierCaps = [15, 20, 40, 50];

const MAJOR_COINS: TierCaps = [1.5, 2, 7, 10];
const LARGE_COINS: TierCaps = [1.5, 2, 4, 5];
const MAIN_FOREX: TierCaps = [10, 15, 25, 30];
const KIWI_CROSSES: TierCaps = [5, 7.5, 10, 10];
const LARGE_INDICES: TierCaps = [2.5, 4, 8, 10];
const THIN_METALS: TierCaps = [1.5, 2, 4, 5];

/** The rows of pairs that differ from the row of their category. */
const PAIR_CAPS: ReadonlyMap<string, TierCaps> = new Map([
  ...["BTCUSDC", "ETHUSDC"].map((id) => [id, MAJOR_COINS] as const),
  ...["SOLUSDC", "XRPUSDC", "DOGEUSDC"].map((id) => [id, LARGE_COINS] as const),
  ...["EURUSD", "AUDUSD", "USDCAD", "USDCHF"].map((id) => [id, MAIN_FOREX] as const),
  ...["EURNZD", "GBPNZD", "NZDJPY", "AUDNZD", "NZDCAD", "NZDCHF"].map(
    (id) => [id, KIWI_CROSSES] as const,
  ),
  ...["SP500USDC", "XYZ100USDC"].map((id) => [id, LARGE_INDICES] as const),
  ...["SILVERUSDC", "PLATINUMUSDC"].map((id) => [id, THIN_METALS] as const),
]);
const CATEGORY_CAPS: Readonly<Record<PairCategory, TierCaps>> = {
  crypto: [0.5, 0.75, 1.5, 2],
  forex: [10, 15, 20, 20],
  commodities: [1.5, 2, 6, 8],
  indices: [1, 1.5, 3, 5],
  equities: [0.5, 1, 2, 2.5],
};

/** The cap of one pair, as a multiple of the balance. */
export function pairCap({ id, category }: Instrument, tier: Tier): number {
  return capForTier(PAIR_CAPS.get(id) ?? CATEGORY_CAPS[category], tier);
}

/** The cap of all positions of a category, as a multiple of the balance. */
export function classCap(category: PairCategory, tier: Tier): number {
  return capForTier(CLASS_CAPS[category], tier);
}

/** The cap of all positions, as a multiple of the balance: the row of the account's class, or of all markets. */
export function portfolioCap(assetClass: string, tier: Tier): number {
  return capForTier(isCategory(assetClass) ? CLASS_CAPS[assetClass] : PORTFOLIO_CAPS, tier);
}

function isCategory(name: string): name is PairCategory {
  return name in CLASS_CAPS;
}

function capForTier(tiers: TierCaps, tier: Tier): number {
  return tiers[tier === "pro" ? 3 : tier === 3 ? 2 : tier === 2 ? 1 : 0];
}
