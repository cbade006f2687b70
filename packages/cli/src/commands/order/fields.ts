import type { BracketLegRequest, OrderRequest, OrderSizing } from "@propgate/sdk";
import type { Command } from "commander";
import { usageError } from "../../cli-error.ts";

export type TradeFields = OrderRequest["trade"];

/** Exactly one of them, but on `flat` and on brackets. */
export interface SizeOptions {
  readonly quantity?: string;
  readonly value?: string;
  readonly leverage?: string;
}

export interface LegOptions {
  readonly stop?: string;
  readonly target?: string;
  readonly trailingPercent?: string;
  readonly trailingValue?: string;
}

export function sizeOptions(command: Command): Command {
  return command
    .option("--quantity <lots>", "size in the pair's lot unit")
    .option("--value <usd>", "size in USD")
    .option("--leverage <x>", "size as a multiple of the balance");
}

export function legOptions(command: Command): Command {
  return command
    .option("--stop <price>", "close the position at a loss here")
    .option("--target <price>", "close the position with a gain here")
    .option("--trailing-percent <share>", "stop this share behind the best price: 0.02 is 2 %")
    .option("--trailing-value <price>", "stop this far behind the best price");
}

export function sizeFields(options: SizeOptions): OrderSizing {
  return {
    ...field("quantity", number("--quantity", options.quantity)),
    ...field("value", number("--value", options.value)),
    ...field("leverage", number("--leverage", options.leverage)),
  };
}

/** The legs of an order that opens a position. */
export function entryLegFields(options: LegOptions): Partial<TradeFields> {
  const share = number("--trailing-percent", options.trailingPercent);
  const distance = number("--trailing-value", options.trailingValue);
  if (share !== undefined && distance !== undefined) {
    throw usageError("--trailing-percent and --trailing-value exclude each other");
  }
  const trailing =
    share === undefined
      ? field("trailing_stop", distance === undefined ? undefined : { trailing_value: distance })
      : { trailing_stop: { trailing_percent: share } };
  return { ...triggerFields(options), ...trailing };
}

/** What both an order and a single leg call the same. */
export function triggerFields(
  options: Pick<LegOptions, "stop" | "target">,
): Pick<BracketLegRequest, "stop_loss" | "take_profit"> {
  return {
    ...field("stop_loss", number("--stop", options.stop)),
    ...field("take_profit", number("--target", options.target)),
  };
}

export function field<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): Partial<Record<Name, Value>> {
  const given: Partial<Record<Name, Value>> = {};
  if (value !== undefined) given[name] = value;
  return given;
}

/** A plain decimal above 0: `1e5`, `1,000` and `0x10` are slips of the pen. */
export function number(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d{1,15}(\.\d{1,12})?$/.test(text) && value > 0) return value;
  throw usageError(`${flag} must be a number above 0, not ${text}`, "Such as 0.25 or 1500.");
}

export function readSide(text: string): "LONG" | "SHORT" {
  const side = text.toLowerCase();
  if (side === "long" || side === "buy") return "LONG";
  if (side === "short" || side === "sell") return "SHORT";
  throw usageError(`no side: ${text}`, "It is long or short.");
}
