import type { OrderFields } from "@propgate/contract";
import { AbortedError, PropgateError } from "@propgate/sdk";
import { type Failure, refusedHere } from "./failure.ts";
import type { LostOrders } from "./lost-orders.ts";
import type { OrderFigures, SizedOrder } from "./order-figures.ts";
import type { StartEquity } from "./start-equity.ts";
import { exposureWith, type Known, lossSince, toMicros } from "./sum-caps.ts";
import type { TradingCaps } from "./trading-caps.ts";

export interface CapCheck {
  readonly caps: TradingCaps;
  readonly figures: OrderFigures;
  readonly lost: LostOrders;
  readonly start: StartEquity;
}

/**
 * The cap that the order passes, null when none. A figure that cannot be known counts as too large. Not
 * for what only ends risk: no cap holds that back.
 */
export async function capRefusal(order: OrderFields, check: CapCheck): Promise<Failure | null> {
  const opened = order.executionType === "LIMIT_EDIT" ? order.replacement : order;
  if (!("pair" in opened) || opened.pair === null) return null;
  const { caps } = check;
  if (!caps.pairs.includes(opened.pair)) {
    return capped(
      `'trade_pair': ${opened.pair} is not among the pairs that may be traded`,
      `Trade ${caps.pairs.join(", ")}, or ask the person who runs this server to add it to --pairs.`,
    );
  }
  // Legs of a position only make it smaller.
  if (!("size" in opened)) return null;
  const worthUsd = await known(() => worth(opened, check.figures));
  if (typeof worthUsd !== "number") {
    return capped(
      `'${opened.size.field}': what the order is worth in USD cannot be known: ${worthUsd.unknown}`,
      "Nothing was sent. Size the order by 'value' (USD), or try again later.",
    );
  }
  if (worthUsd > caps.maxNotionalUsd) {
    return capped(
      `'${opened.size.field}': the order is worth ${worthUsd} USD, and at most ${caps.maxNotionalUsd} USD are allowed`,
      `Nothing was sent. Make it smaller, or ask the person who runs this server to raise --max-notional.`,
    );
  }
  const editedId = order.executionType === "LIMIT_EDIT" ? order.orderUuid : null;
  return sumRefusal({ worthUsd, editedId }, check);
}

/** Of the caps on the whole account. */
async function sumRefusal(
  order: { readonly worthUsd: number; readonly editedId: string | null },
  check: CapCheck,
): Promise<Failure | null> {
  const { maxExposureUsd, maxLossUsd } = check.caps;
  if (maxExposureUsd === null && maxLossUsd === null) return null;
  if (check.lost.hasUnknownOpening()) {
    return capped(
      "an earlier order has an unknown fate, so what is open cannot be known",
      "Nothing was sent. Call settle_order first. Closing and cancelling work meanwhile.",
    );
  }
  if (maxLossUsd !== null) {
    const loss = await known(() => lossNow(check));
    if (typeof loss !== "number") return unknownState("--max-loss", loss.unknown);
    if (loss >= maxLossUsd) {
      return capped(
        `${loss} USD have been lost since this server or the UTC day began, and --max-loss is ${maxLossUsd} USD`,
        "Nothing was sent. Nothing may be opened or added now; closing and cancelling work. Tell the person who runs this server.",
      );
    }
  }
  if (maxExposureUsd === null) return null;
  const exposure = await known(() => exposureWith(order, check.figures));
  if (typeof exposure !== "number") return unknownState("--max-exposure", exposure.unknown);
  if (exposure <= maxExposureUsd) return null;
  return capped(
    `with this order positions and pending entries would sum up to ${exposure} USD, and --max-exposure is ${maxExposureUsd} USD`,
    "Nothing was sent. Make the order smaller, or close or cancel something first: that always works.",
  );
}

async function lossNow({ figures, start }: CapCheck): Promise<Known> {
  const account = await figures.account();
  if (account === null) return { unknown: "the service's figures are stale" };
  return lossSince(start.orNow(account), account);
}

/** Of the size as it was asked for: what binds it now may bind it no longer when it is filled. */
async function worth(order: SizedOrder, figures: OrderFigures): Promise<Known> {
  const { size } = order;
  if (size.field === "value") return size.amount;
  if (size.field === "quantity") {
    const lot = await figures.lotUsd(order);
    if (lot === null) return { unknown: "the service gave no price for it" };
    return toMicros(size.amount * lot);
  }
  const account = await figures.account();
  if (account === null) return { unknown: "the service gave no balance to be trusted" };
  return toMicros(size.amount * account.balanceUsd);
}

/** A service that does not answer, or refuses to, leaves the figure unknown. */
async function known(read: () => Promise<Known>): Promise<Known> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AbortedError) return { unknown: "the service did not answer in time" };
    if (error instanceof PropgateError) return { unknown: error.message };
    throw error;
  }
}

function unknownState(cap: string, why: string): Failure {
  return capped(
    `whether ${cap} holds cannot be known: ${why}`,
    "Nothing was sent. Try again later; closing and cancelling work meanwhile.",
  );
}

export function capped(error: string, fix: string): Failure {
  return refusedHere(error, { cause: "A cap of this MCP server, set where it was started.", fix });
}
