import type { PairId } from "../ids.ts";
import type { Leverage, MicroUsd, Price, Quantity, Ratio, UnixMs } from "../units.ts";
import type { Session } from "./session.ts";

export type AssetClass = "crypto" | "forex" | "indices" | "equities" | "commodities";

/** The classes an account may trade: one, or all. */
export type AccountClass = AssetClass | "allMarkets";

/** The leverage tier an account was sold; `pro` on the pro track's pro phases. */
export type LeverageTier = "tier1" | "tier2" | "tier3" | "pro";

/** How far a market fill moves against the trader beyond the quote. */
export type SlippageModel =
  | { readonly kind: "none" }
  | {
      readonly kind: "linear";
      /** Orders up to this value do not slip. */
      readonly freeUpTo: MicroUsd;
      /** Ratio of the price for each million dollars of value. */
      readonly perMillion: Ratio;
      /** The maximum slippage of an order. */
      readonly most: Ratio;
    };

/** The cost of holding a position. */
export type CarryModel =
  | { readonly kind: "none" }
  /** Charged at 00:00, 08:00 and 16:00 UTC on the value held. */
  | { readonly kind: "everyEightHours"; readonly rate: Ratio }
  /** Charged at 21:00 UTC Monday to Friday, three days' worth on Wednesday. */
  | { readonly kind: "daily"; readonly rate: Ratio }
  /**
   * Hourly funding on the value held: a long pays a rate above zero, and a short receives it. Null when each hour's
   * rate comes from the source. With `isCostOnly`, a position never receives any.
   * @rule D11.funding
   */
  | { readonly kind: "everyHour"; readonly rate: Ratio | null; readonly isCostOnly?: true };

/** The carry of an instrument until a change of the catalogue. @rule D13.formerCarry */
export interface FormerCarry {
  readonly carry: CarryModel;
  readonly borrowRate?: Ratio;
  /** The first start of the service with the carry that followed. */
  readonly untilMs: UnixMs;
}

/** The minimum position that an order may leave. */
export type MinPosition =
  | { readonly kind: "quantity"; readonly quantity: Quantity }
  | { readonly kind: "value"; readonly value: MicroUsd };

/** One line of the catalogue. @rule S2.2.lotUnit */
export interface Instrument {
  readonly id: PairId;
  /** `BTC/USD`; an equity has no slash: `AAPL`. */
  readonly display: string;
  /** Other names that requests may use for it; answers always have the id. @rule D6.aliases */
  readonly aliases: readonly string[];
  readonly assetClass: AssetClass;
  /** The currency or asset that is traded; an equity or index is its own base. */
  readonly base: string;
  /** The currency of the price. */
  readonly quote: string;
  /** True when one unit of the quote currency counts as one US dollar, as USDC does. @rule D6.quoteIsUsd */
  readonly quoteIsUsd: boolean;
  /** Base units in one lot. */
  readonly lotSize: number;
  readonly gridStep: Quantity;
  /** The finer grid of accounts up to $10,000; null when the class has none. */
  readonly gridStepSmallAccount: Quantity | null;
  readonly leastPosition: MinPosition;
  /** The smallest step of the price. */
  readonly tick: Price;
  /** Prices that orders name must be multiples of it; null accepts any price. @rule D6.priceStep */
  readonly priceStep: Price | null;
  /** The fee of a fill as a share of its value. */
  readonly feeRatio: Ratio;
  readonly carry: CarryModel;
  /** The cost of a day of a short position, as a share of its value, charged like daily carry. @rule D11.borrow */
  readonly borrowRate?: Ratio;
  /**
   * Its earlier carry, oldest first. The carry of hours before a change is charged at the earlier rate.
   * @rule D13.formerCarry
   */
  readonly formerCarry?: readonly FormerCarry[];
  /** The usual distance between bid and ask as a share of the price. */
  readonly spreadRatio: Ratio;
  readonly slippage: SlippageModel;
  /** NZD crosses have lower caps in the service's catalogue. @rule D10.nzdCaps decides */
  readonly leverageCaps: Readonly<Record<LeverageTier, Leverage>>;
  /** Exposure groups that bind on the pro track, such as `currency:USD`. */
  readonly exposureGroups: readonly string[];
  readonly session: Session;
  /** A quote older than this does not fill orders while the market is open. */
  readonly staleAfterMs: number;
  /** A session's first price that is further from the last one than this share halts the pair; absent: the class's. */
  readonly sessionGapMax?: Ratio;
  /** True while positions of the pair may only be reduced. It keeps its prices. @rule D13.blocked */
  readonly blocked: boolean;
  /**
   * True on a blocked pair whose last price fills exits, once no source has sent another price for an hour.
   * @rule D13.retired
   */
  readonly retired?: true;
}

/** The catalogue by canonical pair id. */
export type Instruments = ReadonlyMap<PairId, Instrument>;
