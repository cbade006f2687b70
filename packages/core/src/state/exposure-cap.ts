import type { AssetClass } from "../market/instrument.ts";
import type { Leverage } from "../units.ts";

/** The part of the exposure that a leverage cap limits. */
export type CappedExposure =
  | { readonly kind: "pair" }
  | { readonly kind: "class"; readonly assetClass: AssetClass }
  /** One side (long or short) of an exposure group such as `currency:USD`. */
  | { readonly kind: "group"; readonly group: string }
  | { readonly kind: "portfolio" };

/** A cap on a part of the account's exposure: a multiple of the balance. @rule D5.caps */
export interface ExposureCap {
  readonly cap: Leverage;
  readonly of: CappedExposure;
}
