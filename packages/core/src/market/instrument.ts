import type { PairId } from "../ids.ts";
import type { Leverage, MicroUsd, Price, Quantity, Ratio, UnixMs } from "../units.ts";
import type { Session } from "./session.ts";

export type AssetClass = "crypto" | "forex" | "indices" | "equities" | "commodities";

/** The asset classes that an account may trade: one, or all. */
export type AccountClass = AssetClass | "allMarkets";

/** The leverage tier of an account: the tier that was sold, or `pro` in its pro phases. */
export type LeverageTier = "tier1" | "tier2" | "tier3" | "pro";

/** How far the price of a market fill moves against the trader, from the quote. */
export type SlippageModel =
  | { readonly kind: "none" }
  | {
      readonly kind: "linear";
      /** A market fill of up to this value does not slip. */
      readonly freeUpTo: MicroUsd;
      /** Fraction of the price for each million dollars of value. */
      readonly perMillion: Ratio;
      /** The maximum slippage of an order, as a fraction of the price. */
      readonly most: Ratio;
    };

/** The cost of holding a position, by the way in which it is charged. */
export type CarryModel =
  | { readonly kind: "none" }
  /** Charged at 00:00, 08:00 and 16:00 UTC, on the value held. */
  | { readonly kind: "everyEightHours"; readonly rate: Ratio }
  /** Charged at 21:00 UTC from Monday to Friday; on Wednesday for three days. */
  | { readonly kind: "daily"; readonly rate: Ratio }
  /**
   * Hourly funding on the value held. At a rate above zero a long pays and a short receives; below zero it is the
   * opposite. `rate` is null when the source sends a rate for each hour. With `isCostOnly` a position never receives
   * funding. @rule D11.funding D11.fundingCost
   */
  | { readonly kind: "everyHour"; readonly rate: Ratio | null; readonly isCostOnly?: true };

/** The carry of an instrument before a change of the catalogue. @rule D13.formerCarry */
export interface FormerCarry {
  readonly carry: CarryModel;
  readonly borrowRate?: Ratio;
  /** The time of the first start of the service with the changed carry. */
  readonly untilMs: UnixMs;
}

/** The minimum position that an order may leave open. */
export type MinPosition =
  | { readonly kind: "quantity"; readonly quantity: Quantity }
  | { readonly kind: "value"; readonly value: MicroUsd };

/** A pair of the catalogue, with its units and steps, its costs, its caps and its trading hours. @rule S2.2.lotUnit */
export interface Instrument {
  readonly id: PairId;
  /** The name that people see: `BTC/USD`, or without a slash for an equity: `AAPL`. */
  readonly display: string;
  /** Other names that requests may use for the pair. Answers always have its id. @rule D6.aliases */
  readonly aliases: readonly string[];
  readonly assetClass: AssetClass;
  /** The currency or asset that is traded. An equity or index is its own base. */
  readonly base: string;
  /** The currency in which the price is expressed. */
  readonly quote: string;
  /**
   * True when one unit of the quote currency counts as one US dollar, as USDC does. Pairs priced in USD itself do not
   * need it. @rule D6.quoteIsUsd
   */
  readonly quoteIsUsd: boolean;
  /** Units of the base in one lot. */
  readonly lotSize: number;
  readonly gridStep: Quantity;
  /** The finer grid of accounts up to $10,000; null when the instrument has none. */
  readonly gridStepSmallAccount: Quantity | null;
  readonly leastPosition: MinPosition;
  /** The smallest step of the price. */
  readonly tick: Price;
  /** The prices of orders have to be multiples of this step; null when every price is accepted. @rule D6.priceStep */
  readonly priceStep: Price | null;
  /** The fee of a fill, as a fraction of its value. */
  readonly feeRatio: Ratio;
  readonly carry: CarryModel;
  /**
   * The cost of holding a short position for a day, as a fraction of its value, charged at 21:00 UTC. Only pairs
   * without other carry use it. @rule D11.borrow
   */
  readonly borrowRate?: Ratio;
  /**
   * The earlier carry of the instrument, oldest first. Hours before a change of the catalogue are charged with the
   * carry of that time. @rule D13.formerCarry
   */
  readonly formerCarry?: readonly FormerCarry[];
  /** The usual distance between bid and ask, as a fraction of the price. */
  readonly spreadRatio: Ratio;
  readonly slippage: SlippageModel;
  /**
   * The leverage cap of each tier on this pair. NZD crosses have lower caps in the service's catalogue.
   * @rule D10.nzdCaps
   */
  readonly leverageCaps: Readonly<Record<LeverageTier, Leverage>>;
  /**
   * The exposure groups of the pair, such as `currency:USD`. A group limits orders only when the terms have a cap for
   * that kind of group.
   */
  readonly exposureGroups: readonly string[];
  readonly session: Session;
  /** The maximum age of a quote that may fill orders while the market is open. */
  readonly staleAfterMs: number;
  /**
   * When the first price of a session differs from the last price of the session before by more than this fraction, the
   * pair is halted. Absent when the limit of the asset class applies.
   */
  readonly sessionGapMax?: Ratio;
  /**
   * True while positions of the pair may only be reduced. Quotes of a blocked pair are still accepted.
   * @rule D13.blocked
   */
  readonly blocked: boolean;
  /**
   * True for a blocked pair whose last price fills exits, when no source has sent a price for an hour of open market.
   * @rule D13.retired
   */
  readonly retired?: true;
}

/** The instruments of the catalogue, by the id of their pair. */
export type Instruments = ReadonlyMap<PairId, Instrument>;
