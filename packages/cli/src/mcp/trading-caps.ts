import { normalizePairName } from "@propgate/contract";
import { usageError } from "../cli-error.ts";

/** The limits of an agent, in addition to the service's own rules. */
export interface TradingCaps {
  /** The pairs that the agent may trade, by canonical names, in the order given. */
  readonly pairs: readonly string[];
  /** Maximum value of one order, USD. */
  readonly maxNotionalUsd: number;
  /** Maximum number of requests that open, add, protect or edit in any 60 seconds. */
  readonly ordersPerMinute: number;
  /** Maximum total value of positions, pending entries and the order, USD; null without a cap. */
  readonly maxExposureUsd: number | null;
  /** The loss from which on no order may open a position or add to one, USD; null without a cap. */
  readonly maxLossUsd: number | null;
  /** True when the agent may end the dead man's switch or loosen it. */
  readonly maySwitchOff: boolean;
}

export interface CapOptions {
  readonly allowTrading?: boolean;
  readonly pairs?: string;
  readonly maxNotional?: string;
  readonly maxOrdersPerMinute?: string;
  readonly maxExposure?: string;
  readonly maxLoss?: string;
  readonly allowSwitchOff?: boolean;
}

export const DEFAULT_ORDERS_PER_MINUTE = 10;

/**
 * The caps of the options; null when the agent may only read. Rejects caps without `--allow-trading`, and
 * `--allow-trading` without the required caps.
 */
export function readCaps(options: CapOptions): TradingCaps | null {
  const { pairs, maxNotional, maxOrdersPerMinute, maxExposure, maxLoss } = options;
  const maySwitchOff = options.allowSwitchOff === true;
  if (options.allowTrading !== true) {
    if (maySwitchOff || (pairs ?? maxNotional ?? maxOrdersPerMinute ?? maxExposure ?? maxLoss)) {
      throw usageError(
        "--pairs, the --max-… options and --allow-switch-off require --allow-trading",
        "Add --allow-trading, or omit the others.",
      );
    }
    return null;
  }
  if (pairs === undefined || maxNotional === undefined) {
    const missing = pairs === undefined ? "--pairs" : "--max-notional";
    throw usageError(
      `--allow-trading requires ${missing}`,
      "Such as --allow-trading --pairs BTCUSD,ETHUSD --max-notional 5000 (USD for each order).",
    );
  }
  return {
    pairs: readPairs(pairs),
    maxNotionalUsd: readUsd("--max-notional", maxNotional),
    maxExposureUsd: maxExposure === undefined ? null : readUsd("--max-exposure", maxExposure),
    maxLossUsd: maxLoss === undefined ? null : readUsd("--max-loss", maxLoss),
    ordersPerMinute: readRate(maxOrdersPerMinute),
    maySwitchOff,
  };
}

function readPairs(text: string): readonly string[] {
  const pairs = text.split(",").map((name) => {
    const pair = normalizePairName(name.trim());
    if (pair !== null) return pair;
    throw usageError(
      `--pairs contains an invalid pair: ${JSON.stringify(name)}`,
      "Use comma-separated names, such as BTCUSD,ETHUSD.",
    );
  });
  return [...new Set(pairs)];
}

function readUsd(option: string, text: string): number {
  const usd = Number(text);
  if (/^\d{1,12}(\.\d{1,6})?$/.test(text) && usd > 0) return usd;
  throw usageError(
    `${option} must be an amount in USD above 0, not ${text}`,
    "Use digits and a point, such as 5000 or 2500.50.",
  );
}

function readRate(text: string | undefined): number {
  if (text === undefined) return DEFAULT_ORDERS_PER_MINUTE;
  const rate = Number(text);
  if (/^\d{1,4}$/.test(text) && rate >= 1) return rate;
  throw usageError(`--max-orders-per-minute must be a whole number from 1 to 9999, not ${text}`);
}
