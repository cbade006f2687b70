import type { UncheckedTrade } from "@propgate/contract";
import type { TrailingStop } from "@propgate/sdk";
import { usageError } from "../../cli-error.ts";

/** `trade` as the options give it, before it is checked. */
export type TradeFields = UncheckedTrade;

/** The options of a size. An order has exactly one of them, `flat` has none, and a leg at most one. */
export interface SizeOptions {
  readonly quantity?: string;
  readonly value?: string;
  readonly leverage?: string;
}

/** The options of a single leg, for an order without `--leg`. */
export interface LegOptions {
  /** False with --no-stop, which removes the stop. */
  readonly stop?: string | false;
  /** False with --no-target, which removes the target. */
  readonly target?: string | false;
  readonly trailingPercent?: string;
  readonly trailingValue?: string;
}

/** `trailing_stop` from the options; undefined without a distance. */
export function readTrailingStop(
  options: Pick<LegOptions, "trailingPercent" | "trailingValue">,
): TrailingStop | undefined {
  const share = readNumber("--trailing-percent", options.trailingPercent);
  const distance = readNumber("--trailing-value", options.trailingValue);
  if (share !== undefined && distance !== undefined) {
    throw usageError("--trailing-percent and --trailing-value exclude each other");
  }
  if (share !== undefined) return { trailing_percent: share };
  return distance === undefined ? undefined : { trailing_value: distance };
}

/** An object with the field; empty when the value is undefined. */
export function optionalField<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): Partial<Record<Name, Value>> {
  const given: Partial<Record<Name, Value>> = {};
  if (value !== undefined) given[name] = value;
  return given;
}

/**
 * The number of an option: a plain decimal above 0. `1e5`, `1,000` and `0x10` are rejected as typos. Undefined without
 * the option, and for its `--no-` form.
 */
export function readNumber(flag: string, text: string | false | undefined): number | undefined {
  if (text === undefined || text === false) return undefined;
  const value = Number(text);
  if (/^\d{1,15}(\.\d{1,12})?$/.test(text) && value > 0) return value;
  throw usageError(`${flag} must be a number above 0, not ${text}`, "Such as 0.25 or 1500.");
}

/** The side that a person types: long or buy, short or sell, in any case. Any other text is a usage error. */
export function readSide(text: string): "LONG" | "SHORT" {
  const side = text.toLowerCase();
  if (side === "long" || side === "buy") return "LONG";
  if (side === "short" || side === "sell") return "SHORT";
  throw usageError(`not a side: ${text}`, "The side is long or short.");
}
