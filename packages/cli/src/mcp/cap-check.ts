import type { OrderFields } from "@propgate/contract";
import { AbortedError, PropgateError } from "@propgate/sdk";
import type { CallRate } from "./call-rate.ts";
import { type Failure, failureOf, unsentFailure } from "./failure.ts";
import type { LostOrders } from "./lost-orders.ts";
import type { OrderFigures, SizedOrder } from "./order-figures.ts";
import type { StartEquity } from "./start-equity.ts";
import { exposureWith, type FigureOrReason, lossSince, toMicros } from "./sum-caps.ts";
import type { TradingCaps } from "./trading-caps.ts";

/** The caps, and the figures that an order is compared with. */
export interface CapCheck {
  readonly caps: TradingCaps;
  readonly figures: OrderFigures;
  readonly lost: LostOrders;
  readonly start: StartEquity;
}

/**
 * The rejection of an order that exceeds a cap; null when it exceeds none. An unknown figure counts as too large. A
 * BRACKET is compared with the allowed pairs only. The caller must not call it for orders that can only reduce risk.
 */
export async function capRefusal(order: OrderFields, check: CapCheck): Promise<Failure | null> {
  const opened = order.executionType === "LIMIT_EDIT" ? order.replacement : order;
  if (!("pair" in opened) || opened.pair === null) return null;
  const { caps } = check;
  if (!caps.pairs.includes(opened.pair)) {
    return refusedByCap(
      `'trade_pair': ${opened.pair} is not an allowed pair`,
      `Trade ${caps.pairs.join(", ")}, or ask the person who started this server to add it to --pairs.`,
    );
  }
  // A BRACKET has only legs, which reduce a position.
  if (!("size" in opened)) return null;
  const worthUsd = await orUnknown(() => orderWorth(opened, check.figures));
  if (typeof worthUsd !== "number") {
    return refusedByCap(
      `'${opened.size.field}': the order's value in USD is unknown: ${worthUsd.unknown}`,
      "Nothing was sent. Size the order by 'value' (USD), or try again later.",
    );
  }
  if (worthUsd > caps.maxNotionalUsd) {
    return refusedByCap(
      `'${opened.size.field}': the order is worth ${worthUsd} USD, and at most ${caps.maxNotionalUsd} USD are allowed`,
      `Nothing was sent. Reduce the order, or ask the person who started this server to raise --max-notional.`,
    );
  }
  const editedId = order.executionType === "LIMIT_EDIT" ? order.orderUuid : null;
  return sumRefusal({ worthUsd, editedId }, check);
}

/** The rejection by a cap on a sum over the whole account; null when the order fits. */
async function sumRefusal(
  order: { readonly worthUsd: number; readonly editedId: string | null },
  check: CapCheck,
): Promise<Failure | null> {
  const { maxExposureUsd, maxLossUsd } = check.caps;
  if (maxExposureUsd === null && maxLossUsd === null) return null;
  if (check.lost.hasUnknownOpening()) {
    return refusedByCap(
      "an earlier order has an unknown fate, so the open exposure is unknown",
      "Nothing was sent. Call settle_order first. Closing and cancelling work meanwhile.",
    );
  }
  if (maxLossUsd !== null) {
    const loss = await orUnknown(() => readLoss(check));
    if (typeof loss !== "number") return unknownStateFailure("--max-loss", loss.unknown);
    if (loss >= maxLossUsd) {
      return refusedByCap(
        `${loss} USD have been lost since this server or the UTC day began, and --max-loss is ${maxLossUsd} USD`,
        "Nothing was sent. Opening and adding are blocked; closing and cancelling work. Inform the person who started this server.",
      );
    }
  }
  if (maxExposureUsd === null) return null;
  const exposure = await orUnknown(() => exposureWith(order, check.figures));
  if (typeof exposure !== "number") return unknownStateFailure("--max-exposure", exposure.unknown);
  if (exposure <= maxExposureUsd) return null;
  return refusedByCap(
    `with this order, positions and pending entries would be worth ${exposure} USD, and --max-exposure is ${maxExposureUsd} USD`,
    "Nothing was sent. Reduce the order, or close or cancel something first, which is always allowed.",
  );
}

async function readLoss({ figures, start }: CapCheck): Promise<FigureOrReason> {
  const account = await figures.account();
  if (account === null) return { unknown: "the service's figures are stale" };
  return lossSince(start.orNow(account), account);
}

/**
 * The value of the requested size in USD. The value is not reduced when a cap of the service would reduce the order
 * now, because that cap may allow more when the order fills.
 */
async function orderWorth(order: SizedOrder, figures: OrderFigures): Promise<FigureOrReason> {
  const { size } = order;
  if (size.field === "value") return size.amount;
  if (size.field === "quantity") {
    const lot = await figures.lotUsd(order);
    if (lot === null) return { unknown: "the service has no price for it" };
    return toMicros(size.amount * lot);
  }
  const account = await figures.account();
  if (account === null) return { unknown: "the service has no reliable balance" };
  return toMicros(size.amount * account.balanceUsd);
}

/**
 * The figure, or why it is unknown: the service does not answer, rejects the read or answers in another form. NaN is
 * unknown too, because it would exceed no cap.
 */
async function orUnknown(read: () => Promise<FigureOrReason>): Promise<FigureOrReason> {
  try {
    const figure = await read();
    const isNumber = typeof figure !== "number" || Number.isFinite(figure);
    return isNumber ? figure : { unknown: "the service's answer has no number for it" };
  } catch (error) {
    if (error instanceof AbortedError) return { unknown: "the service did not answer in time" };
    const failure = failureOf(error);
    if (failure === null) throw error;
    return { unknown: error instanceof PropgateError ? error.message : failure.error };
  }
}

function unknownStateFailure(cap: string, why: string): Failure {
  return refusedByCap(
    `${cap} cannot be checked: ${why}`,
    "Nothing was sent. Try again later; closing and cancelling work meanwhile.",
  );
}

/** The refusal of a call because of a cap of this MCP server. The call is not sent to the service. */
export function refusedByCap(error: string, fix: string): Failure {
  return unsentFailure(error, {
    cause: "A cap that was set when this MCP server was started.",
    fix,
  });
}

/**
 * Takes a slot of the rate limit. Null on success, otherwise the rejection. `advice` is the last sentence of the
 * rejection's fix.
 */
export function takeRateSlot(rate: CallRate, error: string, advice: string): Failure | null {
  const waitMs = rate.reserve();
  if (waitMs === null) return null;
  const fix = `Nothing was sent. Wait \`retryAfterMs\`, then call again. ${advice}`;
  return { ...refusedByCap(error, fix), retryAfterMs: waitMs };
}
